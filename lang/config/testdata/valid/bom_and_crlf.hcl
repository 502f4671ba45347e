device "d" {}

output "é" {
  value = "日本"
}
