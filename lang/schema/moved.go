package schema

var movedBlock = Block{
	Type: "moved",
	Doc: "Says that something has another address now. What the lock has under the old address then counts as standing under the new one: tensors stay where they are, and " +
		"the plan shows no change for them. Moves may follow one another, and may lead across the keys of instances and into modules; those of a module are relative to it. " +
		"Adding `count` to a block, or removing it, moves the block to its first instance, or back, by itself. Remove the block once every lock has been written anew.",
	Example: `moved {
  from = pool.arena
  to   = pool.bank["fast"]
}`,
	Attributes: []Attribute{
		{Name: "from", Type: Address, Required: true, Phase: Constant, Example: "pool.arena",
			Doc: "The old address: of a device, a pool, a graph, a module, or of a tensor, as in `graph.net.tensor[\"old\"]`. With no key it is that of all instances, unless `to` has one."},
		{Name: "to", Type: Address, Required: true, Phase: Constant, Example: "pool.bank[\"fast\"]", Doc: "The new address, of the same kind."},
	},
}
