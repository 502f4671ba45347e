package rewrite

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// follows makes an activation the last thing that the head does to its results. Its attributes get its name as a prefix, so it
// may stand there once.
func (f *fuser) follows(h, op *graph.Op) bool {
	if slices.Contains(h.Fused, op.Op) && len(op.Attrs) > 0 || len(op.Outputs) != 1 {
		return false
	}
	attrs := op.Attrs
	switch {
	case op.Op == "PRelu" && len(op.Inputs) == 2:
		slope := f.Tensor(op.Inputs[1])
		if slope == nil || slope.Role != graph.Constant || slope.DType != graph.Float32 || slices.Contains(h.Fused, "PRelu") {
			return false
		}
		for len(h.Inputs) < heads[h.Op] {
			h.Inputs = append(h.Inputs, graph.NoTensor)
		}
		h.Inputs = append(h.Inputs, op.Inputs[1])
	case op.Op == "Clip":
		limits, ok := f.limits(op)
		if !ok || slices.Contains(h.Fused, "Clip") {
			return false
		}
		attrs = limits
	case len(op.Inputs) != 1 || !array.IsActivation(op.Op):
		return false
	}
	if len(attrs) > 0 {
		h.Attrs = maps.Clone(h.Attrs)
		if h.Attrs == nil {
			h.Attrs = graph.Attrs{}
		}
		for _, name := range attrs.Names() {
			h.Attrs[op.Op+"."+name] = attrs[name]
		}
	}
	appendFused(h, op.Op)
	return true
}

// limits are those of a Clip as attributes, which later operator sets have as operands.
func (f *fuser) limits(op *graph.Op) (graph.Attrs, bool) {
	out := maps.Clone(op.Attrs)
	if out == nil {
		out = graph.Attrs{}
	}
	for i, name := range []string{"min", "max"} {
		if len(op.Inputs) <= i+1 || op.Inputs[i+1] == graph.NoTensor {
			continue
		}
		values, ok := f.floats(op.Inputs[i+1])
		if !ok || len(values) != 1 {
			return nil, false
		}
		out[name] = values[0]
	}
	return out, true
}

// mostRead bounds the constants that are read while fusing: a limit is one number.
const mostRead = 64

// floats reads a small constant that may be replaced.
func (f *fuser) floats(id graph.TensorID) ([]float32, bool) {
	t := f.Tensor(id)
	if t == nil || f.fixed[id] || t.Role != graph.Constant || t.Data == nil || t.DType != graph.Float32 || t.Data.Size() > mostRead {
		return nil, false
	}
	data, err := t.Data.Read()
	return decodeFloats(data), err == nil
}

func decodeFloats(data []byte) []float32 {
	out := make([]float32, len(data)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return out
}

func encodeFloats(values []float32) []byte {
	out := make([]byte, 4*len(values))
	for i, v := range values {
		binary.LittleEndian.PutUint32(out[4*i:], math.Float32bits(v))
	}
	return out
}

// channels is the number of output channels of a convolution, and the axis of its result that has them.
func (f *fuser) channels(h *graph.Op) (n int64, axis int) {
	shape := f.Tensors[h.Outputs[0]].Shape
	axis = 1
	if layout := h.Attrs.String(graph.AttrDataLayout, "NCHW"); layout != "" && layout[len(layout)-1] == 'C' {
		axis = len(shape) - 1
	}
	if axis >= len(shape) {
		return 0, axis
	}
	return shape[axis], axis
}

// becomesBias makes a constant summand, one value for each output channel, the bias of a convolution without one.
func (f *fuser) becomesBias(h, op *graph.Op) bool {
	if h.Op != "Conv" && h.Op != "ConvTranspose" || len(h.Fused) > 1 || len(op.Inputs) != 2 || len(h.Inputs) > 2 && h.Inputs[2] != graph.NoTensor {
		return false
	}
	other := op.Inputs[0]
	if other == h.Outputs[0] {
		other = op.Inputs[1]
	}
	t := f.Tensor(other)
	n, axis := f.channels(h)
	if t == nil || t.Role != graph.Constant || t.DType != graph.Float32 || n == 0 {
		return false
	}
	rank := len(f.Tensors[h.Outputs[0]].Shape)
	for i, extent := range t.Shape {
		if extent != 1 && (i+rank-len(t.Shape) != axis || extent != n) {
			return false
		}
	}
	if count, ok := t.Shape.Elements(); !ok || count != n {
		return false
	}
	h.Inputs = append(h.Inputs[:2:2], other)
	return true
}
