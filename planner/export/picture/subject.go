package picture

import (
	"cmp"
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/planner/texture"
)

// Subject is what is drawn.
type Subject struct {
	Plan *plan.Plan
	// Graph names the graph that is drawn, "" for all of them.
	Graph string
	// Old is a plan to compare with, nil for none; OldName says which it is. Only [HTML] compares.
	Old     *plan.Plan
	OldName string
}

// panel is one graph in one pool.
type panel struct {
	pool  *plan.Pool
	graph *plan.Graph
	tiles []tile
	// from and to are the steps that are drawn, half-open.
	from, to int64
}

// tile is a tensor with bytes of its own in the pool, or a view.
type tile struct {
	*plan.Tensor
	copied, view bool
	// zone is where in the base the bytes begin among which the rows of a strided view lie, 0 for others.
	zone int64
	// width and height are the tensor's in texels, 0 in flat memory and when its shape makes no image of its scope.
	width, height int64
}

// graphs are those of a plan that are drawn.
func (s *Subject) graphs(p *plan.Plan) (out []*plan.Graph) {
	for i := range p.Graphs {
		if s.Graph == "" || p.Graphs[i].Name == s.Graph {
			out = append(out, &p.Graphs[i])
		}
	}
	return out
}

// panels lists the pools in order of declaration, each with the graphs that use it; where these have constants alone
// there, last.
func (s *Subject) panels(p *plan.Plan) []panel {
	var out []panel
	for i := range p.Pools {
		for _, g := range s.graphs(p) {
			if one := newPanel(&p.Pools[i], g); len(one.tiles) > 0 {
				out = append(out, one)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b panel) int { return cmp.Compare(a.rank(), b.rank()) })
	return out
}

// steady reports whether nothing that the graph has in the pool ever changes.
func (p *panel) steady() bool {
	return !slices.ContainsFunc(p.tiles, func(t tile) bool { return t.Role != "constant" })
}

// rank orders panels: what changes before what does not.
func (p *panel) rank() int {
	if p.steady() {
		return 1
	}
	return 0
}

func newPanel(pool *plan.Pool, g *plan.Graph) panel {
	out := panel{pool: pool, graph: g, to: int64(len(g.Steps))}
	copied, zones := map[string]bool{}, zonesOf(g)
	for i := range g.Copies {
		copied[g.Copies[i].To] = true
	}
	for i := range g.Tensors {
		t := &g.Tensors[i]
		if t.Pool != pool.Name || t.Size == 0 || t.Last <= t.First {
			continue
		}
		one := tile{Tensor: t, copied: copied[t.Name], view: t.ViewOf != nil, zone: zones[t.Name]}
		one.width, one.height = texels(t)
		if len(out.tiles) == 0 && len(g.Steps) == 0 {
			out.from = t.First
		}
		out.from, out.to = min(out.from, t.First), max(out.to, t.Last)
		out.tiles = append(out.tiles, one)
	}
	if out.to-out.from <= 0 {
		out.tiles = nil // steps beyond what can be counted
	}
	return out
}

// pieces are the bytes and the steps that are drawn of a tensor. The rows of a strided view are gathered into one band: within the bytes
// that its rows and those between them take, in the order in which they alternate.
func (t *tile) pieces() []plan.Piece {
	if t.Rows == nil {
		return t.Pieces()
	}
	rows := t.LogicalSize / t.Rows.Bytes
	before := (t.ViewOffset - t.zone) % t.Rows.Stride
	from := before*rows - before
	return []plan.Piece{{First: t.First, Last: t.Last, From: from, To: from + t.LogicalSize}}
}

// texels are the sides of a tensor in an image.
func texels(t *plan.Tensor) (width, height int64) {
	dtype, known := graph.ParseDType(t.DType)
	if !known || t.Scope == "global" || t.Scope == "" {
		return 0, 0
	}
	geometry, reason := texture.Pack(texture.Scope(t.Scope), t.Shape, t.Layout, dtype)
	if reason != "" {
		return 0, 0
	}
	return geometry.Width, geometry.Height
}

// live are the bytes that tensors of the pool have at each step from the first that is drawn.
//
// A plan of intervals may count any number of steps: beyond the limit the result is nil, and nothing is drawn of it.
func (p *panel) live() []int64 {
	const mostSteps = 1 << 20
	if p.to-p.from > mostSteps || p.steady() {
		return nil
	}
	change := make([]int64, p.to-p.from+1)
	for i := range p.tiles {
		if t := &p.tiles[i]; !t.view {
			for _, piece := range t.Pieces() {
				change[piece.First-p.from] += piece.To - piece.From
				change[piece.Last-p.from] -= piece.To - piece.From
			}
		}
	}
	for _, o := range p.graph.Overlaps() {
		if o.Pool == p.pool.Name && p.from <= o.Step && o.Step < p.to {
			change[o.Step-p.from] -= o.Bytes
			change[o.Step+1-p.from] += o.Bytes
		}
	}
	for i := 1; i < len(change); i++ {
		change[i] += change[i-1]
	}
	return change[:len(change)-1]
}

// storages are the images that tensors of the panel use, in order of id.
func (p *panel) storages(from []plan.Storage) (out []*plan.Storage) {
	used := map[int64]bool{}
	for i := range p.tiles {
		used[p.tiles[i].Storage] = true
	}
	for i := range from {
		if s := &from[i]; s.Pool == p.pool.Name && s.Width > 0 && used[s.ID] {
			out = append(out, s)
		}
	}
	return out
}
