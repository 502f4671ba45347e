package planner

import (
	"context"
	"fmt"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/liveness"
)

// explainMisfits says for each pool what does not fit and why.
func (p *pipeline) explainMisfits(ctx context.Context) diag.Diagnostics {
	var diags diag.Diagnostics
	misfits := layout.Explain(ctx, p.problem, p.placed)
	p.enough = layout.Enough(ctx, p.problem, misfits, p.cfg.Planner.Algorithm, p.opts.Effort)
	for i := range misfits {
		diags = append(diags, p.misfit(&misfits[i], p.enough))
	}
	if len(diags) == 0 {
		p.err = fmt.Errorf("%d buffers found no place and the layout gave no reason", len(p.placed.Unplaced))
	}
	return diags
}

func (p *pipeline) misfit(m *layout.Misfit, enough map[int]int64) diag.Diagnostic {
	pool := &p.pools[m.Pool]
	members := p.describe(m.Buffers)
	switch m.Cause {
	case layout.CausePinOverlap:
		return p.atPin(m, diag.New(diag.PinnedCollision, "In pool %q the pinned places of %s overlap while both are live. Change the offset of one.", pool.name, members))
	case layout.CausePinAlignment:
		return p.atPin(m, diag.New(diag.PinMisaligned, "The pinned offset %d of %s in pool %q is not a multiple of the alignment %d. Pin it to %d.",
			m.Needed, members, pool.name, m.Available, (m.Needed+m.Available-1)/m.Available*m.Available))
	case layout.CausePinCapacity:
		return p.atPin(m, diag.New(diag.PinBeyondPool, "The pinned place of %s ends at %d, and pool %q has %d bytes: %d too many. Pin it lower or raise the pool's size.",
			members, m.Needed, pool.name, m.Available, m.Excess))
	}
	return at(p.capacityMisfit(m, pool, members, enough), pool.name, pool.at)
}

func (p *pipeline) capacityMisfit(m *layout.Misfit, pool *poolEntry, members string, enough map[int]int64) diag.Diagnostic {
	if algorithm := p.cfg.Planner.Algorithm; m.Fits() {
		next := diag.Hint{Text: fmt.Sprintf("Set algorithm = %q in planner, which finds one.", "auto")}
		if algorithm == "auto" {
			next = p.remedy(m, enough)
		}
		return diag.New(diag.PoolTooSmall, "%s could hold everything in its %d bytes, but the algorithm %q found no place there for %s. %s",
			p.poolList(m), m.Available, algorithm, members, next)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s needs %d bytes, has %d available: %d bytes in excess", p.poolList(m), m.Needed, m.Available, m.Excess)
	if m.Step >= 0 {
		fmt.Fprintf(&b, ", at %s", p.describeStep(m.Step))
	}
	if together := p.cfg.Planner.Concurrent; len(together) > 0 {
		names := make([]string, len(together))
		for i, g := range together {
			names[i] = g.Name
		}
		fmt.Fprintf(&b, ", while the graphs %s may run at the same time", diag.Quoted(names))
	}
	switch {
	case len(m.Buffers) == 1 && m.Proved:
		fmt.Fprintf(&b, ". %s alone is larger.", members)
	case m.Proved:
		fmt.Fprintf(&b, ". These cannot be placed together: %s.", members)
	default:
		fmt.Fprintf(&b, ". No placement of these was found: %s.", members)
	}
	return diag.New(diag.PoolTooSmall, "%s %s", b.String(), p.remedy(m, enough))
}

func (p *pipeline) poolList(m *layout.Misfit) string {
	if len(m.Pools) < 2 {
		return fmt.Sprintf("Pool %q", p.pools[m.Pool].name)
	}
	names := make([]string, len(m.Pools))
	for i, pool := range m.Pools {
		names[i] = p.pools[pool].name
	}
	return fmt.Sprintf("The set of pools %s", diag.Quoted(names))
}

// atPin puts the diagnostic at the pin of the first buffer that has one.
func (p *pipeline) atPin(m *layout.Misfit, d diag.Diagnostic) diag.Diagnostic {
	for _, index := range m.Buffers {
		g, b := p.bufferAt(index)
		if b.Tensor == graph.NoTensor {
			continue
		}
		for _, id := range g.members(b) {
			if wish, ok := g.pins[id]; ok {
				return at(d, g.block.Name, wish.at)
			}
		}
	}
	return d
}

// bufferAt returns the graph and the buffer of an index of the flat problem.
func (p *pipeline) bufferAt(index int) (*planned, *liveness.Buffer) {
	g, i := p.bufferOf(p.owners[index])
	return g, &g.buffers[i]
}

// describeStep names the op that runs at a step of the problem's time.
func (p *pipeline) describeStep(step int64) string {
	for i := len(p.graphs) - 1; i >= 0; i-- {
		g := p.graphs[i]
		local := step - g.start
		first, last := span(g.buffers)
		if local < first || local >= last {
			continue
		}
		if local >= 0 && local < int64(len(g.graph.Ops)) {
			op := &g.graph.Ops[local]
			return fmt.Sprintf("step %d of graph %q (%s %q)", local, g.block.Name, op.Op, op.Name)
		}
		return fmt.Sprintf("step %d of graph %q", local, g.block.Name)
	}
	return fmt.Sprintf("step %d", step)
}
