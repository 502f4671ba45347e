variable "old" {
  default    = 1
  deprecated = "use new."
}
module "old" {
  source = "../modules/old"
  size   = var.old # MP0174: The variable "size", which gets a value from the module block "old", is deprecated: use bytes.
}
output "o" { value = module.old.size } # MP0175: The output "size" of module "old" is deprecated: use bytes.
