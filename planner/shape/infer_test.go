package shape_test

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/shape"
)

// build makes graphs by name.
type build struct {
	g   *graph.Graph
	ids map[string]graph.TensorID
}

func newBuild() *build {
	return &build{g: &graph.Graph{Format: "onnx"}, ids: map[string]graph.TensorID{}}
}

// tensor adds a tensor, or returns the one of that name.
func (b *build) tensor(name string, t operand) graph.TensorID {
	if id, ok := b.ids[name]; ok {
		return id
	}
	t.Name = name
	b.ids[name] = graph.TensorID(len(b.g.Tensors))
	b.g.Tensors = append(b.g.Tensors, *t)
	return b.ids[name]
}

// input adds a float32 input; its extents are numbers or the names of open dimensions.
func (b *build) input(name string, extents ...any) *build {
	b.open(name, graph.Input, extents...)
	return b
}

// output states the shape of a result, as input does.
func (b *build) output(name string, extents ...any) *build {
	b.open(name, graph.Output, extents...)
	return b
}

func (b *build) open(name string, role graph.Role, extents ...any) {
	t := &graph.Tensor{Role: role, DType: graph.Float32, Shape: graph.Shape{}, Symbols: make([]string, len(extents))}
	for i, e := range extents {
		switch e := e.(type) {
		case int:
			t.Shape = append(t.Shape, int64(e))
		case string:
			t.Shape, t.Symbols[i] = append(t.Shape, graph.Unknown), e
		}
	}
	b.tensor(name, t)
}

// constant adds a constant.
func (b *build) constant(name string, t operand) *build {
	b.tensor(name, t)
	return b
}

// op adds an op that writes one tensor of that name, as the op is called itself.
func (b *build) op(kind, name string, attrs graph.Attrs, inputs ...string) *build {
	op := graph.Op{Name: name, Op: kind, Attrs: attrs}
	for _, in := range inputs {
		op.Inputs = append(op.Inputs, b.tensor(in, &graph.Tensor{Role: graph.Activation}))
	}
	op.Outputs = []graph.TensorID{b.tensor(name, &graph.Tensor{Role: graph.Activation})}
	b.g.Ops = append(b.g.Ops, op)
	return b
}

func (b *build) get(name string) *graph.Tensor { return b.g.Tensor(b.ids[name]) }

func (b *build) shape(name string) string { return b.get(name).Shape.String() }

type dims = map[string]shape.Dim

func TestDimensionsAreBoundByNameEverywhere(t *testing.T) {
	b := newBuild().input("x", "N", 3).input("y", "N", 1).output("sum", "N", 3).op("Add", "sum", nil, "x", "y")
	_, diags := shape.Infer(b.g, dims{"N": {Value: 4}})
	require.Empty(t, describe(diags))
	assert.Equal(t, "[4, 3]", b.shape("x"))
	assert.Equal(t, "[4, 1]", b.shape("y"))
	assert.Equal(t, "[4, 3]", b.shape("sum"))
	assert.False(t, b.get("sum").UpperBound)
}

func TestUnnamedOpenAxesHaveNames(t *testing.T) {
	b := newBuild().input("x", "", 32).op("Relu", "y", nil, "x")
	_, diags := shape.Infer(b.g, nil)
	requireOnly(t, diags, "MP0400", `"x_axis0" (axis 0 of input "x"`, "[?, 32]", "the size you run at", "dims = { x_axis0 = SIZE }", "-dim x_axis0=SIZE")

	_, diags = shape.Infer(b.g, dims{"x_axis0": {Value: 7}})
	require.Empty(t, describe(diags))
	assert.Equal(t, "[7, 32]", b.shape("y"))
	assert.Equal(t, []string{"x_axis0", ""}, b.get("x").Symbols)
}

