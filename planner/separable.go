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

// separated is a pipeline in which those of the graphs on the host device that are wanted, by number, compute depthwise convolutions
// and the pointwise ones that read them as one op, ready for the stages after the rewrites; nil where there are none. Its graphs share
// nothing that stages change. On the host that is a choice: results over operands and what lies in place may need less without.
// Where an operand or the result is an image they stay apart.
func (p *pipeline) separated(wanted func(graph int) bool) (*pipeline, diag.Diagnostics) {
	fused, notes, changed := make([]*graph.Graph, len(p.graphs)), make([][]rewrite.Note, len(p.graphs)), false
	for i, g := range p.graphs {
		fused[i] = g.rewritten
		if wanted(i) && g.rewritten.Format != "tvm" && g.block.Device.Driver == "host" && slices.Contains(p.cfg.Planner.RewriteOn(g.block.Device), "fuse") {
			fused[i], notes[i] = rewrite.Separable(g.rewritten, g.named(), p.foreseenImages(g))
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

// choose plans the graphs from their rewrites on, as they are and separated, and takes what needs less. Graphs stay as they are on a
// tie. Where there is a choice it costs twice as much as one plan, both at the same time; of the progress, that of the graphs as they
// are is told. Where some graphs have less live as they are and others separated, each as it has less is planned as well.
func (p *pipeline) choose(ctx context.Context) diag.Diagnostics {
	start := p.clone() // stages change neither its graphs nor its pools
	other, more := p.separated(func(int) bool { return true })
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
	each := plain.differ(separated)
	best := plain.orBetter(separated)
	if each != nil {
		mixed := &attempt{}
		if mixed.p, more = start.separated(each); mixed.p != nil && !more.HasErrors() {
			if mixed.diags = mixed.p.orderAndPlace(ctx); mixed.p.err == nil && ctx.Err() == nil {
				best = best.orBetter(mixed)
			}
		}
	}
	*p = *best.p
	return best.diags
}

// orBetter is the better of two attempts with the other as what was passed over, the first on a tie. Of two that do not fit, what is
// said is said of that which has less live at once.
func (a *attempt) orBetter(b *attempt) *attempt {
	less := b.compare(a)
	if a.failed() && b.failed() {
		less = cmp.Compare(b.p.mostLive(), a.p.mostLive())
	}
	if less < 0 {
		a, b = b, a
	}
	if !b.failed() {
		passed := *b.p
		a.p.passed = &passed
	}
	return a
}

// differ says which graphs, by number, have less live in the other attempt, nil where none has or none has more.
func (a *attempt) differ(b *attempt) func(graph int) bool {
	less, more := make([]bool, len(a.p.graphs)), false
	for i, g := range a.p.graphs {
		here, there := g.mostLive(), b.p.graphs[i].mostLive()
		less[i], more = there < here, more || there > here
	}
	if !more || !slices.Contains(less, true) {
		return nil
	}
	return func(graph int) bool { return less[graph] }
}

// leastWith is what each pool would need in another variant of the graphs that were chosen or of those that were not, whichever
// needs less in all: with other settings they may be the better ones.
func (p *pipeline) leastWith(ctx context.Context, v variant) ([]int64, error) {
	least, err := p.peaksWith(ctx, v)
	if err != nil || p.passed == nil || v.settings != nil || len(p.passed.pools) != len(p.pools) {
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
