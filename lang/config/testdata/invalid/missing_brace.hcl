device "d" { # MP0101: Unclosed configuration block
  driver = "host"

pool "p" {
  device = device.d
}
