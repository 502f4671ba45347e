package planner

import (
	"cmp"
	"context"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/rewrite"
)

// separated is a pipeline in which graphs on the host device compute depthwise convolutions and the pointwise ones that read
// them as one op, ready for the stages after the rewrites; nil where there are none. Its graphs share nothing that stages change.
// On the host that is a choice: results over operands and what lies in place may need less without. Graphs with images keep
// them apart.
func (p *pipeline) separated() (*pipeline, diag.Diagnostics) {
	var diags diag.Diagnostics
	out, changed := p.clone(), false
	out.pools = slices.Clone(p.pools)
	for _, g := range out.graphs {
		g.rewritten, g.flat = copied(g.rewritten), map[graph.TensorID]string{}
		if g.rewritten.Format == "tvm" || g.block.Device.Driver != "host" || g.textured ||
			!slices.Contains(p.cfg.Planner.RewriteOn(g.block.Device), "fuse") {
			continue
		}
		fused, notes := rewrite.Separable(g.rewritten, g.named())
		if len(notes) == 0 {
			continue
		}
		g.rewritten, g.notes, g.keep, changed = fused, slices.Concat(g.notes, notes), nil, true
		diags = append(diags, g.lookUpNames()...)
	}
	if !changed {
		return nil, nil
	}
	return out, diags
}

// choose plans the graphs from their rewrites on, as they are and separated, and takes what needs less. Of two that do not fit,
// what is said is said of that which has less live at once. Graphs stay as they are on a tie. It costs twice as much as one plan
// where there is a choice.
func (p *pipeline) choose(ctx context.Context) diag.Diagnostics {
	other, more := p.separated()
	plain := &attempt{p: p}
	plain.diags = p.orderAndPlace(ctx)
	if other == nil || more.HasErrors() || p.err != nil || ctx.Err() != nil {
		return plain.diags
	}
	separated := &attempt{p: other}
	if separated.diags = other.orderAndPlace(ctx); other.err != nil {
		if ctx.Err() == nil {
			p.err = other.err
		}
		return plain.diags // what was found before an interrupt is a plan
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
