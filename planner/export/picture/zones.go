package picture

import (
	"cmp"
	"slices"

	"github.com/memplan/memplan/planner/plan"
)

// zonesOf finds for the strided views of a graph, by name, where in their base the bytes begin among which their rows lie: those of
// the smallest run that a view is in, which is what it was cut from or is put together to. What is not listed begins with its base.
// A run that a view only meets, as none does in a plan that was verified, is passed over. It costs O(n log n).
func zonesOf(g *plan.Graph) map[string]int64 {
	of := map[string][]*plan.Tensor{}
	for i := range g.Tensors {
		if t := &g.Tensors[i]; t.ViewOf != nil {
			of[*t.ViewOf] = append(of[*t.ViewOf], t)
		}
	}
	out := map[string]int64{}
	for _, views := range of {
		slices.SortStableFunc(views, func(a, b *plan.Tensor) int {
			return cmp.Or(cmp.Compare(a.ViewOffset, b.ViewOffset), cmp.Compare(b.Size, a.Size))
		})
		var around []*plan.Tensor
		for _, t := range views {
			for len(around) > 0 && ends(around[len(around)-1]) < ends(t) {
				around = around[:len(around)-1]
			}
			switch {
			case t.Rows == nil:
				around = append(around, t)
			case len(around) > 0:
				out[t.Name] = around[len(around)-1].ViewOffset
			}
		}
	}
	return out
}

// ends is where in the base a view ends.
func ends(t *plan.Tensor) int64 { return t.ViewOffset + t.Size }
