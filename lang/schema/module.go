package schema

import "github.com/memplan/memplan/lang/addr"

var memplanBlock = Block{
	Type: "memplan", Once: true,
	Doc: "Settings of memplan itself.",
	Example: `memplan {
  required_version = ">= 0.1"
}`,
	Attributes: []Attribute{
		{Name: "required_version", Type: Text, Phase: Constant, Example: `">= 0.1, < 2.0"`,
			Doc: "The versions of memplan that may read this configuration. Other versions refuse it with an error."},
	},
}

var variableBlock = Block{
	Type: "variable", Kind: addr.Variable,
	Label: &Label{Name: "name", Doc: "The name in `var.name`."},
	Doc:   "A value that the user of the configuration may choose. Refer to it as `var.name`.",
	Example: `variable "batch" {
  type        = number
  default     = 1
  description = "Images in one run."

  validation {
    condition     = var.batch >= 1
    error_message = "batch must be positive."
  }
}`,
	Attributes: []Attribute{
		{Name: "type", Type: TypeConstraint, Phase: Constant, Default: "any", Example: "list(string)",
			Doc: "The type that values are converted to: `string`, `number`, `bool`, `list(...)`, `set(...)`, `map(...)`, `tuple([...])`, `object({...})` or `any`. " +
				"Attributes of objects may be `optional(type, default)`. Values from the command line and the environment follow it: those of a `string` are taken as they are."},
		{Name: "default", Type: Any, Phase: Constant, Example: "1",
			Doc: "The value in effect when none is given. Without it, a value is required."},
		{Name: "description", Type: Text, Phase: Constant, Example: `"Images in one run."`, Doc: "What the variable is for."},
		{Name: "nullable", Type: Bool, Phase: Constant, Default: "true", Example: "false",
			Doc: "Whether `null` is a value. When false, `null` stands for the default."},
		{Name: "sensitive", Type: Bool, Phase: Constant, Default: "false", Example: "true",
			Doc: "Whether to hide the value, and what is computed from it, in messages, outputs and checks. An attribute that is planned with shows it in the plan and the lock, with a warning."},
		{Name: "deprecated", Type: Text, Phase: Constant, DefaultDoc: "it is current", Example: `"Use batch_size."`, Doc: "Says that the variable will go and what takes its place: a warning for everyone who gives it a value."},
	},
	Blocks: []Block{{
		Type: "validation",
		Doc:  "A condition that the value must meet.",
		Attributes: []Attribute{
			{Name: "condition", Type: Condition, Required: true, Example: "var.batch >= 1", Doc: "True for the values that are allowed."},
			{Name: "error_message", Type: Text, Required: true, Example: `"batch must be positive."`, Doc: "What to say when the condition is false."},
		},
	}},
}

var localsBlock = Block{
	Type: "locals", Free: true,
	Doc: "Names for values. Refer to them as `local.name`. There may be several such blocks; every name is declared once.",
	Example: `locals {
  arena = "24MiB"
  large = pool.arena.size > mib(16)
}`,
}

var moduleBlock = Block{
	Type: "module", Kind: addr.Module, Free: true,
	Label: &Label{Name: "name", Doc: "The name in `module.name`."},
	Doc: "Makes another configuration a part of this one. Every attribute but `source`, `for_each` and `count` is the value of a variable of the module. `module.name.output` " +
		"is what the module's outputs give: a number, or a whole block, as in `device = module.adreno.device`. The module's devices, pools, rules, graphs, runs and checks join the plan " +
		"after this configuration's own, modules in order of declaration. In the plan they have the module's address before their name: " +
		"`module.adreno.pool.arena` is the address of the pool that is called `module.adreno.arena`. Paths in a module are relative to the module's own directory.",
	Example: `module "adreno" {
  source     = "builtin:adreno"
  arena_size = "24MiB"
}`,
	Attributes: repeated([]Attribute{
		{Name: "source", Type: Text, Required: true, Phase: Constant, Example: `"./devices/phone"`,
			Doc: "Where the module is: a directory or file beginning with `./` or `../`, relative to the directory of this file, or `builtin:NAME` for one of the [builtin modules](builtin-modules.md)."},
	}...),
}

var checkBlock = Block{
	Type: "check", Kind: addr.Check,
	Label: &Label{Name: "name", Doc: "The name in messages."},
	Doc: "Conditions that the finished plan must meet. A condition that is false is an error: nothing is applied and the exit status is 1, " +
		"so that a budget that is exceeded fails the build.",
	Example: `check "budget" {
  assert {
    condition     = pool.arena.peak <= mib(16)
    error_message = "arena peak is ${format_bytes(pool.arena.peak)}"
  }
}`,
	Blocks: []Block{{
		Type: "assert", Required: true,
		Doc: "One condition of the check.",
		Attributes: []Attribute{
			{Name: "condition", Type: Condition, Required: true, Phase: AfterPlanning, Example: "pool.arena.peak <= mib(16)", Doc: "True for the plans that are allowed. May use planned values."},
			{Name: "error_message", Type: Text, Required: true, Phase: AfterPlanning, Example: `"arena peak is ${format_bytes(pool.arena.peak)}"`, Doc: "What to say when the condition is false. May use planned values."},
		},
	}},
}

var outputBlock = Block{
	Type: "output", Kind: addr.Output,
	Label: &Label{Name: "name", Doc: "The name under which `memplan plan` and `memplan apply` show the value, and its key in `outputs` of the summary that `-json` writes."},
	Doc:   "A value to show once the plan is made, for people and scripts.",
	Example: `output "arena_peak" {
  description = "Bytes of working memory."
  value       = pool.arena.peak
}`,
	Attributes: []Attribute{
		{Name: "value", Type: Any, Required: true, Phase: AfterPlanning, Example: "pool.arena.peak", Doc: "The value. May use planned values. What is computed from a sensitive variable is hidden."},
		{Name: "description", Type: Text, Phase: Constant, Example: `"Bytes of working memory."`, Doc: "What the value is."},
		{Name: "sensitive", Type: Bool, Phase: Constant, Default: "false", Example: "true", Doc: "Whether to hide the value in listings. Outside a module, what is computed from it is hidden as well."},
		{Name: "deprecated", Type: Text, Phase: Constant, DefaultDoc: "it is current", Example: `"Use arena_peak."`, Doc: "Says that the output will go and what takes its place: a warning for every configuration that calls the module and uses it."},
	},
}
