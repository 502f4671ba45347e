package rewrite

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// builder makes graphs by name.
type builder struct {
	t *testing.T
	g graph.Graph
}

func newBuilder(t *testing.T) *builder {
	return &builder{t: t, g: graph.Graph{Name: "net", Format: "json"}}
}

func (b *builder) tensor(name string, role graph.Role, d graph.DType, shape ...int64) *graph.Tensor {
	b.g.Tensors = append(b.g.Tensors, graph.Tensor{Name: name, Role: role, DType: d, Shape: append(graph.Shape{}, shape...)})
	return &b.g.Tensors[len(b.g.Tensors)-1]
}

func (b *builder) input(name string, shape ...int64) {
	b.tensor(name, graph.Input, graph.Float32, shape...)
	b.g.Inputs = append(b.g.Inputs, b.g.ByName(name))
}

func (b *builder) constant(name string, values ...float32) {
	a, err := array.Of(graph.Shape{int64(len(values))}, values...)
	require.NoError(b.t, err)
	b.tensor(name, graph.Constant, graph.Float32, int64(len(values))).Data = graph.Bytes(a.Data)
}

func (b *builder) shape(name string, values ...int64) {
	a, err := array.Of(graph.Shape{int64(len(values))}, values...)
	require.NoError(b.t, err)
	b.tensor(name, graph.Constant, graph.Int64, int64(len(values))).Data = graph.Bytes(a.Data)
}

func (b *builder) output(name string) {
	b.g.Outputs = append(b.g.Outputs, b.g.ByName(name))
}

// op adds an op called after its first result; "" is an absent operand.
func (b *builder) op(op string, outputs []string, inputs ...string) *graph.Op {
	ids := func(names []string) []graph.TensorID {
		list := []graph.TensorID{}
		for _, n := range names {
			list = append(list, b.g.ByName(n))
		}
		return list
	}
	b.g.Ops = append(b.g.Ops, graph.Op{Name: outputs[0], Op: op, Inputs: ids(inputs), Outputs: ids(outputs)})
	return &b.g.Ops[len(b.g.Ops)-1]
}

func (b *builder) fold(known map[graph.TensorID]*array.Array) (*graph.Graph, []Note) {
	require.NoError(b.t, b.g.Validate())
	g, notes := Fold(&b.g, known)
	require.NoError(b.t, g.Validate())
	return g, notes
}

func names(g *graph.Graph) (tensors, ops []string) {
	for i := range g.Tensors {
		tensors = append(tensors, g.Tensors[i].Name)
	}
	for i := range g.Ops {
		ops = append(ops, g.Ops[i].Name)
	}
	return tensors, ops
}

func content(t *testing.T, g *graph.Graph, name string) []float64 {
	tensor := g.Tensor(g.ByName(name))
	require.NotNil(t, tensor, name)
	require.Equal(t, graph.Constant, tensor.Role)
	data, err := tensor.Data.Read()
	require.NoError(t, err)
	require.Equal(t, tensor.Data.Size(), int64(len(data)))
	values, err := (&array.Array{DType: tensor.DType, Shape: tensor.Shape, Data: data}).Floats()
	require.NoError(t, err)
	return values
}

// unreadable is content that planning must not touch.
type unreadable int64

func (u unreadable) Size() int64 { return int64(u) }

func (unreadable) Read() ([]byte, error) { return nil, errors.New("the disk is gone") }

func TestWeightsAreFoldedWhenTheyAreRead(t *testing.T) {
	b := newBuilder(t)
	b.input("x", 2)
	b.tensor("half", graph.Constant, graph.Float16, 2).Data = graph.Bytes{0, 0x3c, 0, 0x40}
	b.constant("one", 1)
	b.tensor("wide", graph.Activation, graph.Float32, 2)
	b.tensor("sum", graph.Activation, graph.Float32, 2)
	b.tensor("y", graph.Output, graph.Float32, 2)
	b.op("Cast", []string{"wide"}, "half")
	b.op("Add", []string{"sum"}, "wide", "one")
	b.op("Mul", []string{"y"}, "x", "sum")
	b.output("y")
	g, notes := b.fold(nil)
	tensors, ops := names(g)
	assert.Equal(t, []string{"x", "sum", "y"}, tensors)
	assert.Equal(t, []string{"y"}, ops)
	assert.Equal(t, []float64{2, 3}, content(t, g, "sum"))
	assert.Equal(t, []Note{
		{Rewrite: "fold", Op: "wide", Tensors: []string{"wide"}, HalfBytes: 4, FloatBytes: 8, Because: "all its inputs are constants"},
		{Rewrite: "fold", Op: "sum", Tensors: []string{"sum"}, Because: "all its inputs are constants"},
	}, notes)
	before, _ := names(&b.g)
	assert.Equal(t, []string{"x", "half", "one", "wide", "sum", "y"}, before, "the source is not changed")
	assert.Equal(t, graph.Activation, b.g.Tensors[4].Role)
}

