package schema

// OverrideTypes are the blocks of a configuration that a run of a test file may override in part.
var OverrideTypes = []string{"device", "pool", "graph", "planner"}

// TestFile is the root of the blocks of test files, *.memplantest.hcl. A run takes blocks of OverrideTypes as well, which hold
// what the blocks of the configuration do.
func TestFile() *Block { return &testFile }

var testVariables = Block{
	Type: "variables", Once: true, Free: true,
	Doc:     "Values of the configuration's variables. Those of a run replace those of the file, and those replace what the command line gives.",
	Example: "variables {\n  batch = 4\n}",
}

var testFile = Block{
	Doc: "A file with tests of a configuration: runs plan it, each under its own circumstances, and assert what the plan must be like.",
	Attributes: []Attribute{
		{Name: "config", Type: Text, Phase: Constant, Example: `"../net.hcl"`, DefaultDoc: "the configuration of the directory, or of the one above a directory `tests`",
			Doc: "The configuration that is tested, a file or a directory, relative to this file."},
	},
	Blocks: []Block{testVariables, {
		Type: "run", Label: &Label{Name: "name", Doc: "The name in reports."},
		Doc: "Plans the configuration once. Blocks `device`, `pool`, `graph` and `planner` in it change or add attributes of the configuration's blocks of the same name; a block of a module has the name that plans give it, as in `pool \"module.phone.arena\"`, and is changed in all instances of the module.",
		Example: `run "fits_a_small_device" {
  variables { batch = 1 }
  device "gpu" { max_alloc = "64MiB" }
  assert {
    condition     = pool.arena.peak <= mib(16)
    error_message = "arena peak is ${format_bytes(pool.arena.peak)}"
  }
}`,
		Attributes: []Attribute{
			{Name: "expect_failures", Type: References, Example: `[check.budget, "MP0575"]`, DefaultDoc: "none",
				Doc: "What must fail for the run to pass: blocks that a diagnostic is about, as `check.budget`, `var.batch` or `pool.arena`, or ids of diagnostics. Other errors still fail the run."},
		},
		Blocks: []Block{testVariables, {
			Type: "assert", Doc: "What must hold for the plan.",
			Attributes: []Attribute{
				{Name: "condition", Type: Condition, Required: true, Phase: AfterPlanning, Example: "pool.arena.peak <= mib(16)",
					Doc: "True when all is well. Sees what an output sees, and `output.NAME`."},
				{Name: "error_message", Type: Text, Required: true, Phase: AfterPlanning, Example: `"arena peak is ${pool.arena.peak}"`, Doc: "What to say when it is not."},
			},
		}},
	}},
}
