variable "banks" {
  default = { fast = "64KiB", slow = "1MiB" }
}
variable "parts" {
  default = 3
}
locals {
  devices = toset(["a", "b"])
  pins    = [{ name = "x", at = 0 }, { name = "y", at = 64 }]
}

device "chip" {
  for_each       = local.devices
  driver         = "none"
  base_alignment = each.key == "a" ? 64 : 128
  dynamic "image2d" {
    for_each = each.value == "b" ? [4096] : []
    content {
      max_width  = image2d.value
      max_height = image2d.value + image2d.key
    }
  }
}
pool "bank" {
  for_each = var.banks
  device   = device.chip["a"]
  size     = each.value
}
pool "part" {
  count  = var.parts
  device = device.chip.b
  size   = kib(count.index + 1)
}
pool "rest" {
  device = device.chip["a"]
  size   = sum(pool.part[*].size) + pool.bank["fast"].size
}
pool "none" {
  count  = 0
  device = device.chip["a"]
}
scope_rule "spread" {
  for_each = pool.bank
  match {
    op    = ["Conv"]
    graph = [graph.net["one"], "net[[]\"two\"]"]
  }
  condition = tensor.bytes <= each.value.size
  pools     = [each.value, pool.bank["slow"]]
}
scope_rule "counted" {
  count = 2
  pools = count.index == 0 ? pool.part[*] : reverse(pool.part)
}
graph "net" {
  for_each = { one = 1, two = 2 }
  source   = "${each.key}.onnx"
  device   = device.chip["a"]
  dims     = { N = each.value }
  dynamic "place" {
    for_each = local.pins
    iterator = pin
    labels   = ["${each.key}/${pin.value.name}"]
    content {
      pool   = pool.bank["fast"]
      offset = pin.value.at + 64 * pin.key
    }
  }
}
run "all" {
  for_each = graph.net
  graph    = each.value
  input "x" { random_seed = 1 }
}
export "all" {
  for_each = toset(keys(graph.net))
  graph    = graph.net[each.key]
  format   = "tvm"
  path     = "${each.key}.json"
}
module "phone" {
  source   = "../modules/phone"
  for_each = { small = 1024, large = 8192 }
  width    = each.value
}
module "pair" {
  source = "../modules/phone"
  count  = 2
  width  = 64 * (count.index + 1)
  size   = pool.part[count.index].size
}
graph "inside" {
  source = "i.onnx"
  device = module.pair[1].device
  place "x" { pool = module.pair[1].arena }
}
output "peaks" { value = { for key, bank in pool.bank : key => bank.peak } }
output "parts" { value = pool.part[*].peak }
output "one" { value = pool.part[1].peak + module.pair[0].half }
output "tensors" { value = { for name, net in graph.net : name => net.tensor["x"].offset } }
output "tensor" { value = graph.net["one"].tensor["x"].offset }
check "all" {
  dynamic "assert" {
    for_each = { fast = 1, slow = 2 }
    content {
      condition     = assert.value > 0
      error_message = "never"
    }
  }
}