func TestNoWeightIsReadWhileFolding(t *testing.T) {
	b := newBuilder(t)
	b.input("x", 1024)
	b.tensor("w", graph.Constant, graph.Int8, 1024).Data = unreadable(1024)
	b.constant("scale", 0.5)
	b.tensor("wide", graph.Activation, graph.Float32, 1024)
	b.tensor("y", graph.Output, graph.Float32, 1024)
	b.op("DequantizeLinear", []string{"wide"}, "w", "scale")
	b.op("Mul", []string{"y"}, "x", "wide")
	b.output("y")
	g, _ := b.fold(nil)
	wide := g.Tensor(g.ByName("wide"))
	assert.Equal(t, int64(4096), wide.Data.Size())
	_, err := wide.Data.Read()
	assert.ErrorContains(t, err, `folding "wide": input 0: the disk is gone`)
}

func TestKnownValuesCutOffWhatLedToThem(t *testing.T) {
	b := newBuilder(t)
	b.input("x", 2, 3)
	b.tensor("extents", graph.Activation, graph.Int64, 2)
	b.tensor("rows", graph.Activation, graph.Int64, 1)
	b.shape("start", 0)
	b.shape("end", 1)
	b.tensor("squared", graph.Activation, graph.Float32, 2, 3)
	b.tensor("count", graph.Activation, graph.Int64)
	b.tensor("y", graph.Output, graph.Float32, 2, 3)
	b.op("Shape", []string{"extents"}, "x")
	b.op("Mul", []string{"squared"}, "x", "x")
	b.op("Size", []string{"count"}, "squared")
	b.op("Slice", []string{"rows"}, "extents", "start", "end")
	b.op("Custom", []string{"y"}, "x", "rows", "count")
	b.output("y")
	rows, _ := array.Of(graph.Shape{1}, int64(2))
	count, _ := array.Of(graph.Shape{}, int64(6))
	g, notes := b.fold(map[graph.TensorID]*array.Array{b.g.ByName("rows"): rows, b.g.ByName("count"): count})
	tensors, ops := names(g)
	assert.Equal(t, []string{"x", "rows", "count", "y"}, tensors)
	assert.Equal(t, []string{"y"}, ops)
	assert.Equal(t, []float64{2}, content(t, g, "rows"))
	assert.Equal(t, []float64{6}, content(t, g, "count"))
	assert.Equal(t, Note{Rewrite: "fold", Op: "squared", Because: "nothing reads its results any more"}, notes[2])
	assert.Equal(t, "extents", notes[3].Op)
}

func TestKnownValuesOfAnotherTypeAreIgnored(t *testing.T) {
	b := newBuilder(t)
	b.input("x", 2)
	b.tensor("y", graph.Output, graph.Float32, 2)
	b.op("Neg", []string{"y"}, "x")
	b.output("y")
	wrong, _ := array.Of(graph.Shape{2}, int64(1), 2)
	short := &array.Array{DType: graph.Float32, Shape: graph.Shape{2}}
	for _, known := range []*array.Array{wrong, short} {
		g, notes := b.fold(map[graph.TensorID]*array.Array{b.g.ByName("y"): known, b.g.ByName("x"): wrong})
		assert.Len(t, g.Ops, 1)
		assert.Empty(t, notes)
	}
}

