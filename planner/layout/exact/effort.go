package exact

import "context"

// DefaultNodes is the budget of a search that sets none.
const DefaultNodes = 10_000_000

// maxSearched is the most connected buffers that are searched together: above, bitsets and adjacency would cost too much
// for a search without hope. Such a group keeps the placement that was given.
const maxSearched = 4096

// effort is what a search may still use.
type effort struct {
	ctx          context.Context
	nodes, spent int64
	workers      int
}

func newEffort(ctx context.Context, opts Options) *effort {
	e := &effort{ctx: ctx, nodes: opts.Nodes, workers: max(1, opts.Workers)}
	if e.nodes <= 0 {
		e.nodes = DefaultNodes
	}
	return e
}

func (e *effort) left() bool { return e.spent < e.nodes && e.ctx.Err() == nil }

// advance lets a portfolio use up to that many nodes more.
func (e *effort) advance(p *portfolio, nodes int64) (verdict, []int64) {
	before := p.nodes
	v, offsets := p.run(e.ctx, min(nodes, e.nodes-e.spent))
	e.spent += p.nodes - before
	return v, offsets
}
