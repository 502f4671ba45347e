variable "bytes" {
  default   = 4096
  sensitive = true
}
variable "seed" {
  default   = 7
  sensitive = true
}
locals { twice = 2 * var.bytes }
device "d" { base_alignment = 64 }
pool "p" {
  device = device.d
  size   = local.twice # MP0227: "size" depends on a sensitive variable
}
graph "g" {
  source = "net.onnx"
  device = device.d
  dims   = { N = var.bytes } # MP0227: "dims" depends on
  place "logits" {
    pool   = pool.p
    offset = var.bytes # MP0227: Remove sensitive = true from the variable
  }
}
run "smoke" {
  graph = graph.g
  input "image" { random_seed = var.seed }
}
output "bytes" { value = var.bytes }
