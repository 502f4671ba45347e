package host_test

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/host"
)

// strided is an op with the shapes of its operands and of its results, and the rows of those of them that are strided in elements: 0
// for one run.
type strided struct {
	name            string
	op              graph.Op
	inputs, outputs []graph.Shape
	rowIn, rowOut   []int64
	// constants has for integer operands, by position, their content.
	constants map[int][]int64
}

// gapOf is what lies between rows, in elements.
const gapOf = 3

// place puts a tensor into the rig, with rows or as one run.
func (r *rig) place(name string, shape graph.Shape, row int64, values []float32) *device.Tensor {
	if row == 0 {
		return r.floats(name, graph.Activation, shape, values)
	}
	t := r.tensor(name, graph.Activation, graph.Float32, shape, nil)
	t.Row, t.Stride = 4*row, 4*(row+gapOf)
	t.Place.Bytes = (t.LogicalBytes/t.Row-1)*t.Stride + t.Row
	r.bytes += t.Place.Bytes - t.LogicalBytes
	return t
}

// whole is the memory of a tensor with what lies between its rows, as elements of a run.
func whole(t *device.Tensor) *device.Tensor {
	n := t.Place.Bytes / 4
	return &device.Tensor{Name: t.Name, DType: graph.Float32, Shape: graph.Shape{n}, Place: t.Place, LogicalBytes: t.Place.Bytes}
}

// between marks what lies between rows.
const between = float32(77)

// spread puts values into rows.
func spread(t *device.Tensor, values []float32) []float32 {
	out := make([]float32, t.Place.Bytes/4)
	for i := range out {
		out[i] = between
	}
	for i, v := range values {
		out[int64(i)*4/t.Row*t.Stride/4+int64(i)%(t.Row/4)] = v
	}
	return out
}

func someFloats(n int64, seed int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32((i*31+seed*17)%29)/8 - 1.5
	}
	return out
}

// run gives the results of the op, with strided operands and results or without any.
func (s *strided) run(t *testing.T, rows bool) [][]float32 {
	r := rigWith(t, host.Options{Workers: 3, Held: 64})
	var inputs, outputs []*device.Tensor
	row := func(list []int64, i int) int64 {
		if !rows || i >= len(list) {
			return 0
		}
		return list[i]
	}
	filled := map[*device.Tensor][]float32{}
	for i, shape := range s.inputs {
		if ints := s.constants[i]; ints != nil {
			var data []byte
			for _, v := range ints {
				data = binary.LittleEndian.AppendUint64(data, uint64(v))
			}
			inputs = append(inputs, r.tensor("sizes", graph.Constant, graph.Int64, graph.Shape{int64(len(ints))}, data))
			continue
		}
		if shape == nil {
			inputs = append(inputs, nil)
			continue
		}
		n, _ := shape.Elements()
		x := r.place("x", shape, row(s.rowIn, i), someFloats(n, i))
		filled[x] = someFloats(n, i)
		inputs = append(inputs, x)
	}
	for i, shape := range s.outputs {
		outputs = append(outputs, r.place("y", shape, row(s.rowOut, i), nil))
	}
	r.open()
	for x, values := range filled {
		if x.Strided() {
			require.NoError(t, r.dev.Write(whole(x), floatBytes(spread(x, values))))
		}
	}
	for _, y := range outputs {
		if y.Strided() {
			require.NoError(t, r.dev.Write(whole(y), floatBytes(spread(y, nil))))
		}
	}
	op := s.op
	for i, x := range inputs {
		op.Inputs = append(op.Inputs, graph.TensorID(i))
		if x == nil {
			op.Inputs[i] = graph.NoTensor
		}
	}
	step := &device.Step{Op: &op, Inputs: inputs, Outputs: outputs}
	require.True(t, r.dev.TakesRows(step))
	h, diags, err := r.dev.Prepare(step)
	require.NoError(t, err)
	require.Empty(t, diags)
	require.NoError(t, r.dev.Run(context.Background(), h))
	var out [][]float32
	for _, y := range outputs {
		if !y.Strided() {
			out = append(out, floatsIn(r.read(y)))
			continue
		}
		all := floatsIn(r.read(whole(y)))
		var values []float32
		for i, v := range all {
			if int64(i)%(y.Stride/4) < y.Row/4 {
				values = append(values, v)
			} else {
				require.Equal(t, between, v, "what lies between rows was written")
			}
		}
		out = append(out, values)
	}
	return out
}

