package schema

// conditions are the blocks with which a device, a pool or a graph says what it counts on.
var conditions = []Block{
	{
		Type: "precondition",
		Doc:  "What must hold before anything is planned. A condition that is false is an error.",
		Attributes: []Attribute{
			{Name: "condition", Type: Condition, Required: true, Example: "var.batch <= 8", Doc: "True where the block can be used. It sees what the other attributes of the block see."},
			{Name: "error_message", Type: Text, Required: true, Example: `"The arena holds a batch of 8 at most."`, Doc: "What to say when the condition is false."},
		},
	},
	{
		Type: "postcondition",
		Doc:  "What must hold for the plan that was made. A condition that is false is an error, and nothing is applied.",
		Attributes: []Attribute{
			{Name: "condition", Type: Condition, Required: true, Phase: AfterPlanning, Example: "self.peak <= mib(16)", Doc: "True for the plans that are allowed. May use planned values; `self` is the block itself."},
			{Name: "error_message", Type: Text, Required: true, Phase: AfterPlanning, Example: `"The arena needs ${format_bytes(self.peak)}."`, Doc: "What to say when the condition is false. May use planned values."},
		},
	},
}

// withConditions adds the blocks precondition and postcondition to those that a block takes.
func withConditions(blocks ...Block) []Block { return append(blocks, conditions...) }
