device "d" {}
graph "g" {
  source = null # MP0121: "source" is required and its value is null. Give it a value, as in source = "models/detector.onnx".
  device = device.d
}
