device "d" {
  driver = "host"
  driver = "none" # MP0105: is set twice in this block. Remove one of the two.
}