func TestABoundGraphCanBeBoundAgain(t *testing.T) {
	b := newBuild().input("x", "", 32).op("Relu", "y", nil, "x")
	for _, n := range []int64{7, 9} {
		b.get("y").Shape = nil
		_, diags := shape.Infer(b.g, dims{"x_axis0": {Value: n}})
		require.Empty(t, describe(diags))
		assert.Equal(t, graph.Shape{n, 32}, b.get("y").Shape)
	}
}

func TestUnboundDimensionsAreReportedTogetherAndOnce(t *testing.T) {
	b := newBuild().input("x", "N", "H/2").input("y", "N", "the width").op("Add", "sum", nil, "x", "y")
	_, diags := shape.Infer(b.g, nil)
	requireOnly(t, diags, "MP0400", `The dimensions "N" (axis 0 of input "x"`, `"H/2" (axis 1 of input "x"`, `and "the width" (axis 1 of input "y"`, "the sizes you run at",
		`dims = { N = SIZE, "H/2" = SIZE, "the width" = SIZE }`, "-dim N=SIZE -dim H/2=SIZE -dim 'the width=SIZE'")
}

func TestEntriesOfDimsAreChecked(t *testing.T) {
	b := newBuild().input("x", "batch", "height").op("Relu", "y", nil, "x")
	_, diags := shape.Infer(b.g, dims{"batch": {Value: 1}, "height": {Value: 2}, "hieght": {Value: 2}})
	requireOnly(t, diags, "MP0401", `"hieght"`, `"batch" and "height"`, `Did you mean "height"?`)

	b = newBuild().input("x", 3).op("Relu", "y", nil, "x")
	_, diags = shape.Infer(b.g, dims{"N": {Value: 1}})
	requireOnly(t, diags, "MP0401", "All of its dimensions are fixed")

	b = newBuild().input("x", "N").op("Relu", "y", nil, "x")
	_, diags = shape.Infer(b.g, dims{"N": {Value: 0}})
	requireOnly(t, diags, "MP0402", `"N" is bound to 0`)
}

func TestLongListsOfDimensionsAreCut(t *testing.T) {
	b := newBuild().input("x", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "b1", "b2", "b3", "b4", "b5")
	bound := dims{"unlike": {Value: 1}}
	for _, name := range b.get("x").Symbols {
		bound[name] = shape.Dim{Value: 1}
	}
	_, diags := shape.Infer(b.g, bound)
	requireOnly(t, diags, "MP0401", "2 more")
}

func TestABoundOfADimensionMarksWhatDependsOnIt(t *testing.T) {
	b := newBuild().input("x", "N", 4).input("z", 2).constant("two", ints(2)).constant("zero", ints(0))
	b.op("Relu", "y", nil, "x").op("Relu", "free", nil, "z")
	b.op("Shape", "extents", nil, "x").op("Gather", "batch", nil, "extents", "zero").op("Concat", "target", graph.Attrs{"axis": int64(0)}, "two", "batch")
	b.op("ConstantOfShape", "filled", nil, "target").op("Expand", "fixed", nil, "z", "two")
	result, diags := shape.Infer(b.g, dims{"N": {Value: 8, Max: true}})
	require.Empty(t, describe(diags))
	marked := []string{}
	for i := range b.g.Tensors {
		if b.g.Tensors[i].UpperBound {
			marked = append(marked, b.g.Tensors[i].Name)
		}
	}
	assert.Equal(t, []string{"x", "y", "filled"}, marked)
	assert.Equal(t, "[2, 8]", b.shape("filled"))
	assert.Empty(t, result.Known, "values change with the extent that the graph runs with")
}

