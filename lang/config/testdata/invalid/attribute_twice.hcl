device "d" {
  driver = "host"
  driver = "none" # MP0105: Each argument may be set only once. Remove one of the two.
}
