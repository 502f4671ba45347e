package explain

import (
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/planner/texture"
)

func explain(p *plan.Plan, g *plan.Graph, t *plan.Tensor) *Explanation {
	out := &Explanation{
		Graph: g.Name, Tensor: t.Name, Role: t.Role, DType: t.DType, Shape: t.Shape, Layout: t.Layout, Scope: t.Scope, Pool: t.Pool, Storage: t.Storage,
		Offset: t.Offset, Size: t.Size, LogicalSize: t.LogicalSize, Alignment: t.Alignment, UpperBound: t.UpperBound, Reason: t.Reason,
		ViewOf: t.ViewOf, ViewOffset: t.ViewOffset, Image: imageOf(p, t), Lifetime: lifetime(g, t), Kept: t.Kept,
		Consumers: []Step{}, Copies: []plan.Copy{}, Views: views(g, t), Sharers: sharers(p, g, t),
	}
	for i := range p.Pools {
		if p.Pools[i].Name == t.Pool {
			out.Device = p.Pools[i].Device
		}
	}
	for i := range g.Steps {
		s := &g.Steps[i]
		if slices.Contains(s.Outputs, t.Name) || t.Role == string(graph.Scratch) && s.Name == t.Producer {
			out.Producer = stepAt(g, s.Step)
		}
		if slices.Contains(s.Inputs, t.Name) {
			out.Consumers = append(out.Consumers, *stepAt(g, s.Step))
		}
	}
	for i := range g.Copies {
		switch t.Name {
		case g.Copies[i].To:
			out.CopyOf = &g.Copies[i]
		case g.Copies[i].Tensor:
			out.Copies = append(out.Copies, g.Copies[i])
		}
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

func storageOf(p *plan.Plan, t *plan.Tensor) *plan.Storage {
	for i := range p.Storages {
		if p.Storages[i].ID == t.Storage && p.Storages[i].Pool == t.Pool {
			return &p.Storages[i]
		}
	}
	return nil
}

// imageOf is the tensor's part of its storage, nil when that is flat.
func imageOf(p *plan.Plan, t *plan.Tensor) *Image {
	storage := storageOf(p, t)
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

// views lists the other tensors of the graph that are bytes of the same tensor, in the order of the plan.
func views(g *plan.Graph, t *plan.Tensor) []View {
	out := []View{}
	for i := range g.Tensors {
		o := &g.Tensors[i]
		if o.ViewOf != nil && *o.ViewOf == baseOf(t) && o.Name != t.Name {
			out = append(out, View{Tensor: o.Name, Offset: o.ViewOffset, Size: o.Size, First: o.First, Last: o.Last})
		}
	}
	return out
}

// sharers lists the tensors, not views of the same one, that have bytes in common with a tensor. They are in the order
// of the plan: by graph, then by when they come to be.
func sharers(p *plan.Plan, g *plan.Graph, t *plan.Tensor) []Sharer {
	out := []Sharer{}
	if t.Pool == "" {
		return out
	}
	for i := range p.Graphs {
		other := &p.Graphs[i]
		for j := range other.Tensors {
			o := &other.Tensors[j]
			if o.Pool != t.Pool || o.ViewOf != nil || other == g && o.Name == baseOf(t) {
				continue
			}
			if from, to, ok := common(t, o); ok {
				out = append(out, Sharer{Graph: other.Name, Tensor: o.Name, First: o.First, Last: o.Last, From: from, To: to})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Sharer) int {
		if a.Graph != b.Graph {
			return 0
		}
		return int(min(1, max(-1, a.First-b.First)))
	})
	return out
}

// common finds the bytes that two tensors of one pool have in common.
func common(a, b *plan.Tensor) (from, to *int64, ok bool) {
	if a.Offset == nil || b.Offset == nil {
		return nil, nil, a.Offset == nil && b.Offset == nil && a.Storage == b.Storage
	}
	first, last := max(*a.Offset, *b.Offset), min(*a.Offset+a.Size, *b.Offset+b.Size)
	return &first, &last, first < last
}
