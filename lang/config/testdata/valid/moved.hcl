device "chip" {}
pool "arena" { device = device.chip }
pool "bank" {
  for_each = { fast = 1 }
  device   = device.chip
}
pool "part" {
  count  = 2
  device = device.chip
}
graph "net" {
  source = "net.onnx"
  device = device.chip
}
module "phone" {
  source   = "../modules/phone"
  for_each = { a = 64 }
  width    = each.value
}
moved {
  from = pool.memory
  to   = pool.arena
}
moved {
  from = pool.oldest
  to   = pool.memory
}
moved {
  from = pool.slow
  to   = pool.bank["fast"]
}
moved {
  from = pool.section
  to   = pool.part
}
moved {
  from = pool.bank["quick"]
  to   = module.phone["a"].pool.arena
}
moved {
  from = module.handset
  to   = module.phone["a"]
}
moved {
  from = graph.detector
  to   = graph.net
}
moved {
  from = graph.net.tensor["old/name"]
  to   = graph.net.tensor["new/name"]
}
moved {
  from = device.cpu
  to   = device.chip
}
