# Every form of a size; null is the same as leaving the attribute out.

device "d" { max_alloc = 1e3 }

pool "number" {
  device = device.d
  size   = 64
}
pool "text" {
  device = device.d
  size   = "64"
}
pool "binary" {
  device = device.d
  size   = "1.5KiB"
}
pool "decimal" {
  device = device.d
  size   = "1.5kB"
}
pool "largest" {
  device = device.d
  size   = 9223372036854775807
}
pool "function" {
  device = device.d
  size   = mib(1.5)
}
pool "unlimited" {
  device = device.d
  size   = null
}