func TestAnOpWithOneUnknownResultStays(t *testing.T) {
	b := newBuilder(t)
	b.input("x", 2)
	b.tensor("a", graph.Output, graph.Float32, 1)
	b.tensor("b", graph.Output, graph.Float32, 1)
	b.tensor("unread", graph.Activation, graph.Float32, 0)
	b.op("Split", []string{"a", "b", "unread"}, "x")
	b.output("a")
	b.output("b")
	known, _ := array.Of(graph.Shape{1}, float32(1))
	g, _ := b.fold(map[graph.TensorID]*array.Array{0: known, b.g.ByName("a"): known})
	assert.Len(t, g.Ops, 1)
	g, _ = b.fold(map[graph.TensorID]*array.Array{b.g.ByName("a"): known, b.g.ByName("b"): known})
	assert.Empty(t, g.Ops)
	tensors, _ := names(g)
	assert.Equal(t, []string{"x", "a", "b"}, tensors)
}

func TestAnOutputThatIsConstantStaysAnOutput(t *testing.T) {
	b := newBuilder(t)
	b.constant("c", 1, 2)
	b.tensor("same", graph.Output, graph.Float32, 2)
	b.tensor("negative", graph.Output, graph.Float32, 2)
	b.op("Identity", []string{"same"}, "c")
	b.op("Neg", []string{"negative"}, "same")
	b.output("negative")
	b.output("same")
	g, _ := b.fold(nil)
	tensors, ops := names(g)
	assert.Equal(t, []string{"same", "negative"}, tensors)
	assert.Empty(t, ops)
	assert.Equal(t, []graph.TensorID{1, 0}, g.Outputs)
	assert.Equal(t, []float64{-1, -2}, content(t, g, "negative"))
	assert.Equal(t, []float64{1, 2}, content(t, g, "same"))
}

func TestCopiesOfAConstantAreReadAtTheirSource(t *testing.T) {
	b := newBuilder(t)
	b.input("x", 2)
	b.constant("w", 1, 2)
	for _, name := range []string{"w1", "w2"} {
		b.tensor(name, graph.Activation, graph.Float32, 2)
	}
	b.tensor("sum", graph.Activation, graph.Float32, 2)
	b.tensor("y", graph.Output, graph.Float32, 2)
	b.op("Identity", []string{"w1"}, "w")
	b.op("Identity", []string{"w2"}, "w1")
	b.op("Add", []string{"sum"}, "x", "w2")
	b.op("Mul", []string{"y"}, "sum", "w")
	b.output("y")
	g, notes := b.fold(nil)
	tensors, _ := names(g)
	assert.Equal(t, []string{"x", "w", "sum", "y"}, tensors, "the constant is there once")
	assert.Equal(t, g.ByName("w"), g.Ops[0].Inputs[1])
	assert.Equal(t, `it copies the constant "w"`, notes[1].Because)
}

func TestRenamingAxesOfAWeightCopiesNothing(t *testing.T) {
	b := newBuilder(t)
	b.input("x", 2, 1)
	b.constant("w", 1, 2)
	b.shape("to", 2, 1)
	b.tensor("column", graph.Activation, graph.Float32, 2, 1)
	b.tensor("y", graph.Output, graph.Float32, 2, 1)
	b.op("Reshape", []string{"column"}, "w", "to")
	b.op("Add", []string{"y"}, "x", "column")
	b.output("y")
	g, _ := b.fold(nil)
	assert.Equal(t, b.g.Tensors[1].Data, g.Tensor(g.ByName("column")).Data)
}

func TestWhatDependsOnInputsStays(t *testing.T) {
	b := newBuilder(t)
	b.input("x", 2)
	b.constant("given by name only", 1, 2)
	b.g.Tensors[1].Data = nil
	for _, name := range []string{"copied", "kept", "random", "dead", "open"} {
		b.tensor(name, graph.Activation, graph.Float32, 2)
	}
	b.tensor("y", graph.Output, graph.Float32, 2)
	b.op("Identity", []string{"copied"}, "x")
	b.op("Dropout", []string{"kept"}, "copied", "")
	b.op("RandomNormal", []string{"random"})
	b.op("Neg", []string{"dead"}, "x")
	b.op("Neg", []string{"open"}, "given by name only")
	b.op("Sum", []string{"y"}, "kept", "random", "open")
	b.output("y")
	g, notes := b.fold(nil)
	assert.Empty(t, notes)
	assert.Equal(t, b.g, *g)
}

