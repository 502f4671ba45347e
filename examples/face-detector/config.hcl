# A face detector on the embedded host device: where does each tensor live, does it fit, and are the results right?

device "cpu" {
  driver         = "host"
  base_alignment = 128
}

pool "arena" {
  device = device.cpu
  size   = "2MiB" # a hard cap: the plan fails when the tensors do not fit
}

pool "weights" {
  device = device.cpu
  holds  = ["constant"]
}

graph "detector" {
  source = "../../testdata/models/face_detection_short_range.tflite"
  device = device.cpu
}

run "reference" {
  graph = graph.detector

  input "input" {
    npy = "input.npy"
  }

  # Recorded from the TensorFlow Lite interpreter on the same input.
  expect "regressors" {
    npy  = "regressors.npy"
    atol = 0.05
    rtol = 0.001
  }
  expect "classificators" {
    npy  = "classificators.npy"
    atol = 0.05
    rtol = 0.001
  }
}

check "budget" {
  assert {
    condition     = pool.arena.peak <= mib(1.5)
    error_message = "The arena needs ${format_bytes(pool.arena.peak)}, the budget is 1.5 MiB."
  }
}

output "arena_peak" {
  description = "Bytes of working memory that the detector needs."
  value       = pool.arena.peak
}