func TestDataDependentAxesCanBeBound(t *testing.T) {
	b := newBuild().input("x", 2, 3).op("NonZero", "found", nil, "x").op("Transpose", "rows", nil, "found")
	_, diags := shape.Infer(b.g, dims{"found_axis1": {Value: 5, Max: true}})
	require.Empty(t, describe(diags))
	assert.Equal(t, "[5, 2]", b.shape("rows"))
	assert.True(t, b.get("rows").UpperBound)

	b = newBuild().input("x", 2, 3).output("found", 2, "K").op("NonZero", "found", nil, "x")
	b.get("found").DType = graph.Int64
	_, diags = shape.Infer(b.g, dims{"K": {Value: 5}})
	require.Empty(t, describe(diags))
	assert.Equal(t, "[2, 5]", b.shape("found"))

	b = newBuild().input("x", 2, 3).output("found", 2, 4).op("NonZero", "found", nil, "x")
	b.get("found").DType = graph.Int64
	_, diags = shape.Infer(b.g, nil)
	require.Empty(t, describe(diags))
	assert.Equal(t, "[2, 4]", b.shape("found"))
}

func TestShapeArithmeticSteersShapes(t *testing.T) {
	b := newBuild().input("x", 2, 3, 4).constant("from", ints(0)).constant("to", ints(1)).constant("rest", ints(-1))
	b.op("Shape", "extents", nil, "x").op("Slice", "batch", nil, "extents", "from", "to")
	b.op("Concat", "target", graph.Attrs{"axis": int64(0)}, "batch", "rest").op("Reshape", "y", nil, "x", "target")
	result, diags := shape.Infer(b.g, nil)
	require.Empty(t, describe(diags))
	assert.Equal(t, "[2, 12]", b.shape("y"))
	assert.Len(t, result.Known, 3, "extents, batch and target")
	assert.NotContains(t, result.Known, b.ids["rest"], "constants of the graph are not repeated")
}

func TestLargeValuesAreNotEvaluated(t *testing.T) {
	b := newBuild().constant("small", reals(make([]float32, 2048)...)).constant("large", reals(make([]float32, 2049)...))
	b.op("Neg", "a", nil, "small").op("Neg", "b", nil, "large")
	result, diags := shape.Infer(b.g, nil)
	require.Empty(t, describe(diags))
	assert.Contains(t, result.Known, b.ids["a"])
	assert.NotContains(t, result.Known, b.ids["b"])
}

func TestFusedOpsAreNotEvaluatedAsTheirFirst(t *testing.T) {
	b := newBuild().constant("c", reals(-1)).constant("d", reals(2)).op("Add", "y", nil, "c", "c", "d")
	b.g.Ops[0].Fused = []string{"Add", "Mul"}
	result, diags := shape.Infer(b.g, nil)
	require.Empty(t, describe(diags))
	assert.Equal(t, "[1]", b.shape("y"))
	assert.Empty(t, result.Known)
}

func TestInferredTypesOverrideStatedOnes(t *testing.T) {
	b := newBuild().input("x", 2, 3).output("y", 2, 4).op("Relu", "y", nil, "x")
	_, diags := shape.Infer(b.g, nil)
	requireOnly(t, diags, "MP0422", "float32 [2, 4]", `"y"`, "float32 [2, 3]", `Relu "y"`)
	assert.False(t, diags.HasErrors())
	assert.Equal(t, "[2, 3]", b.shape("y"))
}

func TestOnlyTheFirstStaleTypeOfAChainIsReported(t *testing.T) {
	b := newBuild().input("x", 2, 3).output("y", 1, 3).output("z", 1, 3).op("Relu", "y", nil, "x").op("Relu", "z", nil, "y")
	_, diags := shape.Infer(b.g, nil)
	requireOnly(t, diags, "MP0422", `"y"`)
	assert.Equal(t, "[2, 3]", b.shape("z"))
}

func TestUnknownOpsKeepTheStatedShape(t *testing.T) {
	b := newBuild().input("x", 2, 3).output("y", 2, 4).op("MyOp", "y", nil, "x")
	_, diags := shape.Infer(b.g, nil)
	require.Empty(t, describe(diags))
	assert.Equal(t, "[2, 4]", b.shape("y"))

	b = newBuild().input("x", 2, 3).output("y", 2, "").op("MyOp", "y", nil, "x")
	b.g.Ops[0].Domain = "com.example"
	_, diags = shape.Infer(b.g, nil)
	requireOnly(t, diags, "MP0421", `Axis 1 of "y"`, `com.example.MyOp "y"`, "y_axis1")

	b = newBuild().input("x", 2, 3).op("MyOp", "y", nil, "x")
	_, diags = shape.Infer(b.g, nil)
	requireOnly(t, diags, "MP0421", `The shape of "y"`)
}

