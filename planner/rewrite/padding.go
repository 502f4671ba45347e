package rewrite

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// FoldPads lets convolutions and poolings pad their input themselves, where an op of its own does it and all that read its
// result can take it over without another output:
//
//   - Conv and LpPool, where zeros are added.
//   - AveragePool, where zeros are added and the op either has no padding itself or counts it: from then on it counts it.
//   - MaxPool, where the least value of the element type is added, or zeros to what an activation has left without negative
//     values; never so much that a window could lie in padding alone.
//
// Only the axes that the window goes along may be padded, by a constant of an amount that is not negative. Results that are
// outputs of the graph, or that fixed marks by tensor id, stay. The result shares content with g, which is not changed; its ids
// are new. It costs O(tensors + uses), and for each padding that another one reads O(readers of the last) more, within mostPadded.
func FoldPads(g *graph.Graph, fixed map[graph.TensorID]bool) (*graph.Graph, []Note) {
	if !anyOp(g, "Pad") {
		return g, nil
	}
	f := &padder{fuser: newFuser(g, fixed), readBy: make(map[graph.TensorID][]int, len(g.Tensors))}
	f.startOrder()
	for i := range f.Ops {
		for _, id := range f.Ops[i].Inputs {
			f.readBy[id] = append(f.readBy[id], i)
		}
		for _, id := range f.Ops[i].Outputs {
			f.writer[id] = i
		}
	}
	// From the last on, so that of paddings one after the other all find their reader.
	for i := range slices.Backward(f.Ops) {
		f.fold(i)
	}
	if len(f.notes) == 0 {
		return g, nil
	}
	return f.result(), f.notes
}

// mostPadded bounds how often a reader is given the padding of another op: of paddings one after the other, each is given to
// all readers of the last.
const mostPadded = 1 << 20

type padder struct {
	*fuser
	// readBy are the ops that read a tensor, and perhaps some that went.
	readBy map[graph.TensorID][]int
	padded int
}

// padding is what a Pad adds: of each axis so many elements before and after, all of the same value.
type padding struct {
	before, after []int64
	// zero and least say that the value is 0, or the least of the element type.
	zero, least bool
}

// fold makes op i, where it pads, a part of all that read its result.
func (f *padder) fold(i int) {
	op := &f.Ops[i]
	p, ok := f.paddingOf(op)
	if !ok {
		return
	}
	y := op.Outputs[0]
	readers := slices.DeleteFunc(f.readBy[y], func(k int) bool { return f.order[f.at[k]] < 0 })
	if f.padded += len(readers); len(readers) == 0 || f.padded > mostPadded {
		return
	}
	attrs := make([]graph.Attrs, len(readers))
	var names []string
	for k, reader := range readers {
		if attrs[k], ok = f.withPadding(&f.Ops[reader], op, p); !ok {
			return
		}
		names = append(names, fmt.Sprintf("%q", f.Ops[reader].Name))
	}
	for k, reader := range readers {
		r := &f.Ops[reader]
		r.Inputs[0], r.Attrs = op.Inputs[0], attrs[k]
	}
	f.readBy[op.Inputs[0]] = append(f.readBy[op.Inputs[0]], readers...)
	f.order[f.at[i]] = -1
	verb := "pads"
	if len(names) > 1 {
		verb = "pad"
	}
	f.note(op, f.Tensors[y].Name, fmt.Sprintf("%s %s what it reads itself", strings.Join(names, " and "), verb))
}

// paddingOf reads a Pad whose result nobody but its readers sees; false for other ops.
func (f *padder) paddingOf(op *graph.Op) (padding, bool) {
	if op.Op != "Pad" || !plainDomain(op) || len(op.Fused) > 1 || len(op.Outputs) != 1 || op.Attrs.String("mode", "constant") != "constant" {
		return padding{}, false
	}
	x, y := f.Tensor(op.Inputs[0]), f.Tensor(op.Outputs[0])
	if x == nil || y == nil || x.Role == graph.State || x.DType != y.DType || x.Layout != y.Layout || !x.Shape.Known() ||
		y.Role != graph.Activation || f.fixed[op.Outputs[0]] {
		return padding{}, false
	}
	p := padding{}
	var ok bool
	if p.before, p.after, ok = f.Pads(op); !ok || !f.valued(op, x.DType, &p) {
		return padding{}, false
	}
	for axis, n := range x.Shape {
		if p.before[axis] < 0 || p.after[axis] < 0 || p.before[axis]+n+p.after[axis] != y.Shape[axis] {
			return padding{}, false
		}
	}
	return p, true
}

// valued says what the value is that a Pad adds; false when it is not known or neither zero nor the least.
func (f *padder) valued(op *graph.Op, t graph.DType, p *padding) bool {
	if len(op.Inputs) < 3 || op.Inputs[2] == graph.NoTensor {
		p.zero = true
		return true
	}
	v := f.Tensor(op.Inputs[2])
	if v == nil || v.Role != graph.Constant || v.Data == nil || v.DType != t || v.Data.Size() != t.Size() {
		return false
	}
	data, err := v.Data.Read()
	if err != nil {
		return false // whoever runs the op reports it
	}
	list, err := (&array.Array{DType: t, Shape: graph.Shape{1}, Data: data}).Floats()
	if err != nil || len(list) != 1 {
		return false
	}
	p.zero, p.least = list[0] == 0, t.IsFloat() && math.IsInf(list[0], -1) || bytes.Equal(data, leastOf(t))
	return p.zero || p.least
}

// leastOf is the least value of an integer type, nil for others.
func leastOf(t graph.DType) []byte {
	switch t {
	case graph.Uint8:
		return []byte{0}
	case graph.Int8, graph.Int32, graph.Int64:
		out := make([]byte, t.Size())
		out[len(out)-1] = 0x80
		return out
	}
	return nil
}
