variable "where" { default = "../modules/phone" }

module "no_source" {} # MP0104: A "module" block needs "source"
module "reference" {
  source = var.where # MP0125: "source" is a constant
}
module "number" {
  source = 4 # MP0150: The source of a module is a text in quotes
}
module "bare" {
  source = "modules/phone" # MP0150: Write "./modules/phone"
}
module "absolute" {
  source = "/modules/phone" # MP0150: Write a path relative to this file
}
module "slashes" {
  source = "..\\modules\\phone" # MP0150: Write it with forward slashes
}
module "prefix" {
  source = "adreno" # MP0150: Write "builtin:adreno"
}
module "builtin" {
  source = "builtin:adrena" # MP0151: Did you mean "adreno"?
}
module "no_builtin" {
  source = "builtin:x" # MP0151: There are adreno, mali and pocl.
}
module "missing" {
  source = "../modules/phoney" # MP0152: Paths are relative to the directory
}
module "empty" {
  source = "../modules/empty" # MP0116: has no file named *.memplan.hcl
}
module "self" {
  source = "../invalid/modules.hcl" # MP0153: so that it would contain itself
}
module "inputs" { # MP0155: needs a value for its variable "width"
  source = "../modules/phone"
  widht  = 4 # MP0156: Did you mean "width"?
}
module "validated" {
  source = "../modules/phone"
  width  = 4 # MP0146: width must be 64 or more.
}
module "type" {
  source = "../modules/phone"
  width  = "many" # MP0145: from the module block "type" cannot be used. A value of type number is needed
}
module "blocks" {
  source = "../modules/phone"
  width  = 64
  inner {} # MP0102: There is no block "inner" in a "module" block
}
module "good" {
  source = "../modules/phone"
  width  = 64
}
module "good" { # MP0201: There is already a module named "good"
  source = "../modules/phone"
}
pool "output" { device = module.good.devise } # MP0126: The module "good" has no output "devise". Did you mean "device"?
pool "module" { device = module.god.device }  # MP0124: There is no module named "god"
pool "kind" { device = module.good.arena }    # MP0130: module.good.pool.arena is a pool
pool "whole" { device = module.good }         # MP0130: not an object
pool "planned" {
  device = module.good.device
  size   = module.good.half # MP0128: depends on module.good.pool.arena.peak
}
module "cycle" { # a module is one value: what it gives cannot be what it is given
  source = "../modules/phone"
  width  = 64
  size   = module.cycle.half # MP0127: module.cycle -> module.cycle
}
