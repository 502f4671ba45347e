variable "size" {
  default    = 1
  deprecated = "use bytes."
}
output "size" {
  value      = var.size
  deprecated = "use bytes."
}
