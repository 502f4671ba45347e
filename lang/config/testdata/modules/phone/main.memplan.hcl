variable "width" {
  type = number
  validation {
    condition     = var.width >= 64
    error_message = "width must be 64 or more."
  }
}
variable "size" {
  type    = any
  default = "1MiB"
}
variable "extra" {
  type    = any
  default = null
}
variable "secret" {
  default   = "s3cret"
  sensitive = true
}

locals {
  half = pool.arena.peak / 2
}

device "gpu" {
  image2d {
    max_width  = var.width
    max_height = var.width
  }
}
pool "arena" {
  device = device.gpu
  size   = var.size
}
pool "images" {
  device = device.gpu
  type   = "texture"
}
scope_rule "activations" {
  match {
    device = [device.gpu]
  }
  condition = tensor.texture.width <= var.width
  scope     = "global.texture"
  pools     = [pool.images, pool.arena]
}
graph "net" {
  source = "net.onnx"
  device = device.gpu
}
run "smoke" {
  graph = graph.net
  input "x" {
    npy = "x.npy"
  }
}
check "budget" {
  assert {
    condition     = pool.arena.peak <= 100
    error_message = "${pool.arena.name} needs ${pool.arena.peak}, half is ${local.half}"
  }
}
output "device" { value = device.gpu }
output "arena" { value = pool.arena }
output "graph" { value = graph.net }
output "half" { value = local.half }
output "secret" { value = var.secret }
output "extra" { value = var.extra }
