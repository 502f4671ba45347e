package rewrite

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// Fold replaces the results that do not depend on the graph's inputs by constants, in O(tensors + ops):
//
//   - Results whose values are known become constants with these values. The keys of known are tensors of g; entries
//     that are no result of an op, or whose type is not the tensor's, are ignored.
//   - A result of an op that has a reference kernel and only constants as inputs becomes a constant that is computed
//     when it is read, within limits that keep a hostile file from asking for much more memory or work than its own
//     constants take: see budget.
//   - The readers of an Identity of a constant read that constant.
//   - An op that loses all its readers by that goes, unless it writes state. Constants without readers go.
//
// A graph output that does not depend on the inputs becomes a constant that is still listed in Outputs: it has no
// producer, and a run copies it out. Ops on what does depend on inputs stay, Identity and Dropout too: they are views.
//
// The result shares attributes and content with g, which is not changed; its ids are new, its names are those of g.
func Fold(g *graph.Graph, known map[graph.TensorID]*array.Array) (*graph.Graph, []Note) {
	f := newFolder(g, known)
	for i := range g.Ops {
		f.fold(i)
	}
	f.removeUnread()
	return f.result(), f.notes
}

// folder is the state of one Fold.
type folder struct {
	g     *graph.Graph
	known map[graph.TensorID]*array.Array
	// constants holds what is known of each tensor that is constant now, nil for the others.
	constants []*constant
	// alias is the tensor that is read in place of each one, itself for most.
	alias    []graph.TensorID
	isOutput []bool
	// readers counts the ops of g that read each tensor, those that are gone excepted. wasRead is that of g.
	readers []int
	wasRead []bool
	gone    []bool
	notes   []Note
}

func newFolder(g *graph.Graph, known map[graph.TensorID]*array.Array) *folder {
	n := len(g.Tensors)
	f := &folder{
		g: g, known: known, constants: make([]*constant, n), alias: make([]graph.TensorID, n),
		isOutput: make([]bool, n), readers: make([]int, n), wasRead: make([]bool, n), gone: make([]bool, len(g.Ops)),
	}
	for i := range g.Tensors {
		f.alias[i] = graph.TensorID(i)
		if t := &g.Tensors[i]; t.Role == graph.Constant && t.Data != nil {
			f.constants[i] = leaf(t)
		}
	}
	for _, id := range g.Outputs {
		f.isOutput[id] = true
	}
	for i := range g.Ops {
		for _, id := range g.Ops[i].Inputs {
			if id != graph.NoTensor {
				f.readers[id]++
				f.wasRead[id] = true
			}
		}
	}
	return f
}

// fold makes the results of op i constant where that is possible.
func (f *folder) fold(i int) {
	op := &f.g.Ops[i]
	switch {
	case len(op.Outputs) == 0 || f.writesState(op):
	case f.isCopy(op):
		f.alias[op.Outputs[0]] = f.alias[op.Inputs[0]]
		f.remove(i, fmt.Sprintf("it copies the constant %q", f.g.Tensors[f.alias[op.Inputs[0]]].Name))
	case f.allKnown(op):
		f.setKnown(op)
		f.remove(i, "its result follows from shapes and small constants")
	default:
		f.foldConstantInputs(i)
	}
}

// foldConstantInputs makes the results of an op lazy constants when all its inputs are constants.
func (f *folder) foldConstantInputs(i int) {
	op := &f.g.Ops[i]
	inputs, ok := f.constantInputs(op)
	if !ok || !computable(op) {
		return
	}
	types, ok := f.resultTypes(op)
	if !ok {
		return
	}
	results, because := compute(op, inputs, types)
	if because != "" {
		f.notes = append(f.notes, Note{Rewrite: "fold", Op: op.Name, Kept: true, Because: because})
		return
	}
	for k, id := range op.Outputs {
		if id != graph.NoTensor {
			f.constants[id] = results[k]
		}
	}
	f.remove(i, "all its inputs are constants")
	f.noteWidening(inputs, results)
}

// noteWidening completes the note of an op that made float32 of float16: its constants take twice the bytes.
func (f *folder) noteWidening(inputs, results []*constant) {
	half, float := bytesOf(inputs, graph.Float16), bytesOf(results, graph.Float32)
	if half > 0 && float > 0 {
		note := &f.notes[len(f.notes)-1]
		note.HalfBytes, note.FloatBytes = half, float
	}
}

