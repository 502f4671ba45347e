device "chip" {
  precondition {
    condition     = 1 > 2 # MP0240: device.chip: one is not more than two
    error_message = "one is not more than two."
  }
  precondition {
    condition     = "maybe" # MP0120: "condition" takes true or false, not a string.
    error_message = "m."
  }
  precondition { # MP0104: A "precondition" block needs "error_message".
    condition = true
  }
  postcondition {
    condition     = self.peak > 1 # MP0126: self has no field "peak".
    error_message = "m."
  }
}
pool "arena" {
  for_each = { a = 1 }
  device   = device.chip
  precondition {
    condition     = each.value > 1 # MP0240: pool.arena["a"]: no.
    error_message = "no."
  }
  precondition {
    condition     = pool.bank.peak > 1 # MP0128: depends on pool.bank.peak
    error_message = "no."
  }
  precondition {
    condition     = self.peak > 1 # MP0125: Nothing is called "self" here: it is there in a postcondition.
    error_message = "no."
  }
  postcondition {
    condition     = [self.peak] # MP0120: takes true or false, not a list.
    error_message = "no."
  }
}
pool "bank" { device = device.chip }
scope_rule "r" {
  pools = [pool.bank]
  precondition {} # MP0102: There is no block "precondition" in a "scope_rule" block.
}
