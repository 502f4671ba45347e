device "plain" {
  capability {
    op   = ["Conv"]
    data = ["global", "global.texture"] # MP0225: has no image2d block, so no tensor of it can be "global.texture"
  }
}
device "gpu" {
  image2d {
    max_width   = 8192
    max_height  = 8192
    from_buffer = true
  }
  capability {
    op     = ["Conv", "Conv"]               # MP0224: "op" lists "Conv" twice.
    data   = ["global.texture", "global.texture"] # MP0224: "data" lists "global.texture" twice.
    weight = ["global.texture-wieght"]      # MP0202: Did you mean "global.texture-weight"?
    output = []                             # MP0220: so that the operators could never run
    bias   = ["", "global"]                 # MP0224: lists "global" twice
    input  = ["global"]                     # MP0103: There is no attribute "input"
  }
  capability {} # MP0104: needs "op"
  capability {
    op   = "*"
    data = "global.texture"
  }
  capability { # MP0224: Device "gpu" has this capability already.
    data = ["global.texture"]
    op   = ["*"]
  }
  capability {
    op = [] # MP0220: Leave it out, or list something
  }
}
pool "images" {
  device = device.gpu
  type   = "texture"
  images = true # MP0221: Pool "images" is of type "texture"
}
pool "flat" { device = device.gpu }
graph "detector" {
  source = "g.onnx"
  device = device.gpu
}

scope_rule "ranks" {
  match {
    rank   = [4, 2.5, -1, "many", null] # MP0204: takes whole numbers # MP0204: is -1 and must be 0 or more # MP0120: not a string # MP0120: not null
    layout = []                         # MP0220: "layout" is an empty list
  }
  scope = "global.textur" # MP0202: Did you mean "global.texture"?
}
scope_rule "selects" {
  match {
    graph  = ["detectr", "det*", graph.detector, device.gpu, 4] # MP0124: Did you mean "detector"? # MP0130: device.gpu is a device # MP0130: not a number
    device = "gpu["                                             # MP0207: "gpu[" is not a pattern
  }
  scope = "global"
}
scope_rule "empty" {
  match {
    rank   = []        # MP0220: "rank" is an empty list
    graph  = []        # MP0220: "graph" is an empty list
    device = device.gp # MP0124: Did you mean "gpu"?
  }
  penalty = "64KiB" # MP0223: gives a penalty and no scope
  pools   = [pool.flat]
}
scope_rule "penalty" {
  scope   = "global.texture"
  penalty = "64KB" # MP0122: Write "64KiB"
}
scope_rule "condition" {
  condition = tensor.texture.widht > 8 && tensor.texture-nhwc.width > 0 && op.attribute.group == 1 # MP0126: Did you mean "width"? # MP0126: Did you mean "texture_nhwc"? # MP0126: Did you mean "attributes"?
  scope     = "global.texture-weight"
}
planner {
  scope_policy      = "mincpy"       # MP0202: Did you mean "mincopy"?
  texture_algorithm = "tvm-texture"  # MP0202: Did you mean "tvm_texture"?
}