// bytesOf sums the bytes of the constants of a type.
func bytesOf(constants []*constant, d graph.DType) int64 {
	total := int64(0)
	for _, c := range constants {
		if c != nil && c.typ.DType == d {
			n, _ := c.typ.Shape.Bytes(d)
			total = addSizes(total, n)
		}
	}
	return total
}

func (f *folder) writesState(op *graph.Op) bool {
	for _, id := range op.Outputs {
		if t := f.g.Tensor(id); t != nil && t.Role == graph.State {
			return true
		}
	}
	return false
}

// isCopy reports whether the op is the identity of a constant, under a name that is not the graph's result.
func (f *folder) isCopy(op *graph.Op) bool {
	if op.Op != "Identity" || op.Domain != "" || len(op.Fused) > 1 || len(op.Inputs) != 1 || len(op.Outputs) != 1 {
		return false
	}
	in, out := f.g.Tensor(op.Inputs[0]), f.g.Tensor(op.Outputs[0])
	return in != nil && out != nil && f.constants[f.alias[op.Inputs[0]]] != nil && !f.isOutput[op.Outputs[0]] &&
		in.DType == out.DType && in.Shape.Equal(out.Shape)
}

// allKnown reports whether the values of all results that are of use are known.
func (f *folder) allKnown(op *graph.Op) bool {
	some := false
	for _, id := range op.Outputs {
		if id == graph.NoTensor || (!f.wasRead[id] && !f.isOutput[id]) {
			continue
		}
		a, t := f.known[id], &f.g.Tensors[id]
		if a == nil || a.DType != t.DType || !a.Shape.Equal(t.Shape) || t.UpperBound {
			return false
		}
		if n, ok := a.Shape.Bytes(a.DType); !ok || n != int64(len(a.Data)) {
			return false
		}
		some = true
	}
	return some
}

func (f *folder) setKnown(op *graph.Op) {
	for _, id := range op.Outputs {
		if id == graph.NoTensor {
			continue
		}
		if a := f.known[id]; a != nil && (f.wasRead[id] || f.isOutput[id]) {
			f.constants[id] = &constant{typ: a.Type(), data: graph.Bytes(a.Data), base: int64(len(a.Data))}
		}
	}
}

// constantInputs returns the inputs as constants, nil for absent ones; it fails when one is not constant and when there
// are none.
func (f *folder) constantInputs(op *graph.Op) ([]*constant, bool) {
	inputs := make([]*constant, len(op.Inputs))
	present := false
	for k, id := range op.Inputs {
		if id == graph.NoTensor {
			continue
		}
		if inputs[k] = f.constants[f.alias[id]]; inputs[k] == nil {
			return nil, false
		}
		present = true
	}
	return inputs, present
}

// resultTypes returns the types of the op's results; it fails unless all are inferred and exact.
func (f *folder) resultTypes(op *graph.Op) ([]array.Type, bool) {
	types := make([]array.Type, len(op.Outputs))
	for k, id := range op.Outputs {
		t := f.g.Tensor(id)
		if t == nil || t.UpperBound || t.DType.Size() == 0 || !t.Shape.Known() {
			return nil, false
		}
		types[k] = array.Type{DType: t.DType, Shape: t.Shape}
	}
	return types, true
}

// remove drops op i, whose results are constant or not needed, and notes why.
func (f *folder) remove(i int, because string) {
	op := &f.g.Ops[i]
	f.gone[i] = true
	for _, id := range op.Inputs {
		if id != graph.NoTensor {
			f.readers[id]--
		}
	}
	note := Note{Rewrite: "fold", Op: op.Name, Because: because}
	for _, id := range op.Outputs {
		if id != graph.NoTensor && f.constants[id] != nil {
			note.Tensors = append(note.Tensors, f.g.Tensors[id].Name)
		}
	}
	f.notes = append(f.notes, note)
}

// removeUnread drops the ops that had readers, and lost them.
func (f *folder) removeUnread() {
	for i := len(f.g.Ops) - 1; i >= 0; i-- {
		if op := &f.g.Ops[i]; !f.gone[i] && !f.writesState(op) && f.lostReaders(op) {
			f.remove(i, "nothing reads its results any more")
		}
	}
}

func (f *folder) lostReaders(op *graph.Op) bool {
	lost := false
	for _, id := range op.Outputs {
		if id == graph.NoTensor {
			continue
		}
		if f.readers[id] > 0 || f.isOutput[id] {
			return false
		}
		lost = lost || f.wasRead[id]
	}
	return lost
}
