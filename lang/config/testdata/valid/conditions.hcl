variable "batch" { default = 2 }
device "chip" {
  max_alloc = "1MiB"
  precondition {
    condition     = var.batch <= 8
    error_message = "never"
  }
  postcondition {
    condition     = self.max_alloc > pool.arena.peak
    error_message = "never"
  }
}
pool "arena" {
  device = device.chip
  postcondition {
    condition     = self.peak <= kib(4) && self.peak == pool.arena.peak
    error_message = "The arena needs ${self.peak}."
  }
}
pool "bank" {
  for_each = { a = 1, b = 2 }
  device   = device.chip
  precondition {
    condition     = each.value < 3
    error_message = "never"
  }
  postcondition {
    condition     = self.peak < each.value * 100
    error_message = "${self.name} needs ${self.peak}."
  }
}
graph "net" {
  source = "net.onnx"
  device = device.chip
  dynamic "precondition" {
    for_each = [1, 2]
    content {
      condition     = precondition.value <= var.batch
      error_message = "never"
    }
  }
  postcondition {
    condition     = self.tensor["x"].offset == 0
    error_message = "x is at ${self.tensor["x"].offset}."
  }
}
output "secret" {
  value     = 1
  sensitive = true
}
