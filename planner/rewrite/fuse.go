package rewrite

import (
	"fmt"
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// Fuse lets convolutions and matrix products do what follows them, where their results have no other reader:
//
//   - A batch normalisation becomes part of a convolution's weights and bias, computed when they are read: each output
//     channel is scaled by scale / sqrt(variance + epsilon). Products are rounded at other places than before.
//   - A sum with one constant for each output channel becomes the bias of an op that has none.
//   - A sum with another tensor of the same shape is added as results are stored, so that they may take its place. It comes
//     first: behind an activation nothing would be gained.
//   - Activations of one operand, and PRelu with a constant slope, follow.
//
// Activations that the model spells out in simpler ops become the op that they are before that.
//
// A fused op has the name and the place of the convolution, unless a summand is only there later: then it runs in the place of
// the sum. It lists what it does in Fused and has the result of the last op. Results that are outputs of the graph, or that
// fixed marks by tensor id, stay, and so do constants of these: weights and biases are not replaced then. Neither reads nor
// writes of state move past others. The result shares content with g, which is not changed; its ids are new. It costs O(tensors +
// uses).
func Fuse(g *graph.Graph, fixed map[graph.TensorID]bool) (*graph.Graph, []Note) {
	f := newFuser(g, fixed)
	f.startOrder()
	f.activations()
	for i := range f.Ops {
		if f.order[f.at[i]] == i {
			f.fuse(i)
		}
	}
	return f.result(), f.notes
}

// startOrder begins with the order of the graph.
func (f *fuser) startOrder() {
	f.order, f.at = make([]int, len(f.Ops)), make([]int, len(f.Ops))
	for i := range f.Ops {
		f.order[i], f.at[i] = i, i
	}
}

// newFuser copies a graph and counts the readers of its tensors.
func newFuser(g *graph.Graph, fixed map[graph.TensorID]bool) *fuser {
	f := &fuser{Graph: shallow(g), readers: make([]int, len(g.Tensors)), fixed: map[graph.TensorID]bool{}, writer: make(map[graph.TensorID]int, len(g.Ops))}
	for id := range fixed {
		f.fixed[id] = true
	}
	for _, id := range g.Outputs {
		f.fixed[id] = true
	}
	for i := range f.Ops {
		for _, id := range f.Ops[i].Inputs {
			if id >= 0 {
				f.readers[id]++
			}
		}
	}
	f.made = make([]bool, len(f.Tensors))
	for i := range f.Ops {
		for _, id := range f.Ops[i].Outputs {
			if id >= 0 {
				f.made[id] = true
			}
		}
	}
	return f
}

// anyOp reports whether a graph has ops of a kind, so that rewrites that change nothing need no copy of it.
func anyOp(g *graph.Graph, kind string) bool {
	return slices.ContainsFunc(g.Ops, func(op graph.Op) bool { return op.Op == kind })
}

// shallow is a copy of a graph whose ops and tensors can be replaced.
func shallow(g *graph.Graph) *graph.Graph {
	out := *g
	out.Tensors, out.Ops = slices.Clone(g.Tensors), slices.Clone(g.Ops)
	for i := range out.Ops {
		op := &out.Ops[i]
		op.Inputs, op.Outputs, op.Fused = slices.Clone(op.Inputs), slices.Clone(op.Outputs), slices.Clone(op.Fused)
	}
	return &out
}

// fuser is the state of one Fuse.
type fuser struct {
	*graph.Graph
	readers []int
	fixed   map[graph.TensorID]bool
	// images are tensors that lie in images, which kernels of some fused forms do not take.
	images map[graph.TensorID]bool
	// made marks the results of the model's ops, by tensor; those that were added are beyond its end.
	made []bool
	// writer is the op that has a tensor among its results, of those that were looked at.
	writer map[graph.TensorID]int
	// order has at each place the op that runs there, -1 for one that went, and at the place of each op.
	order, at []int
	notes     []Note
	// names are those of the tensors, nil until one is added.
	names map[string]bool
}

// fuse makes op i a part of the op before it where that is possible.
func (f *fuser) fuse(i int) {
	writer := i
	if head, ok := f.headOf(i); ok && f.join(head, i) {
		writer = head
	}
	for _, id := range f.Ops[i].Outputs {
		if id >= 0 {
			f.writer[id] = writer
		}
	}
}

// heads has the ops that others are fused to, with the number of their own operands.
var heads = map[string]int{"Conv": 3, "ConvTranspose": 3, "Gemm": 3, "MatMul": 2}

// headOf is the op whose result op i could be computed on: of two, the one that runs later, so that the other's result is
// there.
func (f *fuser) headOf(i int) (int, bool) {
	op, found := &f.Ops[i], -1
	if len(op.Fused) > 1 || len(op.Inputs) == 0 || len(op.Outputs) != 1 || op.Outputs[0] < 0 || !plainDomain(op) {
		return 0, false
	}
	operands := op.Inputs[:1]
	if op.Op == "Add" {
		operands = op.Inputs[:min(2, len(op.Inputs))]
	}
	for _, id := range operands {
		head, ok := f.writer[id]
		if ok && f.free(id) && f.isHead(head) && (found < 0 || f.at[head] > f.at[found]) {
			found = head
		}
	}
	return found, found >= 0
}

// onImages reports whether an op reads or writes an image.
func (f *fuser) onImages(op *graph.Op) bool {
	image := func(id graph.TensorID) bool { return f.images[id] }
	return slices.ContainsFunc(op.Inputs, image) || slices.ContainsFunc(op.Outputs, image)
}

// free reports whether nobody but one op sees the tensor.
func (f *fuser) free(id graph.TensorID) bool {
	t := f.Tensor(id)
	return t != nil && f.readers[id] == 1 && !f.fixed[id] && t.Role == graph.Activation
}

func (f *fuser) isHead(i int) bool {
	op := &f.Ops[i]
	_, ok := heads[op.Op]
	return ok && plainDomain(op) && len(op.Outputs) == 1
}

// join fuses op i to its head.
func (f *fuser) join(head, i int) bool {
	h, op := &f.Ops[head], &f.Ops[i]
	y, result := &f.Tensors[h.Outputs[0]], &f.Tensors[op.Outputs[0]]
	if y.DType != graph.Float32 || result.DType != y.DType || result.Role == graph.State || !result.Shape.Known() || !result.Shape.Equal(y.Shape) {
		return false
	}
	// Element by element, a result that nothing labels has the order of what it is computed on.
	if result.Layout != y.Layout && result.Layout != "" {
		return false
	}
	how := ""
	switch {
	case op.Op == "BatchNormalization" && f.foldNormalization(h, op):
		how = "it scales the weights of %q"
	case op.Op == "Add" && f.becomesBias(h, op):
		how = "it is the bias of %q"
	case op.Op == "Add" && f.addsWhenStored(head, i):
		how = "%q adds it as it stores its results"
	case f.follows(h, op):
		how = "%q does it to its results"
	default:
		return false
	}
	h.Outputs[0] = op.Outputs[0]
	result.Layout = y.Layout
	f.order[f.at[i]] = -1
	f.note(op, y.Name, fmt.Sprintf(how, h.Name))
	return true
}

// note records that an op became a part of others, and the tensor that is gone with that.
func (f *fuser) note(op *graph.Op, tensor, because string) {
	f.notes = append(f.notes, Note{Rewrite: "fuse", Op: op.Name, Tensors: []string{tensor}, Because: because})
}

// appendFused adds an op to those that its head does.
func appendFused(h *graph.Op, name string) {
	if len(h.Fused) == 0 {
		h.Fused = []string{h.Op}
	}
	h.Fused = append(h.Fused, name)
}

// addsWhenStored makes a sum the first thing that the head does to its results.
func (f *fuser) addsWhenStored(head, i int) bool {
	h, op := &f.Ops[head], &f.Ops[i]
	if len(h.Fused) > 1 || len(op.Inputs) != 2 || h.Op != "Conv" && h.Op != "ConvTranspose" || op.Inputs[0] == op.Inputs[1] {
		return false
	}
	other := op.Inputs[0]
	if other == h.Outputs[0] {
		other = op.Inputs[1]
	}
	t := f.Tensor(other)
	if t == nil || t.DType != graph.Float32 || !t.Shape.Equal(f.Tensors[op.Outputs[0]].Shape) {
		return false
	}
	writer, ok := f.writer[other]
	later := ok && f.at[writer] > f.at[head]
	if later && f.readsState(h) {
		return false
	}
	for len(h.Inputs) < heads[h.Op] {
		h.Inputs = append(h.Inputs, graph.NoTensor)
	}
	h.Inputs = append(h.Inputs, other)
	appendFused(h, "Add")
	if later {
		f.order[f.at[head]], f.order[f.at[i]] = -1, head
		f.at[head], f.at[i] = f.at[i], f.at[head]
	}
	return true
}

// readsState reports whether an op reads a tensor that others may write after it.
func (f *fuser) readsState(op *graph.Op) bool {
	return slices.ContainsFunc(op.Inputs, func(id graph.TensorID) bool { return id >= 0 && f.Tensors[id].Role == graph.State })
}
