# What must stay true of the configuration, whatever becomes of it. "memplan test" runs it.

config = "config.hcl"

run "fits_where_it_was_meant_to" {
  assert {
    condition     = output.arena_peak == pool.arena.bound
    error_message = "the plan wastes ${pool.arena.peak - pool.arena.bound} bytes"
  }
}

run "does_not_fit_half_of_it" {
  variables { arena = "48KiB" }
  expect_failures = [pool.arena]
}

run "a_coarser_alignment_costs_little" {
  device "cpu" { base_alignment = 4096 }
  assert {
    condition     = pool.arena.peak <= kib(96)
    error_message = "the arena needs ${format_bytes(pool.arena.peak)}"
  }
}
