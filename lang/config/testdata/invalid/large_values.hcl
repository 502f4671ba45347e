locals {
  j = replace(join("", range(1000)), "/[0-9]/", join("", [for i in range(9) : join("", range(1000))])) # MP0123: bytes of text
  k = [for i in range(1000) : range(200)] # MP0131: more than 100000 elements
  l = 1e900 * 1e900 * 1e900 * 1e900 * 1e900 * 1e900 # MP0131: binary digits
}
