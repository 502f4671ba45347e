package graph

// ScratchNames returns the names by which a plan knows the scratch buffers of each op, in the order of Ops and of their
// Scratch: "<op>/<scratch>" and, where a tensor or an earlier scratch buffer has that name already, as many apostrophes as
// it takes. It costs O(tensors + scratch buffers).
func (g *Graph) ScratchNames() [][]string {
	names := make([][]string, len(g.Ops))
	var taken map[string]bool
	for i := range g.Ops {
		op := &g.Ops[i]
		if len(op.Scratch) > 0 && taken == nil {
			taken = g.tensorNames()
		}
		for _, s := range op.Scratch {
			name := op.Name + "/" + s.Name
			for taken[name] {
				name += "'"
			}
			taken[name] = true
			names[i] = append(names[i], name)
		}
	}
	return names
}

func (g *Graph) tensorNames() map[string]bool {
	names := make(map[string]bool, len(g.Tensors))
	for i := range g.Tensors {
		names[g.Tensors[i].Name] = true
	}
	return names
}
