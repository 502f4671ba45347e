device "d" {
  driver = # MP0101: A value belongs here, where the line ends.
}
