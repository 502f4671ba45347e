device "gpu" { driver = "opencl" }
device "npu" { driver = "none" }
device "host" {}
pool "arena" { device = device.gpu }
pool "sram" { device = device.npu }
pool "ram" { device = device.host }
graph "a" {
  source = "a.json"
  device = device.gpu
}
graph "b" {
  source = "b.json"
  device = device.gpu
}
graph "c" {
  source = "c.json"
  device = device.npu
}
graph "d" {
  source = "d.json"
  device = device.host
}
planner {
  views = ["reshape", "diagonal"] # MP0228: device "gpu" # MP0228: device "npu"
}
