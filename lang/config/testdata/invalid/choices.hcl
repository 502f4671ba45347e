device "d" { driver = "openl" } # MP0202: "driver" takes "host", "opencl" or "none", not "openl". Did you mean "opencl"?
pool "p" {
  device = device.d
  type   = "image" # MP0202: "type" takes "flat" or "texture", not "image". Write one of them.
  holds  = [
    "input",
    "constants", # MP0202: Did you mean "constant"?
  ]
}
pool "q" {
  device = device.d
  holds  = [] # MP0220: Leave it out, or list something
}
scope_rule "s" {
  match {
    operand = ["wieght"] # MP0202: Did you mean "weight"?
    dtype   = "fp16" # MP0202: "float32", "float16"
    role    = ["Activation"] # MP0202: Did you mean "activation"?
    op      = [] # MP0220: "op" is an empty list
  }
  scope = "global.textur" # MP0202: Did you mean "global.texture"?
}
planner {
  algorithm    = "best" # MP0202: "tvm_graph", "tflite_greedy" or "greedy"
  order        = "memoryy" # MP0202: "order" takes "source" or "memory", not "memoryy".
  rewrite      = ["melt"] # MP0202: "rewrite" takes "fold", "fuse", "depthwise_branches" or "partial_sums"
  views        = ["overlap"] # MP0202: "views" takes "reshape", "inplace", "concat" or "diagonal"
  scope_policy = "texture" # MP0202: "scope_policy" takes "mincopy", "tvm-relay", "tvm-relax" or "flat", not "texture"
  io           = "extern" # MP0202: "io" takes "planned" or "external", not "extern"
}
