device "d" { driver = lowr("HOST") } # MP0129: There is no function named "lowr". Did you mean "lower"?
locals {
  a = frobnicate(1) # MP0129: The language reference lists the functions.
  b = parseint("x", 10) # MP0123: cannot parse "x" as a base 10 integer
  c = 1 + "x" # MP0123: cannot take what stands to its right: a number is required
  d = local.b # the fault above is reported once
  e = [1, 2][7] # MP0123: no element with this key
  f = mib(0.3) # MP0123: not a whole number of bytes
  g = file("no-such-file.txt") # MP0123: there is no file "no-such-file.txt"
  h = file("/etc/hostname") # MP0123: relative to the configuration
  i = { for k in ["a", "a"] : k => 1 } # MP0123: have the key "a"
}
pool "p" {
  device = device.d
  size   = local.d
}
scope_rule "s" {
  scope     = "global"
  condition = tensor.shape > 1 # MP0123: cannot take what stands to its left
}
check "c" {
  assert {
    condition     = 1 / 0 # MP0131: division by zero
    error_message = "m"
  }
}
