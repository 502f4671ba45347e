variable "batch" {
  type    = number
  default = 1
}

device "mcu" {
  driver         = "none"
  base_alignment = 16
}

pool "sram" {
  device = device.mcu
  size   = "256KiB"
}

pool "flash" {
  device = device.mcu
  holds  = ["constant"]
}

graph "net" {
  source = "net.json"
  device = device.mcu
  dims   = { N = var.batch }
}

check "budget" {
  assert {
    condition     = pool.sram.peak <= kib(80)
    error_message = "the network may use 80 KiB of SRAM and needs ${format_bytes(pool.sram.peak)}"
  }
}

export "table" {
  graph  = graph.net
  format = "csv"
  path   = "tensors.csv"
}
