device "d" {}
device "d" {} # MP0201: There is already a device named "d". Rename one of the two.
pool "p" { device = device.d }
pool "p" { device = device.d } # MP0201: pool named "p"
variable "v" { default = 1 }
variable "v" { default = 2 } # MP0201: variable named "v"
locals { x = 1 }
locals { x = 2 } # MP0105: The local value "x" is declared already.
graph "g" {
  source = "g.onnx"
  device = device.d
  place "x" { pool = pool.p }
  place "x" { pool = pool.p } # MP0201: There is already a block place "x" here. Merge the two.
}
export "a" {
  graph  = graph.g
  format = "tvm"
  path   = "out/g.json"
}
export "b" { # MP0226: The export "b" writes "out/./g.json", and so does the export "a". Give one of them another path.
  graph  = graph.g
  format = "tvm"
  path   = "out/./g.json"
}
run "r" {
  graph = graph.g
  input "i" { random_seed = 1 }
  input "i" { npy = "i.npy" } # MP0201: input "i"
}
