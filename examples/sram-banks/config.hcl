# A small int8 network on a microcontroller with two SRAM banks: a fast one that is small and a slow one that is not.
# Small hot tensors go to the fast bank as long as it has room, the rest to the slow one; weights stay in flash.

device "mcu" {
  driver         = "none" # plan only
  base_alignment = 16
}

pool "dtcm" {
  device = device.mcu
  size   = "48KiB"
}

pool "ocram" {
  device = device.mcu
  size   = "96KiB"
}

pool "flash" {
  device = device.mcu
  size   = "512KiB"
  holds  = ["constant"]
}

scope_rule "hot_to_dtcm" {
  match {
    role = ["activation", "output", "scratch"]
  }
  condition = tensor.bytes <= kib(40)
  pools     = [pool.dtcm, pool.ocram] # first fit wins; what spills is recorded
}

graph "keyword" {
  source = "keyword.json"
  device = device.mcu

  # The microphone driver fills this address.
  place "audio" {
    pool   = pool.ocram
    offset = 0
  }
}

check "fast_bank" {
  assert {
    condition     = pool.dtcm.peak <= pool.dtcm.capacity
    error_message = "The fast bank is too small."
  }
}

output "banks" {
  value = {
    dtcm  = pool.dtcm.peak
    ocram = pool.ocram.peak
  }
}
