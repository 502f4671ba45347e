package array

import (
	"math"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var nan, inf = math.NaN(), math.Inf(1)

// arrayOf returns an array of the element type with the values converted to it.
func arrayOf(t testing.TB, d graph.DType, shape graph.Shape, values ...float64) *Array {
	t.Helper()
	from, err := Of(shape, values...)
	require.NoError(t, err)
	a := New(Type{d, from.Shape})
	require.NotNil(t, a)
	require.NoError(t, convert(a, from))
	return a
}

func floats(shape graph.Shape, values ...float64) operand {
	return operand{graph.Float32, shape, values}
}

func ints(shape graph.Shape, values ...float64) operand { return operand{graph.Int64, shape, values} }

func bools(shape graph.Shape, values ...float64) operand { return operand{graph.Bool, shape, values} }

// list is the shape of a list.
func list(n int64) graph.Shape { return graph.Shape{n} }

var scalar = graph.Shape{}

type operand struct {
	dtype  graph.DType
	shape  graph.Shape
	values []float64
}

var absent = operand{}

func (o operand) array(t testing.TB) *Array {
	t.Helper()
	if o.dtype == graph.InvalidDType {
		return nil
	}
	return arrayOf(t, o.dtype, o.shape, o.values...)
}

// example is one use of an op and its results.
type example struct {
	name   string
	op     string
	domain string
	attrs  graph.Attrs
	fused  []string
	inputs []operand
	wants  []operand
}

func runExamples(t *testing.T, examples []example) {
	t.Helper()
	for _, e := range examples {
		t.Run(e.op+" "+e.name, func(t *testing.T) { e.run(t) })
	}
}

func (e example) run(t *testing.T) {
	op := &graph.Op{Name: "node", Op: e.op, Domain: e.domain, Attrs: e.attrs, Fused: e.fused}
	kernel, ok := Lookup(op)
	require.True(t, ok)
	inputs := make([]*Array, len(e.inputs))
	for i, in := range e.inputs {
		inputs[i] = in.array(t)
	}
	for _, garbage := range []byte{0, 0xa5} {
		outputs := make([]*Array, len(e.wants))
		for i, want := range e.wants {
			outputs[i] = New(Type{want.dtype, want.shape})
			fill(outputs[i].Data, garbage)
		}
		require.NoError(t, kernel(op, outputs, inputs))
		for i, want := range e.wants {
			requireClose(t, want.values, outputs[i])
		}
	}
	e.perturb(t)
}

// requireClose compares within float32 rounding, or that of the halves.
func requireClose(t *testing.T, want []float64, got *Array) {
	t.Helper()
	values, err := got.Floats()
	require.NoError(t, err)
	require.Len(t, values, len(want))
	tolerance := 1e-6
	if isHalf(got) {
		tolerance = 1e-2
	}
	for i := range want {
		if values[i] == want[i] || (math.IsNaN(values[i]) && math.IsNaN(want[i])) {
			continue
		}
		require.InDelta(t, want[i], values[i], tolerance*max(1, math.Abs(want[i])), "element %d of %v, want %v", i, values, want)
	}
}

// refusal is a use of an op that has no meaning, and a part of what the error says of it.
type refusal struct {
	name   string
	op     string
	domain string
	attrs  graph.Attrs
	fused  []string
	inputs []operand
	types  []Type
	says   string
}

func runRefusals(t *testing.T, refusals []refusal) {
	t.Helper()
	for _, r := range refusals {
		t.Run(r.op+" "+r.name, func(t *testing.T) {
			op := &graph.Op{Name: "node", Op: r.op, Domain: r.domain, Attrs: r.attrs, Fused: r.fused}
			inputs := make([]*Array, len(r.inputs))
			for i, in := range r.inputs {
				inputs[i] = in.array(t)
			}
			_, err := Eval(op, inputs, r.types)
			require.Error(t, err)
			assert.Contains(t, err.Error(), r.says)
			assert.Contains(t, err.Error(), "node: ")
		})
	}
}

func one(d graph.DType, shape ...int64) []Type { return []Type{{d, append(graph.Shape{}, shape...)}} }

func TestAnArrayHoldsWhatItWasGiven(t *testing.T) {
	a, err := Of(graph.Shape{2, 2}, int16(1), -2, 3, -4)
	require.NoError(t, err)
	assert.Equal(t, "int16 [2, 2]", a.Type().String())
	assert.Equal(t, []int16{1, -2, 3, -4}, View[int16](a))
	whole, err := a.Ints()
	require.NoError(t, err)
	assert.Equal(t, []int64{1, -2, 3, -4}, whole)
	real, err := a.Floats()
	require.NoError(t, err)
	assert.Equal(t, []float64{1, -2, 3, -4}, real)
	_, err = Of(graph.Shape{3}, 1.5)
	assert.ErrorContains(t, err, "does not hold 1 values")
}

func TestAnArrayOfAnyTypeReadsBack(t *testing.T) {
	for d := graph.Float32; d <= graph.Bool; d++ {
		a := arrayOf(t, d, list(3), 0, 1, 1)
		v, err := a.Floats()
		require.NoError(t, err, d)
		assert.Equal(t, []float64{0, 1, 1}, v, d)
		whole, err := a.Ints()
		if d.IsFloat() {
			assert.ErrorContains(t, err, "are not integers")
			continue
		}
		require.NoError(t, err, d)
		assert.Equal(t, []int64{0, 1, 1}, whole, d)
	}
}

func TestWhatCannotBeAllocatedIsNil(t *testing.T) {
	for _, typ := range []Type{
		{graph.Float32, nil}, {graph.Float32, graph.Shape{graph.Unknown}}, {graph.InvalidDType, list(1)},
		{graph.Float32, graph.Shape{math.MaxInt64, 4}}, {graph.Uint8, list(MaxBytes + 1)},
	} {
		assert.Nil(t, New(typ), typ)
	}
	assert.Empty(t, New(Type{graph.Float64, graph.Shape{0, math.MaxInt64, math.MaxInt64}}).Data)
}

func TestAViewMayStartAtAnyAddress(t *testing.T) {
	data := make([]byte, 4*8+1)
	a := &Array{graph.Float32, list(8), data[1:]}
	put(a.Data, 3, float32(2.5))
	assert.Equal(t, float32(2.5), View[float32](a)[3])
	assert.Equal(t, a.Data, aligned(a).Data)
}

func TestIntsTooLargeForInt64AreRefused(t *testing.T) {
	a, err := Of(list(1), uint64(math.MaxUint64))
	require.NoError(t, err)
	_, err = a.Ints()
	assert.ErrorContains(t, err, "18446744073709551615")
	v, err := a.Floats()
	require.NoError(t, err)
	assert.Equal(t, []float64{math.MaxUint64}, v)
}

func TestComplexArraysMoveAndDoNotCount(t *testing.T) {
	a := New(Type{graph.Complex128, graph.Shape{2, 1}})
	a.Data[20] = 7
	out, err := Eval(&graph.Op{Name: "node", Op: "Transpose"}, []*Array{a}, one(graph.Complex128, 1, 2))
	require.NoError(t, err)
	assert.Equal(t, a.Data, out[0].Data)
	_, err = a.Floats()
	assert.Error(t, err)
	_, err = Eval(&graph.Op{Name: "node", Op: "Neg"}, []*Array{a}, one(graph.Complex128, 2, 1))
	assert.ErrorContains(t, err, "no arithmetic on complex128")
}

func TestLookupServesTwoDomains(t *testing.T) {
	for _, c := range []struct {
		domain, op string
		found      bool
	}{
		{"", "Add", true}, {"ai.onnx", "Add", true}, {"tflite", "Add", false}, {"tflite", "ReverseV2", true},
		{"", "ReverseV2", false}, {"", "Conv", false}, {"tflite.quantized", "Add", false}, {"com.example", "Add", false},
	} {
		_, ok := Lookup(&graph.Op{Op: c.op, Domain: c.domain})
		assert.Equal(t, c.found, ok, c)
	}
}

func TestKernelsCheckTheirArrays(t *testing.T) {
	x := floats(list(2), 1, 2)
	runRefusals(t, []refusal{
		{name: "with one operand", op: "Add", inputs: []operand{x}, types: one(graph.Float32, 2), says: "1 inputs are given, 2 are needed"},
		{name: "with an absent operand", op: "Add", inputs: []operand{x, absent}, types: one(graph.Float32, 2), says: "input 1 is absent"},
		{name: "with two results", op: "Add", inputs: []operand{x, x}, types: append(one(graph.Float32, 2), one(graph.Float32, 2)...), says: "2 outputs"},
		{name: "of an endless result", op: "Add", inputs: []operand{x, x}, types: one(graph.Float32, math.MaxInt64), says: "cannot be allocated"},
		{name: "is no light op", op: "Conv", inputs: []operand{x, x}, types: one(graph.Float32, 2), says: "no reference kernel computes Conv"},
	})
	short := &Array{graph.Float32, list(2), make([]byte, 7)}
	_, err := Eval(&graph.Op{Name: "node", Op: "Neg"}, []*Array{short}, one(graph.Float32, 2))
	assert.ErrorContains(t, err, "float32 [2] does not match 7 bytes")
	kernel, _ := Lookup(&graph.Op{Op: "Neg"})
	assert.ErrorContains(t, kernel(&graph.Op{Op: "Neg"}, []*Array{nil}, []*Array{x.array(t)}), "output 0 is absent")
	assert.ErrorContains(t, kernel(&graph.Op{Op: "Neg"}, []*Array{short}, []*Array{x.array(t)}), "output 0: ")
}
