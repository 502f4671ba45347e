device "d" {
  driver = "host # MP0101: no closing quote
}

pool "p" {
  device = device.d
  size   = "64KiB"
}
