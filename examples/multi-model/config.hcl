# A backbone whose features feed two heads. The heads may run at the same time; the backbone runs before both.

variable "heads" {
  description = "The heads, and the file of each."
  type        = map(string)
  default     = { boxes = "boxes.json", classes = "classes.json" }
}

device "board" {
  base_alignment = 64
}

pool "arena" {
  device = device.board
  size   = "24KiB"

  postcondition {
    condition     = self.peak <= kib(20)
    error_message = "The arena needs ${format_bytes(self.peak)}, and the other firmware leaves 20 KiB."
  }
}

pool "flash" {
  device = device.board
  holds  = ["constant"]
}

graph "backbone" {
  source = "backbone.json"
  device = device.board
}

graph "head" {
  for_each = var.heads
  source   = each.value
  device   = device.board
  input "features" { # the backbone's output, in the same bytes
    graph  = graph.backbone
    output = "features"
  }
}

planner {
  concurrent = values(graph.head) # never in each other's bytes
}

run "detect" {
  for_each = graph.head
  graph    = each.value
  input "image" {
    graph       = graph.backbone
    random_seed = 7
  }
}

output "arena" { value = pool.arena.peak }
output "features_at" { value = { for name, head in graph.head : name => head.tensor["features"].offset } }
