device "d" {
  driver         = 5 # MP0120: "driver" takes a string, not a number. Write it as in driver = "opencl".
  base_alignment = true # MP0120: "base_alignment" takes a size
  max_alloc      = ["1GiB"] # MP0120: not a list
  image2d {
    max_width   = "wide" # MP0120: "max_width" takes a whole number, not a string
    max_height  = {} # MP0120: not an object
    from_buffer = "maybe" # MP0120: takes true or false
  }
}
pool "p" {
  device = device.d
  holds  = [1] # MP0120: takes a list of strings, not a number
}
graph "g" {
  source = ["a"] # MP0120: "source" takes a string, not a list
  device = device.d
  dims   = [1] # MP0120: takes a map of dimensions
  keep   = [null] # MP0120: not null
}
graph "h" {
  source = "h.onnx"
  device = device.d
  dims = {
    A = "many" # MP0120: Dimension "A" takes a whole number or { max = number }, not a string.
    B = { min = 1 } # MP0120: not an object
    C = 0 # MP0204: Dimension "C" must be a whole number of 1 or more.
    D = 1.5 # MP0204: Dimension "D"
    E = { max = -1 } # MP0204: Dimension "E"
    F = null # MP0120: not null
  }
}
run "r" {
  graph = graph.g
  expect "x" {
    npy  = "x.npy"
    atol = "some" # MP0120: takes a number
    rtol = -1 # MP0204: is negative
  }
}
scope_rule "s" {
  scope     = "global"
  condition = tensor.bytes # MP0120: "condition" takes true or false, not a number.
}
scope_rule "t" {
  scope     = "global"
  condition = null # MP0120: not null
}
check "c" {
  assert {
    condition     = pool.p.peak # MP0120: takes true or false
    error_message = "m"
  }
  assert {
    condition     = null # MP0121: Give it a value, as in condition = pool.arena.peak <= mib(16).
    error_message = [] # MP0120: takes a string
  }
}
variable "v" {
  default     = 1
  description = 7 # MP0120: "description" takes a string
  validation {
    condition     = "perhaps" # MP0120: takes true or false
    error_message = "m"
  }
}
