package planner

import (
	"context"
	"maps"
	"slices"

	"github.com/memplan/memplan/planner/layout"
)

// asUncapped is for an attempt that does not fit: what would be chosen if no pool had a cap is placed with the caps. Of
// attempts that do not fit none is nearer to fitting than another, so that the way to what needs least is not found among
// them. Where that does not fit either, what is said is said of the choice that needs least. It costs as much as planning did.
func (p *pipeline) asUncapped(ctx context.Context, best *attempt) *attempt {
	if best.p.err != nil || !best.failed() || !slices.ContainsFunc(p.pools, func(e poolEntry) bool { return e.limit() != layout.Unlimited }) {
		return best
	}
	free := p.clone()
	free.opts.Previous = nil
	free.pools = slices.Clone(p.pools)
	for i := range free.pools {
		free.pools[i].uncapped = true
	}
	diags := free.place(ctx)
	if free.err != nil {
		best.p.err = free.err
		return best
	}
	if diags.HasErrors() {
		return best
	}
	other := p.choosing(free)
	other.diags = other.p.placeOnce(ctx)
	return other
}

// choosing is an attempt with the orders and the views of another pipeline, not placed yet.
func (p *pipeline) choosing(from *pipeline) *attempt {
	out := &attempt{p: p.clone()}
	for i, g := range out.p.graphs {
		chosen := from.graphs[i]
		g.rewritten, g.divided, g.views, g.ordering = chosen.rewritten, maps.Clone(chosen.divided), chosen.views, chosen.ordering
	}
	return out
}
