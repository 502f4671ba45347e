config = "config.hcl"

run "a_batch_of_two_still_fits_the_chip" {
  variables { batch = 2 }
  expect_failures = [check.budget] # it is over the budget, and no more than that
  assert {
    condition     = pool.sram.peak <= pool.sram.capacity
    error_message = "needs ${format_bytes(pool.sram.peak)}"
  }
}

run "the_smaller_chip_is_refused" {
  pool "sram" { size = "32KiB" }
  expect_failures = [pool.sram]
}
