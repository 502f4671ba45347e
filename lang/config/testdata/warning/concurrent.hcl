device "host" {}
pool "ram" { device = device.host }
graph "a" {
  source = "a.json"
  device = device.host
}
graph "b" {
  source = "b.json"
  device = device.host
}
planner {
  views      = ["reshape", "diagonal"] # MP0229: While the graphs "a" and "b" may run at the same time
  concurrent = [graph.a, graph.b]
}
