device "chip" {}
graph "c" {
  source = "c.onnx"
  device = device.chip
}
planner {
  concurrent = [graph.c] # MP0244: "concurrent" lists graph.c alone
}
