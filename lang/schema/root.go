package schema

// root is the file itself: a block without a type. The table is data and is never written to.
var root = Block{
	Doc: "A configuration file.",
	Blocks: []Block{
		memplanBlock, variableBlock, localsBlock, moduleBlock, deviceBlock, poolBlock, scopeRuleBlock, graphBlock, plannerBlock, runBlock,
		exportBlock, checkBlock, outputBlock, movedBlock,
	},
}

// Root returns the schema of a file. It must not be changed.
func Root() *Block { return &root }
