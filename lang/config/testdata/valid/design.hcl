# Everything the language has, once.

memplan { required_version = ">= 0.1" }

variable "batch" {
  type    = number
  default = 1
  validation {
    condition     = var.batch >= 1
    error_message = "batch must be positive."
  }
}

locals { arena = "24MiB" }

device "gpu" {
  driver         = "opencl"
  base_alignment = 128
  max_alloc      = "1GiB"
  image2d {
    max_width       = 16384
    max_height      = 16384
    max_layers      = 2048
    pitch_alignment = 64
    from_buffer     = true
  }
}

pool "weights" {
  device = device.gpu
  type   = "texture"
  holds  = ["constant"]
}

pool "arena" {
  device    = device.gpu
  size      = local.arena
  alignment = 128
  images    = false
}

scope_rule "conv_to_texture" {
  match {
    op      = ["Conv", "Conv2D"]
    operand = ["data", "weight"]
    dtype   = ["float16", "float32"]
    role    = ["activation", "constant"]
    tensor  = "block*/**"
  }
  condition = tensor.bytes >= 4096 && tensor.shape[1] % 4 == 0
  scope     = "global.texture"
  pools     = [pool.weights, pool.arena]
}

graph "detector" {
  source = "models/detector.onnx"
  device = device.gpu
  dims   = { N = var.batch, H = { max = 8 } }
  keep   = ["stage3/add"]
  place "logits" {
    pool   = pool.arena
    offset = 0
  }
}

planner {
  algorithm    = "auto"
  scope_policy = "flat"
  order        = "source"
  rewrite      = ["fold"]
  views        = ["reshape"]
  io           = "planned"
}

run "smoke" {
  graph = graph.detector
  input "image" { random_seed = 7 }
  expect "boxes" {
    npy  = "boxes.npy"
    atol = 1e-4
  }
}

export "runtime" {
  graph  = graph.detector
  format = "tvm"
  path   = "out/detector_graph.json"
  offset = false
}

check "budget" {
  assert {
    condition     = pool.arena.peak <= mib(16)
    error_message = "arena peak is ${format_bytes(pool.arena.peak)}"
  }
}

output "arena_peak" { value = pool.arena.peak }
