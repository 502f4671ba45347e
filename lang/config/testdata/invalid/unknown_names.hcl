devise "gpu" {} # MP0102: Did you mean "device"?
exporter "header" {} # MP0102: Did you mean "export"?
module "m" {} # MP0104: A "module" block needs "source"
match {} # MP0102: It belongs in a "scope_rule" block
size = 1 # MP0103: It belongs in a "pool" block
color = 1 # MP0103: It takes no attributes: remove it.

device "d" {
  imge2d = 1 # MP0103: Did you mean "image2d"?
  image2d = {} # MP0103: It is a block: write image2d { ... }, without the equals sign.
}

pool "p" {
  device = device.d
  aling  = 64 # MP0103: Did you mean "alignment"?
  number = 2 # MP0103: Use one of device, type, holds, size, alignment, images, for_each and count, or remove it.
  size {} # MP0102: It is an attribute: write size = ..., with an equals sign.
  imge2d {} # MP0102: There is no block "imge2d" in a "pool" block. Use one of precondition, postcondition and dynamic, or remove it.
}

graph "g" {
  source = "g.onnx"
  device = device.d
  place = 1 # MP0103: write place "NAME" { ... }
}

planner {
  timeout = 3 # MP0103: There is no attribute "timeout"
  parallel = [graph.g] # MP0103: There is no attribute "parallel"
}

memplan {
  needs = "1" # MP0103: The only one is "required_version": use it, or remove "needs".
}
