# Where every tensor of a small classifier lives. README.md walks through it.

variable "arena" {
  type        = string
  default     = "96KiB"
  description = "What the network may have for its activations."
}

variable "views" {
  type        = list(string)
  default     = ["reshape"]
  description = "Which results may share the bytes of what they are made of."
}

device "cpu" {
  driver         = "none" # planned only; "host" and "opencl" run graphs
  base_alignment = 64
}

pool "arena" {
  device = device.cpu
  size   = var.arena # a hard cap: a plan that does not fit fails
}

pool "weights" {
  device = device.cpu
  holds  = ["constant"]
}

graph "classifier" {
  source = "classifier.json"
  device = device.cpu
}

planner {
  views = var.views
}

check "budget" {
  assert {
    condition     = pool.arena.peak <= kib(80)
    error_message = "the arena needs ${format_bytes(pool.arena.peak)}, and 80 KiB were agreed on"
  }
}

output "arena_peak" {
  description = "Bytes of working memory that the classifier needs."
  value       = pool.arena.peak
}
