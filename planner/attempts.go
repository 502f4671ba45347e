package planner

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/schedule"
)

// attempt is the pipeline with one choice of orders and views, placed.
type attempt struct {
	p     *pipeline
	diags diag.Diagnostics
}

// failed reports whether something found no place, or the attempt ended before.
func (a *attempt) failed() bool { return a.p.overfull || a.diags.HasErrors() }

// place goes through the stages that depend on the order and the views. What was chosen for the least live bytes may still
// take more of a pool than the model's own order does, since pools, textures and alignments play no part in the choice: then
// the model's own order is placed as well, with the same views and with reshapes alone, and the best of the three is taken.
// Results over operands are given up before, where they cost more than they save. At last fewer pieces are tried in place; see
// fewerInPlace, and asUncapped where nothing fits. What does not fit the best of them is explained.
func (p *pipeline) place(ctx context.Context) diag.Diagnostics {
	best := &attempt{p: p.clone()}
	best.diags = best.p.placeOnce(ctx)
	if other := p.withoutOvers(ctx, best); other != nil && other.compare(best) < 0 {
		best = other
	}
	if p.err != nil {
		return nil
	}
	for _, plainer := range []func(*planned, context.Context) error{(*planned).inOwnOrder, (*planned).withReshapesAlone} {
		if best.p.err != nil || !p.improvable(best) {
			break
		}
		other := &attempt{p: p.clone()}
		changed := false
		for _, g := range other.p.graphs {
			before := *g
			if err := plainer(g, ctx); err != nil {
				p.err = err
				return nil
			}
			changed = changed || g.rewritten != before.rewritten || len(g.views) != len(before.views)
		}
		if !changed {
			continue
		}
		other.diags = other.p.placeOnce(ctx)
		if p.err = other.p.err; p.err != nil {
			return nil
		}
		if other.compare(best) < 0 {
			best = other
		}
	}
	best = p.asUncapped(ctx, p.fewerInPlace(ctx, best))
	*p = *best.p
	switch {
	case p.err != nil:
	case p.overfull:
		return append(best.diags, p.explainMisfits(ctx)...)
	case !best.failed():
		p.keepPrevious(ctx)
	}
	return best.diags
}

// withoutOvers places the graphs without results over operands from below, which keep buffers at a distance from one another
// and ask for another order: that may take more of a pool than it saves. It is nil where the settings have none, or where an
// attempt needs no more than any must.
func (p *pipeline) withoutOvers(ctx context.Context, a *attempt) *attempt {
	if p.err != nil || a.p.err != nil || !slices.ContainsFunc(p.graphs, func(g *planned) bool { return slices.Contains(g.views, "diagonal") }) {
		return nil
	}
	least := int64(0)
	for _, g := range a.p.graphs {
		if g.ordering != nil {
			least = max(least, g.ordering.bound)
		} else {
			least = max(least, g.mostLive())
		}
	}
	if !a.failed() && a.p.changing() <= least {
		return nil
	}
	other := &attempt{p: p.clone()}
	for _, g := range other.p.graphs {
		g.views = slices.DeleteFunc(slices.Clone(g.views), func(view string) bool { return view == "diagonal" })
		g.rewritten = g.source
		if !p.ordered(g) {
			g.divided = g.divide(g.dividing())
		} else if err := g.orderForMemory(ctx); err != nil {
			p.err = err
			return nil
		}
	}
	other.diags = other.p.placeOnce(ctx)
	if p.err = other.p.err; p.err != nil {
		return nil
	}
	return other
}

// clone is a pipeline that can be placed without changing this one.
func (p *pipeline) clone() *pipeline {
	out := *p
	out.graphs = make([]*planned, len(p.graphs))
	for i, g := range p.graphs {
		copied := *g
		copied.denied, copied.unstored = maps.Clone(g.denied), maps.Clone(g.unstored)
		out.graphs[i] = &copied
	}
	out.links = make([]*link, len(p.links))
	for i, l := range p.links {
		copied := *l
		copied.to, copied.from = out.graphs[slices.Index(p.graphs, l.to)], out.graphs[slices.Index(p.graphs, l.from)]
		out.links[i] = &copied
	}
	return &out
}

// inOwnOrder gives the graph the model's own order.
func (g *planned) inOwnOrder(ctx context.Context) error {
	if g.rewritten == g.source {
		return nil
	}
	g.rewritten = g.source
	g.divided = g.divide(g.dividing())
	return g.boundAgain(ctx)
}

// withReshapesAlone gives the graph the model's own order and no views but reshapes.
func (g *planned) withReshapesAlone(ctx context.Context) error {
	g.rewritten, g.divided, g.views = g.source, pieces{}, kept(g.views, "reshape")
	return g.boundAgain(ctx)
}

// boundAgain finds the bound over all orders anew, after the views have changed.
func (g *planned) boundAgain(ctx context.Context) error {
	if g.ordering == nil {
		return nil
	}
	found, err := schedule.Solve(ctx, g.cost(g.divided), 0)
	if err == nil {
		g.ordering = &ordering{source: g.ordering.source, bound: found.Bound}
	}
	return err
}

// improvable reports whether a plainer choice may do better than an attempt: where it did not fit, or where it takes more
// than the live bytes of the model's own order.
func (p *pipeline) improvable(a *attempt) bool {
	if a.failed() {
		return true
	}
	most := int64(0)
	for _, g := range p.graphs {
		if g.ordering != nil {
			most = max(most, g.ordering.source)
			continue
		}
		plain := *g
		plain.rewritten, plain.views = g.source, kept(g.views, "reshape")
		most = max(most, plain.cost(nil).Peak(identity(len(plain.rewritten.Ops))))
	}
	return a.p.changing() > most
}

// changing is the sum of the peaks of all pools but those that hold nothing but constants, and state is not told apart.
func (p *pipeline) changing() int64 {
	total := int64(0)
	for pool, changes := range p.changes() {
		if changes {
			total += p.peak(pool)
		}
	}
	return total
}

// changes says which pools hold anything but constants.
func (p *pipeline) changes() []bool {
	held := make([]bool, len(p.pools))
	p.everyPlace(func(g *planned, i, pool int, _ int64, _ layout.Span) {
		held[pool] = held[pool] || g.buffers[i].Role != graph.Constant
	})
	return held
}

func (p *pipeline) peak(pool int) int64 {
	if p.pools[pool].kind == "texture" {
		return p.stored.Pools[pool].Bytes
	}
	return p.placed.Pools[pool].Peak
}

// compare orders attempts: what fits first, then by bytes that are not in the pool they like best, then by the sum of the
// peaks. The earlier attempt wins a tie.
func (a *attempt) compare(b *attempt) int {
	if x, y := a.failed(), b.failed(); x || y {
		switch {
		case x && !y:
			return 1
		case y && !x:
			return -1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(a.p.spilled(), b.p.spilled()), cmp.Compare(a.p.total(), b.p.total()))
}

// spilled is the bytes that are not in the first of their candidate pools.
func (p *pipeline) spilled() int64 {
	total := int64(0)
	p.everyPlace(func(g *planned, i, pool int, bytes int64, _ layout.Span) {
		if first := g.decision(&g.buffers[i]).Pools; len(first) > 0 && first[0] != pool {
			total += bytes
		}
	})
	return total
}

// total is the sum of the peaks of all pools.
func (p *pipeline) total() int64 {
	total := int64(0)
	for pool := range p.pools {
		total += p.peak(pool)
	}
	return total
}
