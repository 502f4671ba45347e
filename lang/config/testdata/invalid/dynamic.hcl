device "d" {}
pool "p" { device = device.d }
device "none" {
  dynamic "image3d" { # MP0102: There is no block "image3d" in a "device" block. Did you mean "image2d"?
    for_each = []
    content {}
  }
  dynamic "image2d" { # MP0104: A "dynamic" block needs "for_each".
    content {
      max_width  = 1
      max_height = 1
    }
  }
  dynamic "capability" { # MP0109: needs a block of type "content"
    for_each = []
  }
  dynamic "capability" {
    for_each = ["Conv"]
    iterator = "x" # MP0165: The iterator of a dynamic block is a name, without quotes.
    content { op = [x.value] }
  }
  dynamic "capability" {
    for_each = 7 # MP0165: it is a number
    content { op = ["Conv"] }
  }
  dynamic "capability" {
    for_each = ["Conv"]
    labels   = ["a"] # MP0165: A block of type "capability" has no label. Remove "labels".
    content { op = ["Conv"] }
  }
  dynamic "capability" {
    for_each = ["Conv"]
    contend { op = ["Conv"] } # MP0102: Did you mean "content"?
    content { ops = ["Conv"] } # MP0103: Did you mean "op"?
  }
  dynamic "capability" {
    for_each = ["Conv"]
    content { op = [capability.valu] } # MP0126: capability has no field "valu". Did you mean "value"?
  }
  dynamic { # MP0106: A dynamic block takes one label, the type of the blocks to make.
    for_each = []
  }
}
device "two" {
  dynamic "image2d" { # MP0108: There may be one "image2d" block here.
    for_each = [1, 2]
    content {
      max_width  = image2d.value
      max_height = image2d.value
    }
  }
}
graph "g" {
  source = "g.onnx"
  device = device.d
  dynamic "place" { # MP0165: A block of type "place" has a label, its tensor. Add labels = [...] with one element, as in labels = [place.key].
    for_each = []
    content { pool = pool.p }
  }
  dynamic "place" {
    for_each = { a = 1 }
    labels   = [place.key, place.value] # MP0165: A block of type "place" has one label, a string.
    content { pool = pool.p }
  }
  dynamic "place" {
    for_each = { a = 1 }
    labels   = [pool.p.optimality] # MP0165: The label is known only after planning.
    content { pool = pool.p }
  }
  dynamic "place" {
    for_each = ["x", "x"]
    labels   = [place.value] # MP0201: There is already a block place "x" here.
    content { pool = pool.p }
  }
}
check "empty" { # MP0109: needs a block of type "assert"
  dynamic "assert" {
    for_each = []
    content {
      condition     = true
      error_message = ""
    }
  }
}
variable "v" {
  default = 1
  dynamic "validation" {} # MP0102: There is no block "dynamic" in a "variable" block.
}
