package planner

import (
	"cmp"
	"slices"
)

// rankByName tells the layout, which knows no names, their order: TVM's algorithms break ties by it. Buffers of one name
// follow the order of their graphs. It costs O(n log n).
func (p *pipeline) rankByName() {
	order := make([]int, len(p.problem.Buffers))
	names := make([]string, len(order))
	for i := range order {
		_, b := p.bufferAt(i)
		order[i], names[i] = i, b.Name
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(names[a], names[b]), cmp.Compare(a, b)) })
	for rank, i := range order {
		p.problem.Buffers[i].Rank = rank
	}
}
