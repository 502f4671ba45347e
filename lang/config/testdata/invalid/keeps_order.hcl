device "gpu" {
  driver      = "opencl"
  keeps_order = true # MP0230: Device "gpu" has the driver "opencl", whose kernels are memplan's own
}
device "cpu" {
  keeps_order = false # MP0230: Device "cpu" has the driver "host"
}
