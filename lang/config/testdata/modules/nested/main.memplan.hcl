module "inner" {
  source = "../phone"
  width  = 128
}
pool "more" { device = module.inner.device }
scope_rule "first" {
  scope = ""
}
output "device" { value = module.inner.device }
output "half" { value = module.inner.half }
