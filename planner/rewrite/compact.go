package rewrite

import (
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// result builds the graph of what is left, tensors and ops in their old order.
func (f *folder) result() *graph.Graph {
	used := f.used()
	out := &graph.Graph{Name: f.g.Name, Format: f.g.Format, Digest: f.g.Digest,
		Tensors: make([]graph.Tensor, 0, count(used)), Ops: make([]graph.Op, 0, len(f.g.Ops))}
	ids := make([]graph.TensorID, len(f.g.Tensors))
	for i := range f.g.Tensors {
		ids[i] = graph.NoTensor
		if used[i] {
			ids[i] = graph.TensorID(len(out.Tensors))
			out.Tensors = append(out.Tensors, f.tensor(i))
		}
	}
	renumber := func(old []graph.TensorID) []graph.TensorID {
		renumbered := make([]graph.TensorID, len(old))
		for k, id := range old {
			renumbered[k] = graph.NoTensor
			if id != graph.NoTensor {
				renumbered[k] = ids[f.alias[id]]
			}
		}
		return renumbered
	}
	for i := range f.g.Ops {
		if f.gone[i] {
			continue
		}
		op := f.g.Ops[i]
		op.Inputs, op.Outputs = renumber(op.Inputs), renumber(op.Outputs)
		op.Fused, op.Scratch = slices.Clone(op.Fused), slices.Clone(op.Scratch)
		out.Ops = append(out.Ops, op)
	}
	out.Inputs, out.Outputs = renumber(f.g.Inputs), renumber(f.g.Outputs)
	return out
}

// used reports for each tensor whether it stays: those of the ops that are left and of the graph's interface, and
// those that never belonged to an op, except constants.
func (f *folder) used() []bool {
	used := make([]bool, len(f.g.Tensors))
	for i := range f.g.Tensors {
		t := &f.g.Tensors[i]
		used[i] = t.Role != graph.Constant || t.Given != nil
	}
	for i := range f.g.Ops {
		for _, id := range f.g.Ops[i].Outputs {
			if id != graph.NoTensor {
				used[id] = !f.gone[i]
			}
		}
	}
	for i := range f.g.Ops {
		if f.gone[i] {
			continue
		}
		for _, id := range f.g.Ops[i].Inputs {
			if id != graph.NoTensor {
				used[f.alias[id]] = true
			}
		}
	}
	for _, id := range slices.Concat(f.g.Inputs, f.g.Outputs) {
		used[id] = true
	}
	return used
}

// tensor returns tensor i as it is in the result.
func (f *folder) tensor(i int) graph.Tensor {
	t := f.g.Tensors[i]
	t.Shape, t.Symbols = t.Shape.Clone(), slices.Clone(t.Symbols)
	if c := f.constants[i]; c != nil && t.Role != graph.Constant {
		t.Role, t.Data = graph.Constant, c.data
	}
	return t
}
