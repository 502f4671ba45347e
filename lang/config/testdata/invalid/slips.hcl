device "gpu" {}
device "many" { for_each = { a = 1 } }
pool "arena" { device = pool.arena } # MP0130: "device" takes a reference to a device, and pool.arena is a pool. Write it as in device = device.gpu.
pool "one" { device = pool.two } # MP0130: Write it as in device = device.gpu.
pool "two" { device = pool.one } # MP0130: and pool.one is a pool
graph "g" { # MP0104: A "graph" block needs "device". Add it, as in device = device.gpu.
  source = "net.json"
  place "y" {} # MP0104: Add it, as in pool = pool.arena.
}
place "logits" { pool = pool.arena } # MP0102: It belongs in a "graph" block: move it there.
input "image" {} # MP0102: It belongs in a "graph" block or a "run" block: move it there.
terraform {} # MP0102: Did you mean "memplan"?
provider "opencl" {} # MP0102: Did you mean "device"?
variable "n" {
  type = "number" # MP0140: The type "number" stands in quotes. Write type = number, without them.
}
variable "l" {
  type = "list(string)" # MP0140: Write type = list(string), without them.
}
variable "o" {
  type = "sting" # MP0140: Write a type such as
}
locals {
  now    = timestamp() # MP0129: The same configuration gives the same plan, whenever it is made.
  home   = pathexpand("~/models") # MP0129: seen from path.module
  subnet = cidrsubnet("10.0.0.0/8", 8, 1) # MP0129: Remove the call.
}
variable "parts" {
  type    = object({ sizes = list(number) })
  default = { sizes = [1, "x"] } # MP0141: .sizes[1]: a number is required
}
resource "pool" "p" {} # MP0102: Declare pools for them.
data "http" "x" {} # MP0102: Nothing is looked up.
pool "dependent" {
  device     = device.gpu
  depends_on = [pool.one] # MP0103: known from its references
  lifecycle {} # MP0102: Write precondition and postcondition in the block itself.
}
