package planner

import (
	"context"
	"reflect"
	"slices"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/layout/texture"
)

// Link is one step on the way from no sharing to the plan.
type Link struct {
	// Step is one of the names below.
	Step string
	// Bytes is the peak of the pool when this step and those before it are in effect, Saved how many less that is than before.
	Bytes, Saved int64
}

// The steps, in the order in which they are taken. What the settings leave out is not among those of a pool.
const (
	NoSharing   = "no sharing"
	SourceOrder = "source order, packed"
	InPlace     = "in-place"
	Views       = "views"
	MemoryOrder = "order"
	Diagonal    = "diagonal"
)

// variant is one choice of the views and of the order of the graphs.
type variant struct {
	// name is the step or the setting that it stands for.
	name      string
	algorithm string
	// textures is the algorithm for image objects.
	textures string
	// views says which views of the settings are in effect; more are others.
	views func(name string) bool
	more  []string
	order ordersBy
	// settings are those with which everything is planned anew, nil where the graphs stay as they are.
	settings func(*config.Planner)
	// unkept is the graph of which unkeep leaves out what it keeps, nil for none.
	unkept *config.Graph
	unkeep func(*planned)
}

// ordersBy says which graphs get an order of least peak: none, those for which the settings ask for it, or all that can.
type ordersBy int

const (
	bySource ordersBy = iota
	bySettings
	byMemory
)

// chain lists the variants on the way to the plan. The last of them is the plan itself, as far as the settings go.
func (p *pipeline) chain() []variant {
	reshape := func(name string) bool { return name == "reshape" }
	inplace := func(name string) bool { return reshape(name) || name == "inplace" }
	pieces := func(name string) bool { return name != "diagonal" }
	out := []variant{
		{name: NoSharing, algorithm: "none", textures: "none", views: func(string) bool { return false }},
		p.variant(SourceOrder, reshape, bySource),
	}
	if p.anyView(func(name string) bool { return name == "inplace" }) {
		out = append(out, p.variant(InPlace, inplace, bySource))
	}
	if p.anyView(func(name string) bool { return !inplace(name) && pieces(name) }) {
		out = append(out, p.variant(Views, pieces, bySource))
	}
	if slices.ContainsFunc(p.graphs, p.ordered) {
		out = append(out, p.variant(MemoryOrder, pieces, bySettings))
	}
	if p.anyView(func(name string) bool { return !pieces(name) }) {
		out = append(out, p.variant(Diagonal, allViews, bySettings))
	}
	return out
}

func allViews(string) bool { return true }

// variant is one with the algorithms of the settings.
func (p *pipeline) variant(name string, views func(string) bool, order ordersBy) variant {
	return variant{name: name, algorithm: p.cfg.Planner.Algorithm, textures: p.cfg.Planner.TextureAlgorithm, views: views, order: order}
}

// anyView reports whether the settings of a graph have such a view.
func (p *pipeline) anyView(wanted func(string) bool) bool {
	return slices.ContainsFunc(p.graphs, func(g *planned) bool {
		return slices.ContainsFunc(p.cfg.Planner.ViewsOn(g.block.Device), wanted)
	})
}

// savings are the links of each pool, the last of which is what the plan needs. It costs one layout for each.
func (p *pipeline) savings(ctx context.Context) ([][]Link, error) {
	chain := p.chain()
	out := make([][]Link, len(p.pools))
	for i, v := range chain {
		peaks := p.peaks()
		if i < len(chain)-1 {
			var err error
			if peaks, err = p.peaksWith(ctx, v); err != nil {
				return nil, err
			}
		}
		for pool, bytes := range peaks {
			link := Link{Step: v.name, Bytes: bytes}
			if i > 0 {
				link.Saved = out[pool][i-1].Bytes - bytes
			}
			out[pool] = append(out[pool], link)
		}
	}
	return out, nil
}

// peaks are those of the plan, by pool.
func (p *pipeline) peaks() []int64 {
	out := make([]int64, len(p.pools))
	for pool := range out {
		out[pool] = p.peak(pool)
	}
	return out
}

