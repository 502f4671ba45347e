device {} # MP0106: Write device "NAME" {.
device "a" "b" {} # MP0106: Remove "b".
planner "x" {} # MP0106: takes no label. Write planner { without it.
locals "y" {} # MP0106: takes no label
device "2 d" {} # MP0107: Write "_2_d".
device "" {} # MP0107: The name is empty.
variable "a.b" { default = 1 } # MP0107: Write "a_b".
graph "g" { # MP0104: Add it, as in source = "models/detector.onnx".
  device = device.a
  place "" { pool = null } # MP0107: The tensor is empty.
  place "t" { pool = null } # MP0130: takes a reference to a pool, not null
}
