device "chip" {}
pool "arena" { device = device.chip }
graph "a_last" {
  source = "c.onnx"
  device = device.chip
  input "x" {
    graph  = graph.head["two"]
    output = "y"
  }
}
graph "head" {
  for_each = { one = "boxes", two = "scores" }
  source   = "b.onnx"
  device   = device.chip
  input "features" {
    graph  = graph.z_backbone
    output = each.value
  }
}
graph "z_backbone" {
  source = "a.onnx"
  device = device.chip
}
graph "m_alone" {
  source = "m.onnx"
  device = device.chip
}
planner {
  concurrent = [graph.head["two"], graph.head["one"]]
  io         = "external"
}
run "chain" {
  graph = graph.a_last
  input "image" {
    graph       = graph.z_backbone
    random_seed = 1
  }
  input "image" { random_seed = 2 }
}
