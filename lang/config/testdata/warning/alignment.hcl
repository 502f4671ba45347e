device "d" { base_alignment = 128 }
pool "p" {
  device    = device.d
  alignment = 16 # MP0206: The alignment of "p" is 16 bytes, and device "d" has a base_alignment of 128.
}
