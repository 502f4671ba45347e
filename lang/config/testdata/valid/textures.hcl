device "gpu" {
  driver = "opencl"
  image2d {
    max_width       = 16384
    max_height      = 16384
    max_layers      = 2048
    pitch_alignment = 64
    from_buffer     = true
  }
  capability {
    op     = ["Conv", "ConvTranspose"]
    data   = ["global.texture"]
    weight = ["global", "global.texture-weight"]
    bias   = [""]
    output = ["global.texture"]
  }
  capability {
    op     = ["*"]
    data   = ["global.texture-nhwc"]
    output = ["global.texture-nhwc"]
  }
}
pool "images" {
  device = device.gpu
  type   = "texture"
}
pool "arena" {
  device = device.gpu
  images = true
}
graph "detector" {
  source = "detector.onnx"
  device = device.gpu
}
variable "target" {
  default = "gpu"
}
locals {
  graphs = [graph.detector]
}
scope_rule "everything" {
  match {
    op      = ["Conv"]
    operand = ["data", "weight"]
    rank    = [4, 5]
    layout  = ["NCHW", "NCHW4c"]
    graph   = local.graphs
    device  = var.target
  }
  condition = (
    tensor.consumers > 0 && tensor.producer != "" && tensor.texture.width <= 16384 &&
    tensor.texture_weight.height >= 1 && tensor["texture_nhwc"].width > 0 &&
    lookup(op.attributes, "group", 1) == 1 && can(op.attributes.strides[0])
  )
  scope   = "global.texture"
  penalty = "64KiB"
  pools   = [pool.images, pool.arena]
}
scope_rule "globs" {
  match {
    rank   = 4
    graph  = ["det*", graph.detector]
    device = device.gpu
  }
  scope = ""
}
planner {
  scope_policy      = "tvm-relay"
  texture_algorithm = "tvm_texture"
}
