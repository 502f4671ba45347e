device "d" { # MP0101: no closing brace
  driver = "host"

pool "p" {
  device = device.d
}
