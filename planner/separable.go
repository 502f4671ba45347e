package planner

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/rewrite"
)

// separated is a pipeline in which graphs on the host device compute depthwise convolutions and the pointwise ones that read
// them as one op, ready for the stages after the rewrites; nil where there are none. Its graphs share nothing that stages change.
// On the host that is a choice: results over operands and what lies in place may need less without. Graphs with images keep
// them apart.
func (p *pipeline) separated() (*pipeline, diag.Diagnostics) {
	fused, notes, changed := make([]*graph.Graph, len(p.graphs)), make([][]rewrite.Note, len(p.graphs)), false
	for i, g := range p.graphs {
		fused[i] = g.rewritten
		if g.rewritten.Format != "tvm" && g.block.Device.Driver == "host" && !g.textured && slices.Contains(p.cfg.Planner.RewriteOn(g.block.Device), "fuse") {
			fused[i], notes[i] = rewrite.Separable(g.rewritten, g.named())
		}
		changed = changed || len(notes[i]) > 0
	}
	if !changed {
		return nil, nil
	}
	var diags diag.Diagnostics
	out := p.clone()
	out.pools = slices.Clone(p.pools)
	for i, g := range out.graphs {
		g.rewritten, g.flat = copied(fused[i]), map[graph.TensorID]string{}
		if len(notes[i]) > 0 {
			g.notes, g.keep = slices.Concat(g.notes, notes[i]), nil
			diags = append(diags, g.lookUpNames()...)
		}
	}
	return out, diags
}

// choose plans the graphs from their rewrites on, as they are and separated, and takes what needs less. Of two that do not fit,
// what is said is said of that which has less live at once. Graphs stay as they are on a tie. Where there is a choice it costs
// twice as much as one plan, both at the same time; of the progress, that of the graphs as they are is told.
func (p *pipeline) choose(ctx context.Context) diag.Diagnostics {
	other, more := p.separated()
	if other == nil || more.HasErrors() {
		return p.orderAndPlace(ctx)
	}
	plain, separated := &attempt{p: p}, &attempt{p: other}
	other.opts.Effort.Report, other.opts.Effort.Spent = nil, nil
	var both sync.WaitGroup
	both.Go(func() { separated.diags = other.orderAndPlace(ctx) })
	plain.diags = p.orderAndPlace(ctx)
	both.Wait()
	other.opts = p.opts
	if p.err != nil || ctx.Err() != nil {
		return plain.diags // what was found before an interrupt is a plan
	}
	if p.err = other.err; p.err != nil {
		return plain.diags
	}
	less := separated.compare(plain)
	if plain.failed() && separated.failed() {
		less = cmp.Compare(other.mostLive(), p.mostLive())
	}
	if less >= 0 {
		if !separated.failed() {
			p.passed = other
		}
		return plain.diags
	}
	if !plain.failed() {
		passed := *p
		other.passed = &passed
	}
	*p = *other
	return separated.diags
}

// leastWith is what each pool would need in another variant of the graphs that were chosen or of those that were not, whichever
// needs less in all: with other settings they may be the better ones.
func (p *pipeline) leastWith(ctx context.Context, v variant) ([]int64, error) {
	least, err := p.peaksWith(ctx, v)
	if err != nil || p.passed == nil || v.rewrites != nil || len(p.passed.pools) != len(p.pools) {
		return least, err
	}
	other, err := p.passed.peaksWith(ctx, v)
	if err == nil && sumOf(other) < sumOf(least) {
		least = other
	}
	return least, err
}

func sumOf(list []int64) int64 {
	sum := int64(0)
	for _, n := range list {
		sum += n
	}
	return sum
}

// orderAndPlace goes through the stages after the rewrites.
func (p *pipeline) orderAndPlace(ctx context.Context) diag.Diagnostics {
	diags := p.through(ctx, p.connect, p.declareConstants, p.narrowStores, p.orderGraphs)
	if p.err != nil || diags.HasErrors() {
		return diags
	}
	return append(diags, p.place(ctx)...)
}
