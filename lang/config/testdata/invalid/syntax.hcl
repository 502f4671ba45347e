device "d" {
  driver = 'host' # MP0101: Single quotes are not valid
  max_alloc = 1 & 2 # MP0101: Bitwise operators are not supported
}
pool "p" {
  device = pool. # MP0101: Invalid attribute name
}
