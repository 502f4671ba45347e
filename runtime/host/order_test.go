package host_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/host"
)

// orderedStep is an op with the content of its operands; the first may lie over the result.
type orderedStep struct {
	op     *graph.Op
	inputs []given
	dtypes []graph.DType
	out    graph.Shape
	result graph.DType
}

// diagonal finds how far above the result the planner lets the first operand start.
func (s *orderedStep) diagonal() (int64, bool) {
	g := &graph.Graph{}
	op := *s.op
	op.Inputs, op.Outputs = nil, []graph.TensorID{0}
	g.Tensors = append(g.Tensors, graph.Tensor{Name: "y", DType: s.result, Shape: s.out})
	for i, in := range s.inputs {
		op.Inputs = append(op.Inputs, graph.TensorID(i+1))
		g.Tensors = append(g.Tensors, graph.Tensor{Name: in.name, DType: s.dtypes[i], Shape: in.shape})
	}
	found := g.Diagonals(&op)
	if len(found) == 0 {
		return 0, false
	}
	return found[0].Distance, true
}

// run computes the step. Not less than nil, distance puts the first operand so many bytes above the result.
func (s *orderedStep) run(t testing.TB, workers, held int, distance *int64) []byte {
	r := rigWith(t, host.Options{Workers: workers, Held: held})
	y := r.tensor("y", graph.Output, s.result, s.out, nil)
	step := &device.Step{Op: s.op, Outputs: []*device.Tensor{y}}
	for i, in := range s.inputs {
		data := floatBytes(in.content)
		if size := s.dtypes[i].Size(); size != 4 {
			data = make([]byte, int64(len(in.content))*size)
			for k, v := range in.content {
				data[int64(k)*size] = byte(int8(v))
			}
		}
		step.Inputs = append(step.Inputs, r.tensor(in.name, in.role, s.dtypes[i], in.shape, data))
	}
	if distance != nil {
		step.Diagonal = &device.Diagonal{Distance: *distance}
		step.Inputs[0].Place.Offset = y.Place.Offset + (*distance+3)/4*4
		r.bytes = max(r.bytes, step.Inputs[0].Place.Offset+step.Inputs[0].LogicalBytes)
		require.True(t, r.dev.KeepsOrder(step))
		// What else the step reads lies behind both.
		for _, other := range step.Inputs[1:] {
			other.Place.Offset = (r.bytes + 3) / 4 * 4
			r.bytes = other.Place.Offset + other.LogicalBytes
		}
	}
	r.open()
	require.NoError(t, r.dev.Write(step.Inputs[0], r.data[step.Inputs[0]])) // it may have been uploaded before y's zeros
	h, diags, err := r.dev.Prepare(step)
	require.NoError(t, err)
	require.Empty(t, diags)
	require.NoError(t, r.dev.Run(context.Background(), h))
	return r.read(y)
}

func TestAResultOverItsOperandIsTheSame(t *testing.T) {
	for name, draw := range map[string]func(*rapid.T) *orderedStep{"convolution": orderedConv, "pooling": orderedPool, "resize": orderedResize, "cast": orderedCast} {
		t.Run(name, func(t *testing.T) {
			overlapping := 0
			rapid.Check(t, func(rt *rapid.T) {
				s := draw(rt)
				distance, ok := s.diagonal()
				if !ok {
					return
				}
				overlapping++
				want := s.run(t, 1, 0, nil)
				for _, workers := range []int{1, 3} {
					held := rapid.SampledFrom([]int{1, 100, 1 << 20}).Draw(rt, "held")
					require.Equal(t, want, s.run(t, workers, held, &distance), "%d workers, %d bytes held", workers, held)
				}
			})
			require.Positive(t, overlapping)
		})
	}
}

func orderedConv(t *rapid.T) *orderedStep {
	c := rapid.Custom(anyConv).Filter(func(c convCase) bool {
		h, w := c.outSize()
		return h > 0 && w > 0 && !c.transposed && (c.last || c.ic == 1 && c.oc == 1)
	}).Draw(t, "case")
	ex, ew, ey := c.extents()
	s := &orderedStep{op: c.op(), out: shapeIn(c.dataLayout(), ey), result: graph.Float32, dtypes: []graph.DType{graph.Float32, graph.Float32}, inputs: []given{
		{"x", graph.Input, shapeIn(c.dataLayout(), ex), small(c.n*ex['C']*c.h*c.w, 1)},
		{"w", graph.Constant, shapeIn(c.kernelLayout, ew), small(ew['O']*ew['I']*c.kh*c.kw, 2)},
	}}
	if !c.relu && rapid.Bool().Draw(t, "activation of its own") {
		s.op.Fused = []string{"Conv", "HardSwish"}
	}
	return s
}

