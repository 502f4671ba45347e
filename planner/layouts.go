package planner

import (
	"context"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/liveness"
	"github.com/memplan/memplan/planner/scope"
)

// analyzeLiveness merges views and computes lifetimes, graph by graph.
func (p *pipeline) analyzeLiveness(context.Context) diag.Diagnostics {
	var diags diag.Diagnostics
	options := liveness.Options{}
	for _, view := range p.cfg.Planner.Views {
		options.Reshape = options.Reshape || view == "reshape"
	}
	for _, g := range p.graphs {
		options.Keep = g.keep
		buffers, more := liveness.Analyze(g.graph, options)
		g.buffers = buffers
		diags = append(diags, allAt(more, g.block.Range)...)
	}
	return diags
}

// layOut builds one problem of all graphs and solves it. Graphs run one after the other, so each one's steps follow
// those of the one before; constants and state are live over all of them.
func (p *pipeline) layOut(ctx context.Context) diag.Diagnostics {
	diags := p.buildProblem()
	if diags.HasErrors() {
		return diags
	}
	placed, err := layout.Solve(ctx, p.problem, p.cfg.Planner.Algorithm, p.opts.Effort)
	if err != nil {
		p.err = err
		return diags
	}
	p.placed = placed
	if len(placed.Unplaced) > 0 {
		return append(diags, p.explainMisfits(ctx)...)
	}
	return diags
}

func (p *pipeline) buildProblem() diag.Diagnostics {
	p.problem = &layout.Problem{}
	for i := range p.pools {
		p.problem.Pools = append(p.problem.Pools, layout.Pool{Capacity: p.pools[i].limit(), Alignment: p.pools[i].alignment})
	}
	total := int64(0)
	for _, g := range p.graphs {
		first, last := span(g.buffers)
		g.start = total - first
		total += last - first
	}
	var diags diag.Diagnostics
	for _, g := range p.graphs {
		g.first = len(p.problem.Buffers)
		for i := range g.buffers {
			buffer, more := p.problemBuffer(g, &g.buffers[i], total)
			p.problem.Buffers = append(p.problem.Buffers, buffer)
			diags = append(diags, more...)
		}
	}
	return diags
}

// span is the smallest half-open range of steps that holds every lifetime, [0, 1) at least.
func span(buffers []liveness.Buffer) (first, last int64) {
	if len(buffers) == 0 {
		return 0, 1
	}
	first, last = buffers[0].First, buffers[0].Last
	for i := range buffers {
		first, last = min(first, buffers[i].First), max(last, buffers[i].Last)
	}
	return first, last
}

func (p *pipeline) problemBuffer(g *planned, b *liveness.Buffer, total int64) (layout.Buffer, diag.Diagnostics) {
	out := layout.Buffer{
		Size: b.Size, Alignment: max(1, b.Alignment), Live: layout.Span{First: b.First + g.start, Last: b.Last + g.start},
		Pools: g.decision(b).Pools,
	}
	if alwaysLive(b) {
		out.Live = layout.Span{First: 0, Last: total}
	}
	wish, diags := g.pinOf(b)
	if wish != nil {
		out.Pinned, out.Offset = true, *wish
	}
	return out, diags
}

// alwaysLive reports whether the buffer keeps its bytes between graphs and runs.
func alwaysLive(b *liveness.Buffer) bool {
	return b.Role == graph.Constant || b.Role == graph.State
}

// decision is what the scope stage decided for a buffer. Views share their base's bytes, so one decision holds for all
// members: that of a pinned one, else of one that a rule decided, else of one that has the buffer's role.
func (g *planned) decision(b *liveness.Buffer) *scope.Decision {
	if b.Tensor == graph.NoTensor {
		return &g.scopes.OpScratch[b.Op][b.Scratch]
	}
	members := g.members(b)
	for _, decides := range []func(id graph.TensorID) bool{
		func(id graph.TensorID) bool { return g.scopes.Tensors[id].Pinned != "" },
		func(id graph.TensorID) bool { return g.scopes.Tensors[id].Rule >= 0 },
		func(id graph.TensorID) bool { return g.graph.Tensors[id].Role == b.Role },
	} {
		if i := slices.IndexFunc(members, decides); i >= 0 {
			return &g.scopes.Tensors[members[i]]
		}
	}
	return &g.scopes.Tensors[b.Tensor]
}

func (g *planned) members(b *liveness.Buffer) []graph.TensorID {
	members := []graph.TensorID{b.Tensor}
	for _, view := range b.Views {
		members = append(members, view.Tensor)
	}
	return members
}

// pinOf returns the offset that a pin gives to the buffer's base, nil when none does. Pins of several members must
// agree.
func (g *planned) pinOf(b *liveness.Buffer) (*int64, diag.Diagnostics) {
	if b.Tensor == graph.NoTensor {
		return nil, nil
	}
	var found *int64
	var from pin
	var name string
	offsets := map[graph.TensorID]int64{b.Tensor: 0}
	for _, view := range b.Views {
		offsets[view.Tensor] = view.Offset
	}
	for _, id := range g.members(b) {
		wish, ok := g.pins[id]
		if !ok {
			continue
		}
		if from.pool != "" && from.pool != wish.pool {
			return nil, diag.Diagnostics{at(g.pinsDisagree(name, from, g.graph.Tensors[id].Name, wish), wish.at)}
		}
		if from.pool == "" {
			from, name = wish, g.graph.Tensors[id].Name
		}
		if wish.offset < 0 {
			continue
		}
		base := wish.offset - offsets[id]
		if found != nil && *found != base {
			return nil, diag.Diagnostics{at(g.pinsDisagree(name, from, g.graph.Tensors[id].Name, wish), wish.at)}
		}
		from, name, found = wish, g.graph.Tensors[id].Name, &base
	}
	return found, nil
}

func (g *planned) pinsDisagree(name string, a pin, other string, b pin) diag.Diagnostic {
	return diag.New(diag.ConflictingPins,
		"The tensors %q and %q share their bytes as views, but %s asks for pool %q and offset %d, and %s for pool %q and offset %d. Keep one of the two pins.",
		name, other, a.address, a.pool, a.offset, b.address, b.pool, b.offset)
}
