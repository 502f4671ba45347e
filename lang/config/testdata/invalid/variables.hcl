variable "required" {} # MP0142: Set it with -var required=VALUE
variable "type" { type = strng } # MP0140: Write a type such as list(string).
variable "default" {
  type    = number
  default = "many" # MP0141: The default of "default" cannot be a number
}
variable "null" {
  nullable = false
  default  = null # MP0141: is null, and the variable is not nullable
}
variable "validated" {
  default = 0
  validation {
    condition     = var.validated >= 1 # MP0146: It must be positive, not 0.
    error_message = "It must be positive, not ${var.validated}."
  }
}
