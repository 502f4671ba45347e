device "d" {}
pool "a" {
  device = device.d
  size   = pool.b.peak # MP0128: "size" is needed to make the plan and depends on pool.b.peak, which is known only once the plan is made.
}
pool "b" {
  device = device.d
  size   = local.indirect * 2 # MP0128: depends on pool.a.bound
}
pool "own" {
  device = device.d
  size   = pool.own.capacity # MP0128: depends on pool.own.capacity
}
locals {
  indirect = pool.a.bound
  where    = graph.g.tensor["x"]
}
graph "g" {
  source = "g.onnx"
  device = device.d
  dims   = { N = local.where.size } # MP0128: depends on graph.g.tensor
}
scope_rule "s" {
  scope     = "global"
  condition = tensor.bytes > pool.a.peak # MP0128: depends on pool.a.peak
}
