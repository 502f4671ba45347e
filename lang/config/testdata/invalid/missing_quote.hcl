device "d" {
  driver = "host # MP0101: Invalid multi-line string
}

pool "p" {
  device = device.d
  size   = "64KiB"
}
