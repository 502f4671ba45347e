package explain

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/planner/texture"
)

// explain explains tensor t of graph g. At most the given number of sharers is listed and the others are counted; a negative
// limit lists all.
func (ix *index) explain(g int, t *plan.Tensor, limit int) *Explanation {
	row := &ix.graphs[g]
	out := &Explanation{
		Graph: row.g.Name, Tensor: t.Name, Role: t.Role, DType: t.DType, ComputeDType: t.ComputeDType, Shape: t.Shape, Layout: t.Layout, Scope: t.Scope, Pool: t.Pool, Storage: t.Storage,
		Offset: t.Offset, Size: t.Size, LogicalSize: t.LogicalSize, Alignment: t.Alignment, UpperBound: t.UpperBound, Reason: t.Reason,
		ViewOf: t.ViewOf, ViewOffset: t.ViewOffset, Rows: t.Rows, Diagonal: t.Diagonal, Image: ix.imageOf(t), Lifetime: lifetime(row.g, t), Kept: t.Kept, Gaps: t.Gaps, Device: ix.devices[t.Pool],
		Shares: t.Shares, Consumers: []Step{}, Copies: []plan.Copy{}, Views: row.viewsOf(t), Sharers: []Sharer{},
	}
	out.Apart = ix.apart(row, t)
	out.Sharers, out.moreSharers = ix.sharers(g, t, limit)
	if step, ok := row.producers[t.Name]; ok {
		out.Producer = stepAt(row.g, step)
	} else if step, ok := row.stepNames[t.Producer]; ok && t.Role == string(graph.Scratch) {
		out.Producer = stepAt(row.g, step)
	}
	for _, step := range row.consumers[t.Name] {
		out.Consumers = append(out.Consumers, *stepAt(row.g, step))
	}
	out.CopyOf = row.copyOf[t.Name]
	for _, c := range row.copies[t.Name] {
		out.Copies = append(out.Copies, *c)
	}
	return out
}

// stepAt is nil when no op runs at the step.
func stepAt(g *plan.Graph, step int64) *Step {
	if step < 0 || step >= int64(len(g.Steps)) {
		return nil
	}
	s := &g.Steps[step]
	return &Step{s.Step, s.Op, s.Name}
}

func lifetime(g *plan.Graph, t *plan.Tensor) Lifetime {
	steps := int64(len(g.Steps))
	out := Lifetime{First: t.First, Last: t.Last, Start: stepAt(g, t.First), Always: t.Role == string(graph.Constant) || t.Role == string(graph.State)}
	if t.Last > t.First && t.Last <= steps {
		out.End = stepAt(g, t.Last-1)
	}
	return out
}

// imageOf is the tensor's part of its storage, nil when that is flat.
func (ix *index) imageOf(t *plan.Tensor) *Image {
	storage := ix.storages[storageKey{t.Pool, t.Storage}]
	if storage == nil || storage.Texel == "" {
		return nil
	}
	out := &Image{StorageWidth: storage.Width, StorageHeight: storage.Height, StorageSize: storage.Size, Texel: storage.Texel, RowPitch: storage.RowPitch}
	if dtype, ok := graph.ParseDType(t.DType); ok {
		if geometry, reason := texture.Pack(texture.Scope(t.Scope), t.Shape, t.Layout, dtype); reason == "" {
			out.Width, out.Height = geometry.Width, geometry.Height
		}
	}
	return out
}

// baseOf names the tensor whose bytes a tensor has.
func baseOf(t *plan.Tensor) string {
	if t.ViewOf != nil {
		return *t.ViewOf
	}
	return t.Name
}

// viewsOf lists the other tensors of the graph that are bytes of the same tensor, in the order of the plan.
func (row *graphIndex) viewsOf(t *plan.Tensor) []View {
	out := []View{}
	for _, o := range row.views[baseOf(t)] {
		if o.Name != t.Name {
			out = append(out, View{Tensor: o.Name, Offset: o.ViewOffset, Size: o.Size, Rows: o.Rows, First: o.First, Last: o.Last})
		}
	}
	return out
}

// sharers lists the tensors, not views of the same one, that have bytes in common with a tensor of graph g. They are in the
// order of the plan: by graph, then by when they come to be. Beyond the limit, unless it is negative, they are counted.
func (ix *index) sharers(g int, t *plan.Tensor, limit int) (out []Sharer, more int) {
	out = []Sharer{}
	if t.Pool == "" {
		return out, 0
	}
	base := baseOf(t)
	for i := range ix.graphs {
		other := &ix.graphs[i]
		for _, o := range other.inPool[t.Pool] {
			from, to, ok := common(t, o)
			switch {
			case !ok || i == g && o.Name == base:
			case limit >= 0 && len(out) >= limit:
				more++
			default:
				out = append(out, sharer(other.g.Name, o, from, to))
			}
		}
	}
	return out, more
}

func sharer(graph string, t *plan.Tensor, from, to int64) Sharer {
	s := Sharer{Graph: graph, Tensor: t.Name, First: t.First, Last: t.Last}
	if t.Offset != nil {
		s.From, s.To = &from, &to
	}
	return s
}

// common finds the bytes [from, to) that two tensors of one pool have in common; in an image object they are none and
// both use the same corner.
func common(a, b *plan.Tensor) (from, to int64, ok bool) {
	if a.Offset == nil || b.Offset == nil {
		return 0, 0, a.Offset == nil && b.Offset == nil && a.Storage == b.Storage
	}
	from, to = max(*a.Offset, *b.Offset), min(*a.Offset+a.Size, *b.Offset+b.Size)
	return from, to, from < to
}
