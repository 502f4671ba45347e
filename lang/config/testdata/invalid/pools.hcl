device "plain" {}
device "gpu" {
  image2d {
    max_width  = 100
    max_height = 100
  }
}
pool "texture" {
  device = device.plain
  type   = "texture" # MP0205: device "plain" has no image2d block. Add one
}
pool "images" {
  device = device.gpu
  images = true # MP0216: device "gpu" has no image2d block with from_buffer = true
}
pool "good" {
  device = device.gpu
  type   = "texture"
}
pool "flat" {
  device = device.gpu
  size   = "1KiB"
}
pool "other" { device = device.plain }

scope_rule "nothing" {} # MP0210: gives neither a scope nor pools nor an element type to store. Add one of them.
scope_rule "glob" {
  match { tensor = ["ok/*", "bad[", "{a,b"] } # MP0207: "bad[" is not a pattern # MP0207: "{a,b"
  scope = "global"
}
scope_rule "suits" {
  scope = "" # the same as "global"
  pools = [pool.flat, pool.good] # MP0211: pool "good" is of type "texture"
}
graph "g" {
  source = "g.onnx"
  device = device.gpu
  place "device" { pool = pool.other } # MP0212: Choose a pool of "gpu".
  place "aligned" {
    pool   = pool.flat
    offset = 100 # MP0213: Write 64 or 128.
  }
  place "beyond" {
    pool   = pool.flat
    offset = "1KiB" # MP0214: which has 1024 bytes
  }
  place "texture" {
    pool   = pool.good
    offset = 0 # MP0215: Leave offset out
  }
}
run "r" {
  graph = graph.g
  input "none" {} # MP0217: has neither npy nor random_seed
  input "both" { # MP0217: has both npy and random_seed
    npy         = "x.npy"
    random_seed = 1
  }
}
