locals {
  a = local.b # MP0127: local.a -> local.b -> local.c -> local.a. Replace one of these references by a value of its own.
  b = local.c
  c = local.a
  me = local.me # MP0127: local.me -> local.me
  hanger_on = local.a
}
device "d" { max_alloc = pool.p.size } # MP0127: device.d -> pool.p -> device.d
pool "p" {
  device = device.d
  size   = 64
}
pool "q" {
  device = device.e
  size   = local.hanger_on
}
device "e" {}
