planner {}
planner {} # MP0108: There may be one "planner" block here. Merge the two.
memplan {}
memplan {} # MP0108: "memplan"

device "d" {
  image2d { # MP0104: needs "max_height"
    max_width = 1
  }
  image2d { # MP0108: "image2d"
    max_width  = 1
    max_height = 1
  }
}
pool "p" {} # MP0104: A "pool" block needs "device". Add it, as in device = device.d.
check "c" {} # MP0109: Add assert { ... }.
check "e" {
  assert { # MP0104: needs "error_message"
    condition = true
  }
}
output "o" {} # MP0104: needs "value"
run "r" { # MP0104: needs "graph"
  expect "x" {} # MP0104: needs "npy"
}
variable "v" {
  default = 1
  validation {} # MP0104: needs "condition" # MP0104: needs "error_message"
}
scope_rule "s" {
  scope = "global"
  match {}
  match {} # MP0108: "match"
}