func TestStateIsWrittenAndUnexactShapesStay(t *testing.T) {
	b := newBuilder(t)
	b.constant("c", 1, 2)
	b.tensor("state", graph.State, graph.Float32, 2)
	b.tensor("bound", graph.Output, graph.Float32, 2).UpperBound = true
	b.tensor("later", graph.Output, graph.Float32).Shape = nil
	b.op("Identity", []string{"state"}, "c")
	b.op("Neg", []string{"bound"}, "c")
	b.op("Neg", []string{"later"}, "c")
	b.output("bound")
	b.output("later")
	known, _ := array.Of(graph.Shape{2}, float32(1), 2)
	g, _ := b.fold(map[graph.TensorID]*array.Array{b.g.ByName("bound"): known})
	assert.Len(t, g.Ops, 3)
}

func TestFusedOpsFoldWithTheirActivations(t *testing.T) {
	b := newBuilder(t)
	b.constant("c", -3, 2)
	b.tensor("y", graph.Output, graph.Float32, 2)
	b.tensor("z", graph.Output, graph.Float32, 2)
	b.op("Add", []string{"y"}, "c", "c").Fused = []string{"Add", "Relu"}
	b.op("Add", []string{"z"}, "c", "c").Fused = []string{"Add", "Softmax"}
	b.output("y")
	b.output("z")
	g, _ := b.fold(nil)
	assert.Equal(t, []float64{0, 4}, content(t, g, "y"))
	_, ops := names(g)
	assert.Equal(t, []string{"z"}, ops)
}

func TestFoldingStaysWithinItsBudget(t *testing.T) {
	const big = maxFolded/4 + 1
	expand := func(t *testing.T, n int64) []Note {
		b := newBuilder(t)
		b.constant("c", 1)
		b.shape("to", n)
		b.tensor("y", graph.Output, graph.Float32, n)
		b.op("Expand", []string{"y"}, "c", "to")
		b.output("y")
		_, notes := b.fold(nil)
		return notes
	}
	assert.False(t, expand(t, big-1)[0].Kept)
	assert.Equal(t, []Note{{
		Rewrite: "fold", Op: "y", Kept: true,
		Because: fmt.Sprintf("its result of float32 [%d] exceeds the %d bytes that folding may make of its inputs", big, maxFolded),
	}}, expand(t, big))
	assert.True(t, expand(t, math.MaxInt64)[0].Kept)
}

func TestDoublingWorkStopsInTime(t *testing.T) {
	b := newBuilder(t)
	b.tensor("t0", graph.Constant, graph.Float32, 1<<20).Data = unreadable(4 << 20)
	for i := 1; i <= 40; i++ {
		b.tensor(fmt.Sprintf("t%d", i), graph.Activation, graph.Float32, 1<<20)
		before := fmt.Sprintf("t%d", i-1)
		b.op("Add", []string{fmt.Sprintf("t%d", i)}, before, before)
	}
	b.output("t40")
	g, notes := b.fold(nil)
	require.Len(t, notes, 7)
	assert.True(t, notes[6].Kept)
	assert.Equal(t, "computing its result takes 533196800 bytes, more than the 268435456 that folding may use", notes[6].Because)
	assert.Len(t, g.Ops, 34)
}

func TestLongChainsStopInTime(t *testing.T) {
	b := newBuilder(t)
	b.constant("t0", 1)
	for i := 1; i <= maxDepth+10; i++ {
		b.tensor(fmt.Sprintf("t%d", i), graph.Activation, graph.Float32, 1)
		b.op("Neg", []string{fmt.Sprintf("t%d", i)}, fmt.Sprintf("t%d", i-1))
	}
	last := fmt.Sprintf("t%d", maxDepth+10)
	b.output(last)
	g, notes := b.fold(nil)
	assert.Len(t, g.Ops, 10)
	assert.Equal(t, "a chain of 256 folded ops leads to it, the longest allowed", notes[maxDepth].Because)
	assert.Equal(t, []float64{1}, content(t, g, fmt.Sprintf("t%d", maxDepth)))
}

func TestFoldingTwiceChangesNothingMore(t *testing.T) {
	b := newBuilder(t)
	b.input("x", 2)
	b.constant("c", 1, 2)
	b.tensor("n", graph.Activation, graph.Float32, 2)
	b.tensor("y", graph.Output, graph.Float32, 2)
	b.op("Neg", []string{"n"}, "c")
	b.op("Add", []string{"y"}, "x", "n")
	b.output("y")
	once, _ := b.fold(nil)
	twice, notes := Fold(once, nil)
	assert.Empty(t, notes)
	before, _ := names(once)
	after, _ := names(twice)
	assert.Equal(t, before, after)
}
