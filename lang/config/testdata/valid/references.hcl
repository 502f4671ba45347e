# References through local values, in any order, with fields of blocks and planned values in checks.

locals {
  gpu    = device.gpu
  places = [pool.fast, pool.slow]
  twice  = 2 * pool.fast.size
  peak   = pool.slow.peak + pool.fast.peak
  first  = local.last
  last   = "64KiB"
}

pool "slow" {
  device    = local.gpu
  size      = local.twice + pool.fast.alignment
  alignment = device.gpu.base_alignment * 2
}

pool "fast" {
  device = device.gpu
  size   = local.first
}

device "gpu" {}

scope_rule "all" {
  pools     = local.places
  condition = tensor.bytes <= pool.fast.size && op.type != "Conv"
}

scope_rule "one" { pools = pool.slow }

graph "g" {
  source = "${path.module}/g.onnx"
  device = local.gpu
  place "x" { pool = local.places[1] }
}

run "r" { graph = graph.g }

output "sum" { value = local.peak }
output "where" { value = graph.g.tensor["x"].offset }
output "rule" { value = scope_rule.all.name }
output "self" { value = pool.fast }
