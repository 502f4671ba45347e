device "d" {}
variable "secret" {
  default   = { a = 1 }
  sensitive = true
}
variable "count" { default = 1 } # MP0107: "count" is reserved
pool "list" {
  for_each = ["a", "b"] # MP0160: it is a list, whose elements have no keys: write toset(...) around a list of strings, or use count.
  device   = device.d
}
pool "text" {
  for_each = "a" # MP0160: it is a string: give it a map, an object or a set of strings.
  device   = device.d
}
pool "null" {
  for_each = null # MP0160: it is null
  device   = device.d
}
pool "numbers" {
  for_each = toset([1, 2]) # MP0160: it is a set of numbers
  device   = device.d
}
pool "nulls" {
  for_each = toset(["a", null]) # MP0160: the set has a null in it
  device   = device.d
}
pool "secret" {
  for_each = var.secret # MP0160: it is sensitive, and keys are shown in addresses
  device   = device.d
}
pool "planned" {
  for_each = toset([pool.arena.optimality]) # MP0160: the keys are known only after planning, with pool.arena.optimality: give it
  device   = device.d
}
pool "half" {
  count  = 1.5 # MP0161: it must be a whole number from 0 to 10000.
  device = device.d
}
pool "negative" {
  count  = -1 # MP0161: it must be a whole number from 0
  device = device.d
}
pool "many" {
  count  = 10001 # MP0161: to 10000
  device = device.d
}
pool "words" {
  count  = "two" # MP0161: it is a string: give it a whole number.
  device = device.d
}
pool "later" {
  count  = pool.arena.peak # MP0161: known only after planning, with pool.arena.peak
  device = device.d
}
pool "hidden" {
  count  = length(var.secret) # MP0161: it is sensitive
  device = device.d
}
pool "both" {
  for_each = { a = 1 }
  count    = 1 # MP0162: The pool "both" has both for_each and count.
  device   = device.d
}
pool "bad" {
  for_each = { a = nope.x } # MP0125: Nothing is called "nope" here.
  device   = device.d
}
pool "arena" { device = device.d }
pool "key" {
  for_each = { a = 1, b = 2 }
  device   = device.d
  size     = count.index # MP0125: it is there in a block that has count
}
pool "number" {
  count  = 2
  device = device.d
  size   = each.key # MP0125: it is there in a block that has for_each
}
pool "after" {
  count     = 2
  device    = device.d
  alignment = count.number # MP0126: count has no field "number". Use one of index.
}
pool "round" {
  for_each = { a = pool.round["a"].size } # MP0127: pool.round -> pool.round
  device   = device.d
}
locals {
  a = pool.key.size # MP0163: pool.key has for_each, so that "size" belongs to one instance of it. Write it as in pool.key["KEY"].size.
  b = pool.number.size # MP0163: pool.number has count, so that an instance of it has a number. Write it as in pool.number[0]
  c = pool.key[0].size # MP0163: has a key in quotes
  d = pool.number["a"].size # MP0163: has a number
  e = pool.arena[0].size # MP0163: pool.arena is one block, without count. Remove the index.
  f = pool.key["c"].size # MP0164: pool.key has no instance ["c"]. There are ["a"] and ["b"].
  g = pool.number[2].size # MP0164: pool.number has no instance [2].
  h = try(pool.key["c"].size, 0)
  i = pool.key["a"].sise # MP0126: Did you mean "size"?
  j = pool.number[7 - 1].size # MP0123: no element with this key
}
graph "g" {
  source = "g.onnx"
  device = device.d
  place "x" { pool = pool.key } # MP0163: "pool" takes one pool, and this is all instances of pool.key. Write it as in pool.key["KEY"].
  place "y" { pool = pool.number } # MP0163: Write it as in pool.number[0].
  place "z" { pool = pool.key["c"] } # MP0164: has no instance
}
scope_rule "r" {
  pools = [pool.key["a"], pool.number[*]] # MP0163: "pools" takes one pool, and this is all instances of pool.number.
}
module "phone" {
  source   = "../modules/phone"
  for_each = { a = 1 }
  width    = 1024
  wide     = 1 # MP0156: has no variable "wide"
}
output "m" { value = module.phone.device } # MP0163: Write it as in module.phone["KEY"].device.
output "n" { value = module.phone["a"].devise } # MP0126: Did you mean "device"?
output "o" { value = module.phone["b"].device } # MP0164: module.phone has no instance ["b"].
