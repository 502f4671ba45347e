package shape_test

import (
	"math"
	"testing"

	"github.com/memplan/memplan/planner/graph"
)

func TestReductions(t *testing.T) {
	runOpCases(t, []opCase{
		{name: "keeps axes of 1", op: "ReduceMean", in: []operand{data(2, 3, 4), ints(-1, 0)}, want: []string{"float32 [1, 3, 1]"}},
		{name: "drops axes without keepdims", op: "ReduceSum", in: []operand{data(2, 3, 4), ints(1)}, attrs: graph.Attrs{"keepdims": int64(0)}, want: []string{"float32 [2, 4]"}},
		{name: "takes all axes by default", op: "ReduceMax", in: []operand{data(2, 3)}, attrs: graph.Attrs{"keepdims": int64(0)}, want: []string{"float32 []"}},
		{name: "takes no axes as a no-op", op: "ReduceL2", in: []operand{data(2, 3), ints()}, attrs: graph.Attrs{"noop_with_empty_axes": int64(1)}, want: []string{"float32 [2, 3]"}},
		{name: "refuses an axis that is not there", op: "ReduceMin", in: []operand{data(2, 3), ints(2)}, id: "MP0413"},
		{name: "refuses an axis twice", op: "ReduceProd", in: []operand{data(2, 3), ints(1, -1)}, id: "MP0413"},
		{name: "writes indices", op: "ArgMax", in: []operand{data(2, 3)}, attrs: graph.Attrs{"axis": int64(1)}, want: []string{"int64 [2, 1]"}},
		{name: "drops the axis without keepdims", op: "ArgMin", in: []operand{data(2, 3)}, attrs: graph.Attrs{"axis": int64(-1), "keepdims": int64(0)}, want: []string{"int64 [2]"}},
		{name: "refuses a scalar", op: "ArgMax", in: []operand{data()}, id: "MP0413"},
		{name: "takes the first ones", op: "TopK", in: []operand{data(2, 9), ints(3)}, want: []string{"float32 [2, 3]", "int64 [2, 3]"}},
		{name: "refuses to take more than there are", op: "TopK", in: []operand{data(2, 9), ints(10)}, id: "MP0424", says: []string{"10", "9 elements"}},
	})
}

func TestGenerators(t *testing.T) {
	count := func(start, limit, delta int64) []operand {
		return []operand{number(start), number(limit), number(delta)}
	}
	scalar := func(v float32) operand { return constantOf(graph.Shape{}, v) }
	runOpCases(t, []opCase{
		{name: "has the type of its value", op: "Constant", attrs: graph.Attrs{"value": &graph.AttrTensor{DType: graph.Uint8, Shape: graph.Shape{2}, Data: graph.Bytes{1, 2}}}, want: []string{"uint8 [2]"}},
		{name: "is an integer", op: "Constant", attrs: graph.Attrs{"value_int": int64(3)}, want: []string{"int64 []"}},
		{name: "is a real number", op: "Constant", attrs: graph.Attrs{"value_float": float32(3)}, want: []string{"float32 []"}},
		{name: "is a list of integers", op: "Constant", attrs: graph.Attrs{"value_ints": list(3, 4)}, want: []string{"int64 [2]"}},
		{name: "is a list of real numbers", op: "Constant", attrs: graph.Attrs{"value_floats": []float32{3}}, want: []string{"float32 [1]"}},
		{name: "needs a value", op: "Constant", id: "MP0412"},
		{name: "refuses a value of another type", op: "Constant", attrs: graph.Attrs{"value_ints": "3"}, id: "MP0412"},
		{name: "is float32 by default", op: "ConstantOfShape", in: []operand{ints(2, 0)}, want: []string{"float32 [2, 0]"}},
		{name: "has the type of its value", op: "ConstantOfShape", in: []operand{ints()}, attrs: graph.Attrs{"value": &graph.AttrTensor{DType: graph.Int8, Shape: graph.Shape{1}, Data: graph.Bytes{1}}}, want: []string{"int8 []"}},
		{name: "refuses negative extents", op: "ConstantOfShape", in: []operand{ints(2, -1)}, id: "MP0424", says: []string{"axis 1"}},
		{name: "overflows", op: "ConstantOfShape", in: []operand{ints(1<<62, 4)}, id: "MP0405", says: nil},

		{name: "counts up", op: "Range", in: count(1, 8, 3), want: []string{"int64 [3]"}},
		{name: "counts down", op: "Range", in: count(10, 4, -2), want: []string{"int64 [3]"}},
		{name: "is empty when the limit comes first", op: "Range", in: count(4, 1, 1), want: []string{"int64 [0]"}},
		{name: "counts real numbers", op: "Range", in: []operand{scalar(0), scalar(1), scalar(0.3)}, want: []string{"float32 [4]"}},
		{name: "refuses a step of 0", op: "Range", in: count(1, 8, 0), id: "MP0424"},
		{name: "refuses a limit that is no number", op: "Range", in: []operand{scalar(0), scalar(float32(math.NaN())), scalar(1)}, id: "MP0424"},
		{name: "does not wrap around", op: "Range", in: count(least, most, 1), id: "MP0425"},
		{name: "does not wrap around with large steps", op: "Range", in: count(-2, most, 1<<62), id: "MP0425"},
		{name: "needs one element type", op: "Range", in: []operand{number(0), scalar(1), number(1)}, id: "MP0417"},

		{name: "is a matrix of the type asked for", op: "EyeLike", in: []operand{data(2, 3)}, attrs: graph.Attrs{"dtype": int64(7)}, want: []string{"int64 [2, 3]"}},
		{name: "needs a matrix", op: "EyeLike", in: []operand{data(2)}, id: "MP0414"},
		{name: "has the shape of its attribute", op: "RandomNormal", attrs: graph.Attrs{"shape": list(2, 3)}, want: []string{"float32 [2, 3]"}},
		{name: "needs a shape", op: "RandomUniform", id: "MP0412"},
		{name: "refuses negative extents", op: "RandomUniform", attrs: graph.Attrs{"shape": list(-2)}, id: "MP0412"},
		{name: "is like its input", op: "RandomUniformLike", in: []operand{data(2, 3)}, attrs: graph.Attrs{"dtype": int64(11)}, want: []string{"float64 [2, 3]"}},
		{name: "has as many values as asked for", op: "HannWindow", in: []operand{number(10)}, want: []string{"float32 [10]"}},
		{name: "refuses a negative size", op: "HammingWindow", in: []operand{number(-1)}, id: "MP0424"},

		{name: "gives all extents", op: "Shape", in: []operand{data(2, 3, 4)}, want: []string{"int64 [3]"}},
		{name: "gives some extents", op: "Shape", in: []operand{data(2, 3, 4)}, attrs: graph.Attrs{"start": int64(-2), "end": int64(100)}, want: []string{"int64 [2]"}},
		{name: "gives none when the end comes first", op: "Shape", in: []operand{data(2, 3, 4)}, attrs: graph.Attrs{"start": int64(2), "end": int64(1)}, want: []string{"int64 [0]"}},
		{name: "is a scalar", op: "Size", in: []operand{data(2, 3, 4)}, want: []string{"int64 []"}},
	})
}

