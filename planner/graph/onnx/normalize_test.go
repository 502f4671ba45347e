package onnx_test

import (
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// old is a model of an older operator set with the op "op" from the input x, of shape [2, 4, 8], to y.
func old(opset int64, op string, attrs ...msg) msg {
	return model(opset, input("x", float32Elem, 2, 4, 8), node(op, "op", list("x"), list("y"), attrs...), untyped("y"))
}

// older are models with one op in an old form, and what the op must be in the newest.
var older = []struct {
	name  string
	model msg
	op    string
	attrs graph.Attrs
	// ints and floats are the values of inputs that the form gained, by position.
	ints   map[int][]int64
	floats map[int][]float32
	inputs int
}{
	{"Squeeze takes axes as input since 13", old(11, "Squeeze", attrInts("axes", 0, -1)), "Squeeze",
		graph.Attrs{}, map[int][]int64{1: {0, -1}}, nil, 2},
	{"Squeeze without axes has no input", old(11, "Squeeze"), "Squeeze", nil, nil, nil, 1},
	{"Unsqueeze takes axes as input since 13", old(7, "Unsqueeze", attrInts("axes", 1)), "Unsqueeze",
		graph.Attrs{}, map[int][]int64{1: {1}}, nil, 2},
	{"ReduceSum takes axes as input since 13", old(12, "ReduceSum", attrInts("axes", 1), attrInt("keepdims", 0)), "ReduceSum",
		graph.Attrs{"keepdims": int64(0)}, map[int][]int64{1: {1}}, nil, 2},
	{"ReduceMean takes axes as input since 18", old(17, "ReduceMean", attrInts("axes", 1, 2)), "ReduceMean",
		graph.Attrs{}, map[int][]int64{1: {1, 2}}, nil, 2},
	{"no axes reduce all of them", old(13, "ReduceMax", attrInts("axes")), "ReduceMax", graph.Attrs{}, nil, nil, 1},
	{"Slice takes its ranges as inputs since 10", old(9, "Slice", attrInts("starts", 1), attrInts("ends", 3), attrInts("axes", 1)), "Slice",
		graph.Attrs{}, map[int][]int64{1: {1}, 2: {3}, 3: {1}}, nil, 4},
	{"Slice without axes has three inputs", old(9, "Slice", attrInts("starts", 1), attrInts("ends", 3)), "Slice",
		graph.Attrs{}, map[int][]int64{1: {1}, 2: {3}}, nil, 3},
	{"Clip takes its bounds as inputs since 11", old(7, "Clip", attrFloat("min", 0), attrFloat("max", 6)), "Clip",
		graph.Attrs{}, nil, map[int][]float32{1: {0}, 2: {6}}, 3},
	{"Clip without bounds has one input", old(7, "Clip"), "Clip", nil, nil, nil, 1},
	{"Pad takes pads and value as inputs since 11", old(7, "Pad", attrString("mode", "constant"), attrInts("pads", 0, 0, 1, 0, 0, 1), attrFloat("value", 2)), "Pad",
		graph.Attrs{"mode": "constant"}, map[int][]int64{1: {0, 0, 1, 0, 0, 1}}, map[int][]float32{2: {2}}, 3},
	{"a padding of zero needs no value", old(7, "Pad", attrInts("pads", 0, 0, 1, 0, 0, 1), attrFloat("value", 0)), "Pad",
		graph.Attrs{}, map[int][]int64{1: {0, 0, 1, 0, 0, 1}}, nil, 2},
	{"Split takes sizes as input since 13", old(11, "Split", attrInt("axis", 1), attrInts("split", 4)), "Split",
		graph.Attrs{"axis": int64(1)}, map[int][]int64{1: {4}}, nil, 2},
	{"Split into equal parts says how many since 18", old(13, "Split", attrInt("axis", 1)), "Split",
		graph.Attrs{"axis": int64(1), "num_outputs": int64(1)}, nil, nil, 1},
	{"TopK takes k as input since 10", old(9, "TopK", attrInt("k", 3), attrInt("axis", 1)), "TopK",
		graph.Attrs{"axis": int64(1)}, map[int][]int64{1: {3}}, nil, 2},
	{"DFT takes the axis as input since 20", old(17, "DFT", attrInt("onesided", 1)), "DFT",
		graph.Attrs{"onesided": int64(1)}, map[int][]int64{2: {1}}, nil, 3},
	{"Upsample became Resize", old(7, "Upsample", attrString("mode", "bilinear"), attrFloats("scales", 1, 2, 2)), "Resize",
		graph.Attrs{"mode": "linear", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}, nil, map[int][]float32{2: {1, 2, 2}}, 3},
	{"Softmax took all axes together before 13", old(11, "Softmax"), "Softmax",
		graph.Attrs{"axis": int64(1), graph.AttrFlatten: int64(1)}, nil, nil, 1},
	{"Softmax over the last axis kept its meaning", old(11, "LogSoftmax", attrInt("axis", 2)), "LogSoftmax",
		graph.Attrs{"axis": int64(2)}, nil, nil, 1},
	{"Softmax over the last axis from the end too", old(11, "Hardmax", attrInt("axis", -1)), "Hardmax",
		graph.Attrs{"axis": int64(-1)}, nil, nil, 1},
	{"the default of Softmax is written down", old(13, "Softmax"), "Softmax", graph.Attrs{"axis": int64(-1)}, nil, nil, 1},
	{"Dropout is a copy at inference", old(7, "Dropout", attrFloat("ratio", 0.3)), "Identity", nil, nil, nil, 1},
	{"Scatter got a new name", old(9, "Scatter", attrInt("axis", 1)), "ScatterElements", graph.Attrs{"axis": int64(1)}, nil, nil, 1},
	{"RoiAlign had no half pixel before 16", old(10, "RoiAlign"), "RoiAlign",
		graph.Attrs{"coordinate_transformation_mode": "output_half_pixel"}, nil, nil, 1},
	{"the modes of GridSample got new names", old(16, "GridSample", attrString("mode", "bicubic")), "GridSample", graph.Attrs{"mode": "cubic"}, nil, nil, 1},
	{"Gemm of 6 said that it broadcasts", old(6, "Gemm", attrInt("broadcast", 1), attrInt("transB", 1)), "Gemm", graph.Attrs{"transB": int64(1)}, nil, nil, 1},
	{"LSTM of 6 said that it gives a sequence", old(6, "LSTM", attrInt("output_sequence", 1)), "LSTM", graph.Attrs{}, nil, nil, 1},
}

// seeds are models for fuzzing.
func seeds() []msg {
	var all []msg
	for _, c := range older {
		all = append(all, c.model)
	}
	return append(all, external("location", "w.bin"), model(13, sparse(ints("", 1), 4), untyped("s")),
		join(model(13, input("x", float32Elem, 1), customNode("f", "F", "c", list("x"), list("y")), untyped("y")),
			function("F", list("x"), list("y"), bodyNode("", "Abs", "", list("x"), list("y")))))
}

func TestOldFormsBecomeTheNewestOne(t *testing.T) {
	for _, c := range older {
		t.Run(c.name, func(t *testing.T) {
			g := mustImport(t, c.model)
			op := opNamed(t, g, "op")
			assert.Equal(t, c.op, op.Op)
			assert.Equal(t, c.attrs, op.Attrs)
			assert.Len(t, op.Inputs, c.inputs)
			for at, want := range c.ints {
				assert.Equal(t, want, int64s(t, g, op, at))
			}
			for at, want := range c.floats {
				assert.Equal(t, want, float32s(t, g, op, at))
			}
		})
	}
}

func TestNewFormsStayAsTheyAre(t *testing.T) {
	g := mustImport(t, model(21, input("x", float32Elem, 2, 4), initializer(ints("axes", 0)),
		node("ReduceSum", "op", list("x", "axes"), list("y"), attrInt("noop_with_empty_axes", 1)), untyped("y")))
	assert.Equal(t, []string{"op: ReduceSum(x, axes) = y"}, ops(g))
	assert.Equal(t, graph.Attrs{"noop_with_empty_axes": int64(1)}, g.Ops[0].Attrs)
}

func TestNewConstantsDoNotTakeNamesOfTheModel(t *testing.T) {
	g := mustImport(t, model(11, input("op.axes", float32Elem, 1, 4), node("Squeeze", "op", list("op.axes"), list("y"), attrInts("axes", 0)), untyped("y")))
	assert.Equal(t, []string{"op: Squeeze(op.axes, op.axes_2) = y"}, ops(g))
}

func TestBoundsHaveTheTypeOfTheData(t *testing.T) {
	cases := map[int64]string{float16Elem: "\x00\x46", 16: "\xc0\x40", 11: "\x00\x00\x00\x00\x00\x00\x18\x40", 1: "\x00\x00\xc0\x40"}
	for elem, want := range cases {
		g := mustImport(t, model(9, input("x", float32Elem, 1), node("Cast", "cast", list("x"), list("c"), attrInt("to", elem)),
			node("Relu", "relu", list("c"), list("r")), node("Clip", "clip", list("r"), list("y"), attrFloat("max", 6)), untyped("y")))
		clip := opNamed(t, g, "clip")
		require.Len(t, clip.Inputs, 3)
		assert.Equal(t, graph.NoTensor, clip.Inputs[1])
		assert.Equal(t, want, string(read(t, g.Tensor(clip.Inputs[2]))))
		assert.Equal(t, graph.Shape{}, g.Tensor(clip.Inputs[2]).Shape)
	}
}

func TestTheTypeOfBoundsFollowsTheOpsBetween(t *testing.T) {
	half := tensor("half", float16Elem, 1).sub(9, msg("\x00\x3c"))
	g := mustImport(t, model(9, input("x", float32Elem, 1), initializer(half), initializer(ints("n", 1)),
		node("Greater", "greater", list("x", "x"), list("bool")),
		node("Where", "where", list("bool", "half", "half"), list("chosen")),
		node("Shape", "shape", list("chosen"), list("s")),
		node("ConstantOfShape", "zeros", list("s"), list("z"), attrTensor("value", tensor("", float16Elem, 1).sub(9, msg("\x00\x00")))),
		node("ConstantOfShape", "floats", list("s"), list("f")),
		node("Clip", "clip", list("chosen"), list("y"), attrFloat("max", 6)),
		node("Clip", "clip of zeros", list("z"), list("u"), attrFloat("max", 6)),
		node("Clip", "clip of floats", list("f"), list("v"), attrFloat("max", 6)),
		node("Pad", "pad of integers", list("s"), list("w"), attrInts("pads", 0, 0), attrFloat("value", 1)),
		untyped("y"), untyped("u"), untyped("v"), untyped("w")))
	for name, want := range map[string]graph.DType{"clip": graph.Float16, "clip of zeros": graph.Float16, "clip of floats": graph.Float32, "pad of integers": graph.Float32} {
		assert.Equal(t, want, g.Tensor(opNamed(t, g, name).Inputs[2]).DType, name)
	}
}

func TestAnOldFormNeedsItsAttributes(t *testing.T) {
	mustRefuse(t, old(11, "Unsqueeze"), "MP0314", `"op" (Unsqueeze)`, `"axes"`, "version 11")
	mustRefuse(t, old(9, "Slice", attrInts("ends", 1)), "MP0314", `"starts"`)
	mustRefuse(t, old(9, "TopK"), "MP0314", `"k"`)
	mustRefuse(t, old(9, "Pad"), "MP0314", `"pads"`)
	mustRefuse(t, old(7, "Upsample"), "MP0314", `"scales"`)
	mustRefuse(t, old(11, "Squeeze", attrInt("axes", 1)), "MP0314", `attribute "axes"`, "int64")
}

func TestEqualPartsCountTheAbsentOutputsToo(t *testing.T) {
	g := mustImport(t, model(11, input("x", float32Elem, 4), node("Split", "op", list("x"), list("y", "", "")), untyped("y")))
	assert.Equal(t, int64(3), g.Ops[0].Attrs["num_outputs"])
	assert.Len(t, g.Ops[0].Outputs, 1)
}
