# Which way up is a line of text? A network of PP-OCR, planned for an Adreno GPU with its weights and activations in textures,
# and run on the embedded host device, which keeps textures as the GPU would: rows of texels, in the planned images.

module "adreno" {
  source      = "builtin:adreno"
  driver      = "host" # on the phone: "opencl"
  from_buffer = false  # images are image objects, not views of a buffer
}

# The camera's picture should be a texture too, and cannot: it has three channels and a texel four. The plan says so, and
# of all that rules want in textures this tensor alone stays flat.
scope_rule "picture" {
  match {
    role = ["input"]
  }
  scope = "global.texture"
}

graph "direction" {
  source = "../../testdata/models/ch_ppocr_mobile_v2.0_cls_infer.onnx"
  device = module.adreno.device
  dims = {
    "p2o.DynamicDimension.0" = 1
    "p2o.DynamicDimension.1" = 48
    "p2o.DynamicDimension.2" = 192
  }
}

run "reference" {
  graph = graph.direction

  input "x" {
    npy = "image.npy"
  }

  # Recorded from another runtime on the same input.
  expect "softmax_0.tmp_0" {
    npy  = "direction.npy"
    atol = 1e-4
  }
}

check "textures" {
  assert {
    condition     = module.adreno.textures.peak <= kib(700)
    error_message = "The images of activations need ${format_bytes(module.adreno.textures.peak)}, the budget is 700 KiB."
  }
  assert {
    condition     = graph.direction.tensor["relu_1.tmp_0"].scope == "global.texture"
    error_message = "The first depthwise convolution left the textures."
  }
}

output "texture_peak" {
  description = "Bytes of the images that activations share."
  value       = module.adreno.textures.peak
}