func floatsIn(data []byte) []float32 {
	out := make([]float32, len(data)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return out
}

// Kernels give the same results wherever the rows of their operands and results lie, and leave what is between them alone.
func TestStridedOperandsAndResultsChangeNothing(t *testing.T) {
	last := func(more graph.Attrs) graph.Attrs {
		out := graph.Attrs{graph.AttrDataLayout: "NHWC", graph.AttrKernelLayout: "OHWI"}
		for name, v := range more {
			out[name] = v
		}
		return out
	}
	pads, window := []int64{1, 1, 1, 1}, []int64{3, 3}
	picture := func(c int64) graph.Shape { return graph.Shape{2, 5, 4, c} }
	for _, s := range []strided{
		{name: "a convolution", op: graph.Op{Op: "Conv", Attrs: last(graph.Attrs{"pads": pads})},
			inputs: []graph.Shape{picture(3), {9, 3, 3, 3}, {9}}, outputs: []graph.Shape{picture(9)}, rowIn: []int64{3}, rowOut: []int64{9}},
		{name: "a convolution in groups with steps", op: graph.Op{Op: "Conv", Attrs: last(graph.Attrs{"pads": pads, "group": int64(2), "strides": []int64{2, 2}})},
			inputs: []graph.Shape{picture(4), {6, 3, 3, 2}}, outputs: []graph.Shape{{2, 3, 2, 6}}, rowIn: []int64{4}, rowOut: []int64{6}},
		{name: "a convolution with a sum and activations", op: graph.Op{Op: "Conv", Fused: []string{"Conv", "Add", "Sigmoid", "Relu"}, Attrs: last(nil)},
			inputs: []graph.Shape{picture(3), {4, 1, 1, 3}, nil, picture(4)}, outputs: []graph.Shape{picture(4)}, rowIn: []int64{3}, rowOut: []int64{4}},
		{name: "a depthwise convolution", op: graph.Op{Op: "Conv", Fused: []string{"Conv", "Relu"}, Attrs: last(graph.Attrs{"pads": pads, "group": int64(5)})},
			inputs: []graph.Shape{picture(5), {5, 3, 3, 1}, {5}}, outputs: []graph.Shape{picture(5)}, rowIn: []int64{5}, rowOut: []int64{5}},
		{name: "rows of lines of pixels", op: graph.Op{Op: "Conv", Attrs: last(graph.Attrs{"pads": pads})},
			inputs: []graph.Shape{picture(3), {9, 3, 3, 3}}, outputs: []graph.Shape{picture(9)}, rowOut: []int64{36}},
		{name: "a transposed convolution", op: graph.Op{Op: "ConvTranspose", Attrs: last(graph.Attrs{"strides": []int64{2, 2}})},
			inputs: []graph.Shape{picture(3), {4, 2, 2, 3}}, outputs: []graph.Shape{{2, 10, 8, 4}}, rowIn: []int64{3}, rowOut: []int64{4}},
		{name: "a depthwise and a pointwise convolution in one", op: graph.Op{Op: "Conv", Fused: []string{"Conv", "Conv"}, Attrs: last(graph.Attrs{
			"pads": pads, "group": int64(5), "Conv." + graph.AttrDataLayout: "NHWC", "Conv." + graph.AttrKernelLayout: "OHWI"})},
			inputs: []graph.Shape{picture(5), {5, 3, 3, 1}, {5}, {4, 1, 1, 5}, {4}}, outputs: []graph.Shape{picture(4)}, rowIn: []int64{5}},
		{name: "a maximum", op: graph.Op{Op: "MaxPool", Attrs: last(graph.Attrs{"pads": pads, "kernel_shape": window})},
			inputs: []graph.Shape{picture(3)}, outputs: []graph.Shape{picture(3)}, rowIn: []int64{3}, rowOut: []int64{3}},
		{name: "a mean", op: graph.Op{Op: "AveragePool", Attrs: last(graph.Attrs{"pads": pads, "kernel_shape": window})},
			inputs: []graph.Shape{picture(3)}, outputs: []graph.Shape{picture(3)}, rowIn: []int64{3}, rowOut: []int64{12}},
		{name: "a norm", op: graph.Op{Op: "LpPool", Attrs: last(graph.Attrs{"pads": pads, "kernel_shape": window})},
			inputs: []graph.Shape{picture(3)}, outputs: []graph.Shape{picture(3)}, rowIn: []int64{3}, rowOut: []int64{3}},
		{name: "a pooling with the channels second", op: graph.Op{Op: "MaxPool", Attrs: graph.Attrs{"kernel_shape": window}},
			inputs: []graph.Shape{{2, 3, 5, 6}}, outputs: []graph.Shape{{2, 3, 3, 4}}, rowOut: []int64{36}},
		{name: "a mean of all pixels", op: graph.Op{Op: "GlobalAveragePool", Attrs: last(nil)}, inputs: []graph.Shape{picture(3)}, outputs: []graph.Shape{{2, 1, 1, 3}}, rowIn: []int64{3}},
		{name: "a maximum of all pixels", op: graph.Op{Op: "GlobalMaxPool", Attrs: last(nil)}, inputs: []graph.Shape{picture(3)}, outputs: []graph.Shape{{2, 1, 1, 3}}, rowIn: []int64{3}},
		{name: "a resize", op: graph.Op{Op: "Resize", Attrs: graph.Attrs{"mode": "linear"}}, constants: map[int][]int64{3: {2, 10, 8, 3}},
			inputs: []graph.Shape{picture(3), nil, nil, {4}}, outputs: []graph.Shape{{2, 10, 8, 3}}, rowOut: []int64{3}},
		{name: "a resize to what it was", op: graph.Op{Op: "Resize", Attrs: graph.Attrs{"mode": "nearest"}}, constants: map[int][]int64{3: {2, 5, 4, 3}},
			inputs: []graph.Shape{picture(3), nil, nil, {4}}, outputs: []graph.Shape{picture(3)}, rowOut: []int64{3}},
		{name: "a function", op: graph.Op{Op: "Sigmoid"}, inputs: []graph.Shape{picture(3)}, outputs: []graph.Shape{picture(3)}, rowIn: []int64{12}, rowOut: []int64{3}},
		{name: "a sum", op: graph.Op{Op: "Add", Fused: []string{"Add", "Relu"}}, inputs: []graph.Shape{picture(3), picture(3)}, outputs: []graph.Shape{picture(3)}, rowIn: []int64{3, 6}, rowOut: []int64{12}},
		{name: "a product with one of the last axis", op: graph.Op{Op: "Mul"}, inputs: []graph.Shape{picture(3), {3}}, outputs: []graph.Shape{picture(3)}, rowIn: []int64{3}, rowOut: []int64{3}},
		{name: "a product with one element", op: graph.Op{Op: "Mul"}, inputs: []graph.Shape{{1, 1, 1, 1}, picture(3)}, outputs: []graph.Shape{picture(3)}, rowIn: []int64{0, 3}},
		{name: "a concatenation", op: graph.Op{Op: "Concat", Attrs: graph.Attrs{"axis": int64(3)}}, inputs: []graph.Shape{picture(3), picture(5)}, outputs: []graph.Shape{picture(8)}, rowIn: []int64{3, 20}, rowOut: []int64{8}},
		{name: "a split", op: graph.Op{Op: "Split", Attrs: graph.Attrs{"axis": int64(2)}}, constants: map[int][]int64{1: {1, 3}},
			inputs: []graph.Shape{picture(3), {2}}, outputs: []graph.Shape{{2, 5, 1, 3}, {2, 5, 3, 3}}, rowIn: []int64{6}, rowOut: []int64{3, 9}},
	} {
		t.Run(s.name, func(t *testing.T) { require.Equal(t, s.run(t, false), s.run(t, true)) })
	}
}
