device "d" {}
pool "kb" {
  device = device.d
  size   = "64KB" # MP0122: Write "64KiB" (65536 bytes) or "64kB" (64000 bytes).
}
pool "case" {
  device = device.d
  size   = "64kib" # MP0122: Write "64KiB"
}
pool "unknown" {
  device = device.d
  size   = "64Q" # MP0122: Use one of B, KiB, MiB, GiB, kB, MB, GB.
}
pool "negative" {
  device = device.d
  size   = -1 # MP0122: -1 is negative.
}
pool "negative_text" {
  device = device.d
  size   = "-1KiB" # MP0122: negative
}
pool "fraction" {
  device = device.d
  size   = "1.3KiB" # MP0122: 1331 or 1332
}
pool "half" {
  device = device.d
  size   = 0.5 # MP0122: 0 or 1
}
pool "overflow" {
  device = device.d
  size   = 9223372036854775808 # MP0122: more than the largest size
}
pool "overflow_text" {
  device = device.d
  size   = "8589934592GiB" # MP0122: more than the largest size
}
pool "nonsense" {
  device = device.d
  size   = "big" # MP0122: is not a size
}
pool "empty" {
  device = device.d
  size   = "" # MP0122: is not a size
}
pool "local" {
  device = device.d
  size   = local.kb # MP0122: "2KB"
}
locals { kb = "2KB" }
graph "g" {
  source = "g.onnx"
  device = device.d
  place "x" {
    pool   = pool.local
    offset = -64 # MP0122: -64 is negative. Give 0 bytes or more.
  }
}
