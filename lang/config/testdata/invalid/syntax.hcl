device "d" {
  driver = 'host' # MP0101: A text does not stand in single quotes.
  max_alloc = 1 & 2 # MP0101: There are no operators on bits. Did you mean "&&"?
}
pool "p" {
  device = pool. # MP0101: The name of an attribute belongs after a dot
}