func TestPackedLayoutsKeepTheStatedShape(t *testing.T) {
	b := newBuild().input("x", 1, 8, 14, 14, 4).constant("w", weights(8, 32, 3, 3, 4)).output("y", 1, 8, 12, 12, 4).op("Conv", "y", nil, "x", "w")
	b.get("x").Layout, b.get("w").Layout, b.get("y").Layout = "NCHW4c", "OIHW4o", "NCHW4c"
	_, diags := shape.Infer(b.g, nil)
	require.Empty(t, describe(diags))
	assert.Equal(t, "[1, 8, 12, 12, 4]", b.shape("y"))
}

func TestZeroExtentsAreLegal(t *testing.T) {
	b := newBuild().input("x", 0, 4).op("Relu", "y", nil, "x").op("Add", "z", nil, "y", "y")
	_, diags := shape.Infer(b.g, nil)
	require.Empty(t, describe(diags))
	assert.Equal(t, "[0, 4]", b.shape("z"))
}

func TestSizesAreCheckedOnce(t *testing.T) {
	b := newBuild().input("x", 2147483648, 2147483648, 8).op("Relu", "y", nil, "x").op("Relu", "z", nil, "y")
	_, diags := shape.Infer(b.g, nil)
	requireOnly(t, diags, "MP0405", `"x"`, "[2147483648, 2147483648, 8]")
}

func TestNegativeExtentsAreNamed(t *testing.T) {
	b := newBuild().input("x", 3, -5).op("Relu", "y", nil, "x")
	_, diags := shape.Infer(b.g, nil)
	requireOnly(t, diags, "MP0404", `Axis 1 of "x" has -5`)

	b = newBuild().constant("c", weights(-1, 2)).op("Relu", "y", nil, "c")
	_, diags = shape.Infer(b.g, nil)
	requireOnly(t, diags, "MP0404", `Axis 0 of "c" has -1`)
}

func TestRanksAreLimited(t *testing.T) {
	t1 := &graph.Tensor{Role: graph.Input, DType: graph.Float32, Shape: make(graph.Shape, shape.MaxRank+1)}
	b := newBuild().constant("x", t1).op("Relu", "y", nil, "x")
	_, diags := shape.Infer(b.g, nil)
	requireOnly(t, diags, "MP0406", `"x" has 33 axes`)
}

func TestSourcesNeedATypeAndAShape(t *testing.T) {
	b := newBuild().constant("x", &graph.Tensor{Role: graph.Input, DType: graph.Float32}).op("Relu", "y", nil, "x")
	_, diags := shape.Infer(b.g, nil)
	requireOnly(t, diags, "MP0403", `"x"`)

	b = newBuild().constant("x", &graph.Tensor{Role: graph.Input, Shape: graph.Shape{2}}).op("Relu", "y", nil, "x")
	_, diags = shape.Infer(b.g, nil)
	requireOnly(t, diags, "MP0408", `"x"`)
}

func TestConstantsFillTheirShapes(t *testing.T) {
	c := reals(1, 2)
	c.Shape = graph.Shape{3}
	b := newBuild().constant("c", c).op("Relu", "y", nil, "c")
	_, diags := shape.Infer(b.g, nil)
	requireOnly(t, diags, "MP0407", `"c"`, "takes 12 bytes", "stores 8")
}

