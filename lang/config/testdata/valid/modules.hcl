module "phone" {
  source = "../modules/phone"
  width  = 4096
  extra  = pool.root
}
module "tablet" {
  source = "../modules/nested"
}
module "adreno" {
  source     = "builtin:adreno"
  arena_size = 0
  driver     = "none"
}

locals {
  size = module.phone.arena.size
}
pool "root" { device = module.adreno.device }
pool "more" {
  device = module.phone.device
  size   = local.size
}
graph "net" {
  source = "root.onnx"
  device = module.phone.device
  place "x" { pool = module.phone.arena }
}
run "smoke" { graph = module.phone.graph }
scope_rule "root" {
  match {
    graph  = ["module.phone.net", "module.*", module.phone.graph]
    device = [module.tablet.device, "module.phone.gpu"]
  }
  scope = "global.texture"
}
output "half" { value = module.phone.half }
output "nested" { value = module.tablet.half }
output "extra" { value = module.phone.extra.peak }
output "secret" { value = module.phone.secret }