func TestResizes(t *testing.T) {
	runOpCases(t, []opCase{
		{name: "multiplies and rounds down", op: "Resize", in: []operand{data(1, 1, 2, 5), nil, reals(1, 1, 2, 0.6)}, want: []string{"float32 [1, 1, 4, 3]"}},
		{name: "takes sizes", op: "Resize", in: []operand{data(1, 1, 2, 4), nil, nil, ints(1, 1, 7, 8)}, want: []string{"float32 [1, 1, 7, 8]"}},
		{name: "takes empty scales as absent", op: "Resize", in: []operand{data(1, 1, 2, 4), reals(), reals(), ints(1, 1, 7, 8)}, want: []string{"float32 [1, 1, 7, 8]"}},
		{name: "resizes the axes given", op: "Resize", in: []operand{data(1, 2, 4, 3), nil, reals(2, 3)}, attrs: graph.Attrs{"axes": list(1, -2)}, want: []string{"float32 [1, 4, 12, 3]"}},
		{name: "grows to no more than the sizes", op: "Resize", in: []operand{data(1, 1, 2, 4), nil, nil, ints(7, 8)}, attrs: graph.Attrs{"axes": list(2, 3), "keep_aspect_ratio_policy": "not_larger"}, want: []string{"float32 [1, 1, 4, 8]"}},
		{name: "grows to no less than the sizes", op: "Resize", in: []operand{data(1, 1, 2, 4), nil, nil, ints(7, 8)}, attrs: graph.Attrs{"axes": list(2, 3), "keep_aspect_ratio_policy": "not_smaller"}, want: []string{"float32 [1, 1, 7, 14]"}},
		{name: "crops to its regions first", op: "Resize", in: []operand{data(1, 1, 10, 10), reals(0, 0, 0.2, 0, 1, 1, 0.7, 1), reals(1, 1, 2, 1)},
			attrs: graph.Attrs{"coordinate_transformation_mode": "tf_crop_and_resize"}, want: []string{"float32 [1, 1, 10, 10]"}},
		{name: "needs scales or sizes", op: "Resize", in: []operand{data(1, 1, 2, 4)}, id: "MP0411", says: []string{"neither scales nor sizes"}},
		{name: "needs a scale for each axis", op: "Resize", in: []operand{data(1, 1, 2, 4), nil, reals(1, 2)}, id: "MP0415"},
		{name: "refuses negative scales", op: "Resize", in: []operand{data(1, 1), nil, reals(1, -2)}, id: "MP0424"},
		{name: "refuses scales that are no numbers", op: "Resize", in: []operand{data(1, 1), nil, reals(1, float32(math.NaN()))}, id: "MP0424"},
		{name: "does not wrap around", op: "Resize", in: []operand{data(1, 1), nil, reals(1, 1e30)}, id: "MP0425"},
		{name: "refuses regions that end first", op: "Resize", in: []operand{data(10), reals(0.7, 0.2), reals(2)}, attrs: graph.Attrs{"coordinate_transformation_mode": "tf_crop_and_resize"}, id: "MP0424"},
		{name: "refuses an unknown policy", op: "Resize", in: []operand{data(2), nil, nil, ints(4)}, attrs: graph.Attrs{"keep_aspect_ratio_policy": "fit"}, id: "MP0412"},
		{name: "multiplies", op: "Upsample", in: []operand{data(1, 1, 2, 2), reals(1, 1, 2, 3)}, want: []string{"float32 [1, 1, 4, 6]"}},

		{name: "has the space of its grid", op: "GridSample", in: []operand{data(2, 3, 4, 4), data(2, 6, 7, 2)}, want: []string{"float32 [2, 3, 6, 7]"}},
		{name: "needs a coordinate for each axis", op: "GridSample", in: []operand{data(2, 3, 4, 4), data(2, 6, 7, 3)}, id: "MP0415"},
		{name: "has a coordinate for each axis", op: "AffineGrid", in: []operand{data(2, 2, 3), ints(2, 3, 5, 6)}, want: []string{"float32 [2, 5, 6, 2]"}},
		{name: "refuses sizes of rank 3", op: "AffineGrid", in: []operand{data(2, 2, 3), ints(2, 3, 5)}, id: "MP0424"},
		{name: "has the extents asked for", op: "CenterCropPad", in: []operand{data(5, 6, 3), ints(7, 2)}, attrs: graph.Attrs{"axes": list(0, 1)}, want: []string{"float32 [7, 2, 3]"}},
		{name: "needs an extent for each axis", op: "CenterCropPad", in: []operand{data(5, 6, 3), ints(7, 2)}, id: "MP0415"},
	})
}

