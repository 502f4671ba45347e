device "d" {
  driver = # MP0101: Expected the start of an expression
}