func TestUnreadableConstantsAreReportedWhereTheySteer(t *testing.T) {
	broken := &graph.Lazy{Bytes: 16, Compute: func() ([]byte, error) { return nil, errors.New("the file was cut") }}
	c := &graph.Tensor{Role: graph.Constant, DType: graph.Int64, Shape: graph.Shape{2}, Data: broken}
	b := newBuild().input("x", 2, 3).constant("c", c).op("Neg", "unharmed", nil, "c").op("Reshape", "y", nil, "x", "c")
	_, diags := shape.Infer(b.g, nil)
	requireOnly(t, diags, "MP0426", `"c"`, "the file was cut")
	assert.Equal(t, "[2]", b.shape("unharmed"))
}

func TestSteeringConstantsAreSmall(t *testing.T) {
	c := &graph.Tensor{Role: graph.Constant, DType: graph.Int64, Shape: graph.Shape{5000}, Data: graph.Bytes(make([]byte, 40000))}
	b := newBuild().input("x", 2, 3).constant("c", c).op("Reshape", "y", nil, "x", "c")
	_, diags := shape.Infer(b.g, nil)
	requireOnly(t, diags, "MP0424", `"c" [5000]`)
}

func TestOpsStandInAnOrderThatCanRun(t *testing.T) {
	b := newBuild().input("x", 2).op("Relu", "y", nil, "late").op("Relu", "late", nil, "x")
	_, diags := shape.Infer(b.g, nil)
	requireOnly(t, diags, "MP0409", `Relu "y" reads "late"`)
}

func TestFaultsAreAllReportedButWhatFollowsIsNot(t *testing.T) {
	b := newBuild().input("x", 2, 3).input("u", 5)
	b.op("Add", "bad", nil, "x", "u").op("Relu", "after", nil, "bad").op("MatMul", "worse", nil, "x", "x").op("Relu", "fine", nil, "x")
	_, diags := shape.Infer(b.g, nil)
	require.Len(t, diags, 2, describe(diags))
	assert.EqualValues(t, "MP0416", diags[0].ID)
	assert.EqualValues(t, "MP0415", diags[1].ID)
	assert.Equal(t, "[2, 3]", b.shape("fine"))
}

func TestAStatedShapeCarriesOnAfterAFault(t *testing.T) {
	b := newBuild().input("x", 2, 3).input("u", 5).output("bad", 2, 3)
	b.op("Add", "bad", nil, "x", "u").op("Relu", "after", nil, "bad")
	_, diags := shape.Infer(b.g, nil)
	requireOnly(t, diags, "MP0416")
	assert.Equal(t, "[2, 3]", b.shape("after"))
}

func TestShapeKeepsTheIndexTypeOfOtherFormats(t *testing.T) {
	b := newBuild().input("x", 2, 3).output("extents", 2).op("Shape", "extents", nil, "x")
	b.g.Format, b.get("extents").DType = "tflite", graph.Int32
	result, diags := shape.Infer(b.g, nil)
	require.Empty(t, describe(diags))
	want := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, 2), 3)
	assert.Equal(t, want, result.Known[b.ids["extents"]].Data)
}

func TestAnOpWritesSomething(t *testing.T) {
	b := newBuild().input("x", 2).op("Relu", "y", nil, "x")
	b.g.Ops[0].Outputs = nil
	b.get("y").Shape, b.get("y").DType = graph.Shape{2}, graph.Float32
	_, diags := shape.Infer(b.g, nil)
	requireOnly(t, diags, "MP0410", "no outputs")
}

func TestAbsentOutputsAreSkipped(t *testing.T) {
	b := newBuild().input("x", 2, 9).constant("k", ints(3)).op("TopK", "indices", nil, "x", "k")
	b.g.Ops[0].Outputs = []graph.TensorID{graph.NoTensor, b.ids["indices"]}
	_, diags := shape.Infer(b.g, nil)
	require.Empty(t, describe(diags))
	assert.Equal(t, graph.Int64, b.get("indices").DType)
	assert.Equal(t, "[2, 3]", b.shape("indices"))
}
