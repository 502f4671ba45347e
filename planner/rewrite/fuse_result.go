package rewrite

import "github.com/memplan/memplan/planner/graph"

// result is the graph of the ops that are left, without the tensors and constants that nothing needs any more.
func (f *fuser) result() *graph.Graph {
	ops := make([]graph.Op, 0, len(f.Ops))
	for _, i := range f.order {
		if i >= 0 {
			ops = append(ops, f.Ops[i])
		}
	}
	needed := f.needed(ops)
	out := *f.Graph
	out.Tensors = make([]graph.Tensor, 0, count(needed))
	ids := make([]graph.TensorID, len(f.Tensors))
	for i := range f.Tensors {
		ids[i] = graph.NoTensor
		if needed[i] {
			ids[i] = graph.TensorID(len(out.Tensors))
			out.Tensors = append(out.Tensors, f.Tensors[i])
		}
	}
	renumber := func(old []graph.TensorID) []graph.TensorID {
		list := make([]graph.TensorID, len(old))
		for k, id := range old {
			list[k] = graph.NoTensor
			if id >= 0 {
				list[k] = ids[id]
			}
		}
		return list
	}
	for i := range ops {
		ops[i].Inputs, ops[i].Outputs = renumber(ops[i].Inputs), renumber(ops[i].Outputs)
	}
	out.Ops, out.Inputs, out.Outputs = ops, renumber(f.Inputs), renumber(f.Outputs)
	return &out
}

// count is how many flags are set.
func count(flags []bool) int {
	n := 0
	for _, set := range flags {
		if set {
			n++
		}
	}
	return n
}

// needed marks what the ops that are left touch, what the caller sees, and what never belonged to an op but is no constant.
func (f *fuser) needed(ops []graph.Op) []bool {
	needed := make([]bool, len(f.Tensors))
	for i := range f.Tensors {
		t := &f.Tensors[i]
		needed[i] = !(i < len(f.made) && f.made[i]) && (t.Role != graph.Constant || t.Given != nil) || t.Role == graph.State
	}
	mark := func(ids []graph.TensorID) {
		for _, id := range ids {
			if id >= 0 {
				needed[id] = true
			}
		}
	}
	for i := range ops {
		mark(ops[i].Inputs)
		mark(ops[i].Outputs)
	}
	mark(f.Inputs)
	mark(f.Outputs)
	return needed
}
