device "chip" {}
device "other" {}
graph "a" {
  source = "a.onnx"
  device = device.chip
  input "x" { # MP0243: Graph "a" gets its input "x" from graph "b", which needs an output of "a" itself.
    graph  = graph.b
    output = "y"
  }
}
graph "b" {
  source = "b.onnx"
  device = device.chip
  input "x" { # MP0243: needs an output of "b" itself.
    graph  = graph.a
    output = "y"
  }
}
graph "c" {
  source = "c.onnx"
  device = device.chip
}
graph "d" {
  source = "d.onnx"
  device = device.chip
  input "x" { # MP0245: Graph "d" gets its input "x" from graph "c" and so runs after it
    graph  = graph.c
    output = "y"
  }
}
graph "e" {
  source = "e.onnx"
  device = device.other
  input "x" {
    graph  = graph.c # MP0242: comes from graph "c", which runs on device "chip".
    output = "y"
  }
  input "x" { # MP0201: There is already a block input "x" here.
    graph  = graph.c
    output = "y"
  }
  input "z" { # MP0104: needs "output"
    graph = graph.c # MP0242: Input "z" of graph "e"
  }
}
planner {
  concurrent = [
    graph.c, graph.d,
    graph.c # MP0224: "concurrent" lists graph.c twice.
  ]
}
run "r" {
  graph = graph.c
  input "x" {
    graph       = graph.e # MP0246: Graph "e" does not run before graph "c"
    random_seed = 1
  }
}
