package planner

import (
	"context"

	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/plan"
)

// keepPrevious puts buffers back to where the previous plan has them, as far as that raises no peak. Which orders, views,
// scopes and pools were chosen does not depend on the previous plan, so that planning with its own result changes nothing.
func (p *pipeline) keepPrevious(ctx context.Context) {
	if p.opts.Previous == nil {
		return
	}
	before := placesBefore(p.opts.Previous)
	pools := map[string]int{}
	for i := range p.pools {
		pools[p.pools[i].name] = i
	}
	for i := range p.problem.Buffers {
		g, b := p.bufferAt(i)
		was, known := before[tensorName{g.block.Name, b.Name}]
		if pool, still := pools[was.pool]; known && still {
			p.problem.Buffers[i].Hint = &layout.Place{Pool: pool, Offset: was.offset - p.slots[p.owners[i]].at}
		}
	}
	p.placed = layout.Keep(ctx, p.problem, p.placed, p.cfg.Planner.Algorithm)
}

// tensorName is a tensor of a plan; placeBefore where it was in flat memory.
type tensorName struct{ graph, tensor string }

type placeBefore struct {
	pool   string
	offset int64
}

// placesBefore are the places of the tensors that had bytes of flat memory, views and shared constants included: what is a
// buffer now may have been one of them.
func placesBefore(previous *plan.Plan) map[tensorName]placeBefore {
	out := map[tensorName]placeBefore{}
	for i := range previous.Graphs {
		g := &previous.Graphs[i]
		for j := range g.Tensors {
			if t := &g.Tensors[j]; t.Offset != nil {
				out[tensorName{g.Name, t.Name}] = placeBefore{t.Pool, *t.Offset}
			}
		}
	}
	return out
}
