locals {
  big = 1e1000000000 # MP0117: exponent beyond 1000
}
