package planner

import (
	"context"
	"fmt"
	"slices"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/rewrite"
)

// rewritings are the rewrites beside those of the settings that would find something to change in some graph.
func (p *pipeline) rewritings() []variant {
	if len(p.graphs) == 0 {
		return nil
	}
	now := p.cfg.Planner.RewriteOn(p.graphs[0].block.Device)
	if slices.ContainsFunc(p.graphs, func(g *planned) bool { return !slices.Equal(p.cfg.Planner.RewriteOn(g.block.Device), now) }) {
		return nil // one list for all would change more than it adds
	}
	var out []variant
	for _, more := range [][]string{{"fuse"}, {"partial_sums"}, {"depthwise_branches"}, {"depthwise_branches", "partial_sums"}} {
		if slices.ContainsFunc(more, func(name string) bool { return slices.Contains(now, name) }) ||
			!slices.ContainsFunc(p.graphs, func(g *planned) bool { return g.changesBy(more) }) {
			continue
		}
		v := p.variant(fmt.Sprintf("rewrite = [%s] in planner", quotedList(slices.Concat(now, more))), allViews, bySettings)
		v.settings = func(to *config.Planner) { to.Rewrite = slices.Concat(now, more) }
		out = append(out, v)
	}
	return out
}

// changesBy reports whether each of the rewrites, one after the other, finds something to change.
func (g *planned) changesBy(names []string) bool {
	if g.source.Format == "tvm" {
		return false
	}
	at := g.source
	for _, name := range names {
		with := rewrite.PartialSums
		switch name {
		case "depthwise_branches":
			with = rewrite.DepthwiseBranches
		case "fuse":
			with = rewrite.Fuse
		}
		changed, notes := with(at, map[graph.TensorID]bool{})
		if len(notes) == 0 {
			return false
		}
		at = changed
	}
	return true
}

// replannedWith is what each pool needs with other settings, and what it needs now where nothing can be planned with them.
func (p *pipeline) replannedWith(ctx context.Context, change func(*config.Planner)) ([]int64, error) {
	cfg := *p.cfg
	change(&cfg.Planner)
	brief := *p
	brief.opts.Effort.Nodes = measured
	q, diags := brief.anew(ctx, &cfg)
	if q.err != nil || diags.HasErrors() || len(q.pools) != len(p.pools) {
		return p.peaks(), q.err
	}
	return q.peaks(), ctx.Err()
}

// anew plans the graphs once more, as they were imported, with another configuration of the same blocks, without the lock, and
// without advice on what does not fit.
func (p *pipeline) anew(ctx context.Context, cfg *config.Config) (*pipeline, diag.Diagnostics) {
	q := &pipeline{cfg: cfg, opts: p.opts, advised: true}
	q.opts.Previous = nil
	for _, g := range p.graphs {
		q.graphs = append(q.graphs, newPlanned(g.block, copied(g.imported)))
	}
	return q, q.run(ctx)
}

// copied is a graph of which the shapes can be inferred again without a change of the first.
func copied(g *graph.Graph) *graph.Graph {
	out := *g
	out.Tensors = slices.Clone(g.Tensors)
	for i := range out.Tensors {
		t := &out.Tensors[i]
		t.Shape, t.Symbols = t.Shape.Clone(), slices.Clone(t.Symbols)
	}
	return &out
}
