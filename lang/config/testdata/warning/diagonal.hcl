device "gpu" { driver = "opencl" }
device "npu" { driver = "none" }
device "dsp" {
  driver      = "none"
  keeps_order = true
}
device "host" {}
pool "arena" { device = device.gpu }
pool "sram" { device = device.npu }
pool "tcm" { device = device.dsp }
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
graph "e" {
  source = "e.json"
  device = device.dsp
}
planner {
  views = ["reshape", "diagonal"] # MP0228: device "gpu" # MP0228: device "npu"
}
