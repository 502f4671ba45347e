device "gpu" {}
pool "arena" { device = device.gpu }
pool "a" { device = device.gpo } # MP0124: There is no device named "gpo". Did you mean "gpu"?
pool "b" { device = gpu } # MP0125: "gpu" alone is not a reference. Write device.gpu.
pool "c" { device = "gpu" } # MP0130: Write device.gpu, without quotes.
pool "d" { device = pool.arena } # MP0130: "device" takes a reference to a device, and pool.arena is a pool.
pool "e" { device = devise.gpu } # MP0125: Did you mean "device"?
pool "f" { device = 7 } # MP0130: takes a reference to a device, not a number.
pool "f2" { device = "device.gpu" } # MP0130: Write device.gpu, without quotes.
pool "g" { device = device } # MP0125: "device" alone is not a value. Write the name after it, as in device.NAME.
pool "h" { device = device["gpu"] } # MP0125: Write device.gpu.
pool "i" {
  device = device.gpu
  size   = local.nope # MP0124: There is no local value named "nope". Declare it, or correct the name.
}
pool "j" {
  device = device.gpu
  size   = var.nope # MP0124: There is no variable named "nope".
}
pool "k" {
  device = device.gpu
  type   = flat # MP0125: Nothing is called "flat" here. If it is meant as a text, put it in double quotes.
}
scope_rule "s" {
  pools     = [pool.arena, pool.nope, device.gpu] # MP0124: There is no pool named "nope".
  condition = tensor.byts > 1 # MP0126: tensor has no field "byts". Did you mean "bytes"?
}
scope_rule "t" {
  pools     = [pool.arena, device.gpu] # MP0130: device.gpu is a device
  condition = tensr.bytes > 1 # MP0125: Did you mean "tensor"?
}
scope_rule "u" {
  pools     = [] # MP0220: allows no pool at all
  condition = op.kind == "Conv" # MP0126: op has no field "kind". Use one of name, type, operand or attributes.
}
output "o" { value = pool.arena.peek } # MP0126: pool.NAME has no field "peek". Did you mean "peak"?
output "p" { value = graph.g.tensor["x"].ofset } # MP0126: Did you mean "offset"?
output "q" { value = path.root } # MP0124: Write path.module.
output "r" { value = output.o } # MP0125: Nothing is called "output" here.
output "s" { value = each.value } # MP0125: Nothing is called "each" here: it is there in a block that has for_each.
output "t" { value = device.gpu["drver"] } # MP0126: Did you mean "driver"?
graph "g" {
  source = "g.onnx"
  device = device.gpu
}
run "r" { graph = graph.h } # MP0124: There is no graph named "h". Declare it
variable "v" { default = local.x } # MP0125: "default" is a constant and cannot refer to local.x.
variable "w" {
  default     = 1
  description = var.v # MP0125: "description" is a constant
}
locals { x = 1 }