// apply gives a graph the views and the order of a variant.
func (v *variant) apply(ctx context.Context, p *pipeline, g *planned) error {
	g.rewritten, g.ordering, g.views = g.source, nil, []string{}
	for _, name := range p.cfg.Planner.ViewsOn(g.block.Device) {
		if v.views(name) {
			g.views = append(g.views, name)
		}
	}
	for _, name := range v.more {
		if !slices.Contains(g.views, name) && g.mayHave(name) {
			g.views = append(g.views, name)
		}
	}
	if v.unkept == g.block {
		v.unkeep(g)
	}
	if v.order == byMemory && g.orderable() || v.order == bySettings && p.ordered(g) {
		return g.orderForMemory(ctx)
	}
	g.divided = g.divide(g.dividing())
	return nil
}

// measured bounds the search for the placement of a variant, which is only a figure to compare with.
const measured = 1 << 17

// peaksWith is what each pool would need in another variant, with the same tensors in the same pools, and no pool limited.
func (p *pipeline) peaksWith(ctx context.Context, v variant) ([]int64, error) {
	if v.settings != nil {
		return p.replannedWith(ctx, v.settings)
	}
	q := p.clone()
	for _, g := range q.graphs {
		if err := v.apply(ctx, q, g); err != nil {
			return nil, err
		}
	}
	if ds := q.through(ctx, q.decideScopes, q.analyzeLiveness, q.buildProblems); ds.HasErrors() || q.err != nil {
		return p.peaks(), q.err // what the change makes impossible saves nothing
	}
	q.settleIn(p)
	// Views and orders that change nothing here lead to the problem of another variant, which is not solved again.
	for _, m := range p.solved {
		if m.is(q, &v) {
			return m.peaks, nil
		}
	}
	var err error
	if q.stored, err = texture.Solve(ctx, q.images, v.textures, layout.Effort{Nodes: measured}); err != nil {
		return nil, err
	}
	if q.placed, err = layout.Solve(ctx, q.problem, v.algorithm, layout.Effort{Nodes: measured}); err != nil {
		return nil, err
	}

	peaks := q.peaks()
	p.solved = append(p.solved, solvedVariant{q.problem, q.images, v.algorithm, v.textures, peaks})
	return peaks, ctx.Err()
}

// solvedVariant is the problem of a variant with the peaks that were found.
type solvedVariant struct {
	flat                *layout.Problem
	images              *texture.Problem
	algorithm, textures string
	peaks               []int64
}

// is reports whether another variant has the same problem.
func (s *solvedVariant) is(q *pipeline, v *variant) bool {
	return s.algorithm == v.algorithm && s.textures == v.textures && reflect.DeepEqual(s.flat, q.problem) && reflect.DeepEqual(s.images, q.images)
}

// settleIn leaves every buffer the pool in which the plan has its tensor, and lifts the caps.
func (p *pipeline) settleIn(done *pipeline) {
	for i := range p.pools {
		p.problem.Pools[i].Capacity, p.images.Pools[i].Capacity = layout.Unlimited, texture.Unlimited
	}
	pools := done.poolOfTensors()
	for _, g := range p.graphs {
		for i := range g.buffers {
			pool, known := pools[tensorName{g.block.Name, g.buffers[i].Name}]
			if !known {
				continue
			}
			at, image := p.slots[g.first+i], p.pools[pool].kind == "texture"
			switch {
			case at.flat >= 0 && !image:
				p.problem.Buffers[at.flat].Pools = []int{pool}
			case at.image >= 0 && image:
				p.images.Images[at.image].Pools = []int{pool}
			}
		}
	}
}

// poolOfTensors says where the plan has each tensor and scratch buffer that has bytes of its own or shows those of another.
func (p *pipeline) poolOfTensors() map[tensorName]int {
	out := map[tensorName]int{}
	p.everyPlace(func(g *planned, i, pool int, _ int64, _ layout.Span) {
		b := &g.buffers[i]
		out[tensorName{g.block.Name, b.Name}] = pool
		for _, view := range b.Views {
			out[tensorName{g.block.Name, g.graph.Tensors[view.Tensor].Name}] = pool
		}
	})
	return out
}