func orderedPool(t *rapid.T) *orderedStep {
	draw := func(name string, lo, hi int64) int64 { return rapid.Int64Range(lo, hi).Draw(t, name) }
	k := draw("kernel", 1, 3)
	n, c, h, w, stride, pad := draw("n", 1, 2), draw("c", 1, 5), draw("h", 3, 9), draw("w", 3, 9), draw("stride", 1, 3), draw("pad", 0, k-1)
	in, out := graph.Shape{n, c, h, w}, graph.Shape{n, c, (h+2*pad-k)/stride + 1, (w+2*pad-k)/stride + 1}
	attrs := graph.Attrs{"kernel_shape": []int64{k, k}, "strides": []int64{stride, stride}, "pads": []int64{pad, pad, pad, pad}}
	if rapid.Bool().Draw(t, "last") {
		attrs[graph.AttrDataLayout] = "NHWC"
		in, out = graph.Shape{n, h, w, c}, graph.Shape{n, out[2], out[3], c}
	}
	dtype := graph.Float32
	op := &graph.Op{Name: "pool", Op: rapid.SampledFrom([]string{"MaxPool", "AveragePool", "LpPool"}).Draw(t, "op"), Attrs: attrs}
	if op.Op == "MaxPool" && rapid.Bool().Draw(t, "bytes") {
		dtype = graph.Int8
	}
	return &orderedStep{op: op, out: out, result: dtype, dtypes: []graph.DType{dtype}, inputs: []given{{"x", graph.Input, in, small(int(n*c*h*w), 1)}}}
}

func orderedResize(t *rapid.T) *orderedStep {
	rank := rapid.IntRange(2, 4).Draw(t, "rank")
	in, out := make(graph.Shape, rank), make(graph.Shape, rank)
	total := int64(1)
	for i := range in {
		in[i] = rapid.Int64Range(1, 5).Draw(t, "in")
		out[i] = rapid.SampledFrom([]int64{in[i], 2 * in[i], (in[i] + 1) / 2}).Draw(t, "out")
		total *= in[i]
	}
	if slices.Equal(in, out) {
		out[0] *= 2
	}
	op := &graph.Op{Name: "resize", Op: "Resize", Attrs: graph.Attrs{
		"mode":                           rapid.SampledFrom([]string{"nearest", "linear", "cubic"}).Draw(t, "mode"),
		"coordinate_transformation_mode": rapid.SampledFrom([]string{"half_pixel", "asymmetric", "align_corners"}).Draw(t, "coordinates"),
	}}
	return &orderedStep{op: op, out: out, result: graph.Float32, dtypes: []graph.DType{graph.Float32}, inputs: []given{{"x", graph.Input, in, small(int(total), 1)}}}
}

func orderedCast(t *rapid.T) *orderedStep {
	shape := graph.Shape{rapid.Int64Range(1, 40).Draw(t, "elements")}
	op := &graph.Op{Name: "cast", Op: "Cast", Attrs: graph.Attrs{"to": int64(1)}}
	s := &orderedStep{op: op, out: shape, result: graph.Float32, dtypes: []graph.DType{graph.Int8}, inputs: []given{{"x", graph.Input, shape, small(int(shape[0]), 1)}}}
	if rapid.Bool().Draw(t, "narrowing") {
		op.Attrs["to"], s.result, s.dtypes[0] = int64(3), graph.Int8, graph.Float32
	}
	return s
}

func TestStepsWithADiagonalAllocateNothing(t *testing.T) {
	r := rigWith(t, host.Options{Workers: 2, Held: 1})
	y := r.floats("y", graph.Output, graph.Shape{1, 40, 40, 8}, nil)
	x := r.floats("x", graph.Input, graph.Shape{1, 40, 40, 8}, small(40*40*8, 1))
	w := r.floats("w", graph.Constant, graph.Shape{8, 3, 3, 8}, small(8*9*8, 2))
	x.Place.Offset = y.Place.Offset + 2*40*8*4
	r.open()
	op := &graph.Op{Name: "conv", Op: "Conv", Attrs: graph.Attrs{graph.AttrDataLayout: "NHWC", graph.AttrKernelLayout: "OHWI", "pads": []int64{1, 1, 1, 1}}}
	h, diags, err := r.dev.Prepare(&device.Step{Op: op, Inputs: []*device.Tensor{x, w}, Outputs: []*device.Tensor{y}, Diagonal: &device.Diagonal{Distance: 40 * 8 * 4}})
	require.NoError(t, err)
	require.Empty(t, diags)
	before := r.dev.Counters()
	require.Zero(t, testing.AllocsPerRun(5, func() { require.NoError(t, r.dev.Run(context.Background(), h)) }))
	require.Equal(t, before, r.dev.Counters())
	// The weights in the kernel's order, and one row.
	require.Equal(t, int64(8*9*8*4+40*8*4), before.WorkspaceBytes)
}
