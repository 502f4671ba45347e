device "a" { base_alignment = 96 } # MP0203: "base_alignment" is 96, which is not a power of two. Write 64 or 128.
device "b" { base_alignment = 0 } # MP0203: Write 1 or more.
device "c" { max_alloc = 0 } # MP0204: must be 1 or more
device "d" {
  image2d {
    max_width       = 0 # MP0204: must be 1 or more
    max_height      = 1.5 # MP0204: takes a whole number from 1
    pitch_alignment = 48 # MP0203: Write 32 or 64.
    max_layers      = -2 # MP0204: must be 1 or more
  }
}
pool "p" {
  device    = device.a
  alignment = 100 # MP0203: Write 64 or 128.
}
graph "g" {
  source = "g.onnx"
  device = device.a
}
run "r" {
  graph = graph.g
  input "x" { random_seed = -1 } # MP0204: must be 0 or more
}