func TestDataDependentOps(t *testing.T) {
	scores := []operand{data(1, 100, 4), data(1, 3, 100), ints(10)}
	runOpCases(t, []opCase{
		{name: "counts a constant", op: "NonZero", in: []operand{constantOf(graph.Shape{2, 2}, int64(1), 0, 1, 1)}, want: []string{"int64 [2, 3]"}},
		{name: "says how to bound an input", op: "NonZero", in: []operand{data(2, 3)}, id: "MP0420", says: []string{`Axis 1 of "out0"`, "dims = { out0_axis1 = { max = 6 } }"}},
		{name: "says how many boxes there can be", op: "NonMaxSuppression", in: scores, id: "MP0420", says: []string{`Axis 0 of "out0"`, "max = 30"}},
		{name: "refuses boxes of another number", op: "NonMaxSuppression", in: []operand{data(1, 100, 4), data(1, 3, 99)}, id: "MP0415"},
		{name: "counts a constant condition", op: "Compress", in: []operand{data(2, 3), constantOf(graph.Shape{3}, true, false, true)}, attrs: graph.Attrs{"axis": int64(1)}, want: []string{"float32 [2, 2]"}},
		{name: "says how to bound its axis", op: "Compress", in: []operand{data(2, 3), typed(graph.Bool, 3)}, attrs: graph.Attrs{"axis": int64(1)}, id: "MP0420", says: []string{"max = 3"}},
		{name: "says how to bound the number of elements", op: "Unique", in: []operand{data(2, 3)}, id: "MP0420", says: []string{"max = 6"}},
		{name: "says whose content it depends on", op: "TopK", in: []operand{data(2, 3), typed(graph.Int64, 1)}, id: "MP0420", says: []string{`"in1"`, "Export the model with a shape"}},
		{name: "says which constant has no content", op: "Expand", in: []operand{data(2, 3), {Role: graph.Constant, DType: graph.Int64, Shape: graph.Shape{2}}}, id: "MP0420", says: []string{`constant "in1"`, "no content"}},
		{name: "is one number by default", op: "SoftmaxCrossEntropyLoss", in: []operand{data(3, 5, 2), typed(graph.Int64, 3, 2)}, want: []string{"float32 []", "float32 [3, 5, 2]"}},
		{name: "is one for each target", op: "NegativeLogLikelihoodLoss", in: []operand{data(3, 5, 2), typed(graph.Int64, 3, 2)}, attrs: graph.Attrs{"reduction": "none"}, want: []string{"float32 [3, 2]"}},
		{name: "refuses an unknown reduction", op: "NegativeLogLikelihoodLoss", in: []operand{data(3, 5), typed(graph.Int64, 3)}, attrs: graph.Attrs{"reduction": "max"}, id: "MP0412"},
	})
}
