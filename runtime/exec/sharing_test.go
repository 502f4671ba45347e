package exec_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// sharedPlan places what changes by first fit, so that tensors with disjoint lifetimes share bytes, and makes the result
// of each reshape a view of its input. It is a planner of few lines for tests of the runtime alone.
func sharedPlan(t testing.TB, g *graph.Graph) *plan.Plan {
	t.Helper()
	p := sequentialPlan(t, g)
	share(p)
	return p
}

// share places the tensors of a sequential plan anew.
func share(p *plan.Plan) {
	planned := &p.Graphs[0]
	byName := map[string]*plan.Tensor{}
	for i := range planned.Tensors {
		byName[planned.Tensors[i].Name] = &planned.Tensors[i]
	}
	makeViews(planned, byName)
	var placed []*plan.Tensor
	p.Pools[0].Peak = 0
	for i := range planned.Tensors {
		x := &planned.Tensors[i]
		if x.Pool != "memory" || x.ViewOf != nil {
			continue
		}
		offset := firstFit(placed, x)
		x.Offset = &offset
		placed = append(placed, x)
		p.Pools[0].Peak = max(p.Pools[0].Peak, offset+x.Size)
	}
	for i := range planned.Tensors {
		if x := &planned.Tensors[i]; x.ViewOf != nil {
			x.Offset = byName[*x.ViewOf].Offset
		}
	}
}

// makeViews lets each reshape share the bytes of its input, whose lifetime then covers that of the result.
func makeViews(planned *plan.Graph, byName map[string]*plan.Tensor) {
	for _, s := range planned.Steps {
		if s.Op != "Reshape" && s.Op != "Flatten" && s.Op != "Squeeze" && s.Op != "Unsqueeze" && s.Op != "Identity" {
			continue
		}
		base, view := byName[s.Inputs[0]], byName[s.Outputs[0]]
		if base.Pool != "memory" {
			continue
		}
		for base.ViewOf != nil {
			base = byName[*base.ViewOf]
		}
		view.ViewOf = &base.Name
		base.Last = max(base.Last, view.Last)
	}
}

func firstFit(placed []*plan.Tensor, x *plan.Tensor) int64 {
	var busy []*plan.Tensor
	for _, o := range placed {
		if o.First < x.Last && x.First < o.Last {
			busy = append(busy, o)
		}
	}
	slices.SortFunc(busy, func(a, b *plan.Tensor) int { return cmp.Compare(*a.Offset, *b.Offset) })
	at := int64(0)
	for _, o := range busy {
		if at+x.Size <= *o.Offset {
			break
		}
		at = max(at, (*o.Offset+o.Size+63)/64*64)
	}
	return at
}
