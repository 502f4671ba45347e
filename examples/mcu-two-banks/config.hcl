# A microcontroller with two banks of SRAM that follow each other in the address space, as on parts whose tightly coupled
# memory ends where the system's begins: 512 KiB that are fast at 0x20000000, then 2 MiB that are not. What is small
# and hot shall lie in the fast bank; weights stay in flash. The runtime is TensorFlow Lite Micro.

device "mcu" {
  driver         = "none" # plan only
  base_alignment = 16     # what the runtime gives every tensor
}

pool "dtcm" {
  device = device.mcu
  size   = "512KiB"
}

pool "sram" {
  device = device.mcu
  size   = "2MiB"
}

pool "flash" {
  device = device.mcu
  size   = "4MiB"
  holds  = ["constant"]
}

scope_rule "hot" {
  match {
    role = ["activation", "output"]
  }
  condition = tensor.bytes <= kib(200)
  pools     = [pool.dtcm, pool.sram] # first fit wins; what spills is recorded
}

scope_rule "rest" {
  match {
    role = ["input", "activation", "output"]
  }
  pools = [pool.sram]
}

graph "face" {
  source = "../../testdata/models/face_detection_short_range.tflite"
  device = device.mcu
}

planner {
  order   = "source"    # the runtime runs the operators in the order of the file,
  views   = ["reshape"] # knows no other views,
  rewrite = []          # and decompresses the weights itself
}

# The copy of the model that goes into flash: the runtime finds the offsets in it. Its arena is both banks.
export "model" {
  graph  = graph.face
  format = "tflm-offline"
  path   = "out/face_planned.tflite"
  arena  = [pool.dtcm, pool.sram]
}

# What the program needs to know: how large the banks have to be, and where input and outputs lie.
export "header" {
  graph  = graph.face
  format = "c-header"
  path   = "out/face_memory.h"
  prefix = "face"
}

check "banks" {
  assert {
    condition     = pool.dtcm.peak <= pool.dtcm.capacity && pool.sram.peak <= mib(2)
    error_message = "The banks are too small: ${format_bytes(pool.dtcm.peak)} and ${format_bytes(pool.sram.peak)}."
  }
}

output "banks" {
  value = {
    dtcm = pool.dtcm.peak
    sram = pool.sram.peak
  }
}
