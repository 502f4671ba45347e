package opencl_test

import (
	"testing"

	"github.com/memplan/memplan/planner/graph"
)

func TestGathersAgreeWithTheHost(t *testing.T) {
	x := input(4, 7, 20)
	axis := func(a int64) graph.Attrs { return graph.Attrs{"axis": a} }
	compareAll(t, []opCase{
		{name: "of rows", op: "Gather", inputs: inputs(x, whole(graph.Int64, []int64{3, -4, 0, 1}, 2, 2)), outputs: outputs(float(2, 2, 7, 20))},
		{name: "of the innermost axis", op: "Gather", attrs: axis(-1), inputs: inputs(x, whole(graph.Int32, []int64{19, -20, 7}, 3)), outputs: outputs(float(4, 7, 3))},
		{name: "by a scalar", op: "Gather", attrs: axis(1), inputs: inputs(x, whole(graph.Int64, []int64{6})), outputs: outputs(float(4, 20))},
		{name: "by no index", op: "Gather", attrs: axis(1), inputs: inputs(x, whole(graph.Int64, nil, 0)), outputs: outputs(float(4, 0, 20))},
		{name: "in batches", op: "Gather", attrs: graph.Attrs{"axis": int64(2), "batch_dims": int64(1)}, inputs: inputs(x, whole(graph.Int32, []int64{1, 2, 3, 4, 5, 6, 7, 8}, 4, 2)), outputs: outputs(float(4, 7, 2))},
		{name: "of int64", op: "Gather", inputs: inputs(counted(graph.Int64, 9), whole(graph.Int64, []int64{8, 0, -1}, 3)), outputs: outputs(output(graph.Int64, 3))},
		{name: "along an axis", op: "GatherElements", attrs: axis(1), inputs: inputs(x, whole(graph.Int64, []int64{0, 6, -1, -7, 3, 2}, 1, 3, 2)), outputs: outputs(float(1, 3, 2))},
		{name: "along the last axis", op: "GatherElements", attrs: axis(-1), inputs: inputs(input(3, 40), small(graph.Int32, 3, 40)), outputs: outputs(float(3, 40))},
		{name: "of elements", op: "GatherND", inputs: inputs(x, whole(graph.Int64, []int64{0, 1, 2, 3, -1, -2}, 2, 3)), outputs: outputs(float(2))},
		{name: "of slices", op: "GatherND", inputs: inputs(x, whole(graph.Int64, []int64{0, 1, -4, 6}, 2, 1, 2)), outputs: outputs(float(2, 1, 20))},
		{name: "in batches", op: "GatherND", attrs: graph.Attrs{"batch_dims": int64(1)}, inputs: inputs(x, whole(graph.Int64, []int64{0, 1, 2, -1}, 4, 1)), outputs: outputs(float(4, 20))},
		{name: "of rows", op: "GatherNd", domain: "tflite", inputs: inputs(x, whole(graph.Int32, []int64{1, 3}, 2, 1)), outputs: outputs(float(2, 7, 20))},
	})
}

func TestScattersAgreeWithTheHost(t *testing.T) {
	x := input(4, 5, 18)
	var cases []opCase
	for _, reduction := range []string{"none", "add", "mul", "max", "min"} {
		attrs := graph.Attrs{"reduction": reduction, "axis": int64(1)}
		cases = append(cases,
			opCase{name: reduction + " of elements", op: "ScatterElements", attrs: attrs,
				inputs: inputs(x, whole(graph.Int64, []int64{0, 0, 4, -1, 2, 0, 4, 4}, 2, 2, 2), input(2, 2, 2)), outputs: outputs(float(4, 5, 18))},
			opCase{name: reduction + " of slices", op: "ScatterND", attrs: attrs,
				inputs: inputs(x, whole(graph.Int64, []int64{0, 1, 3, -1, 0, 1}, 3, 2), input(3, 18)), outputs: outputs(float(4, 5, 18))})
	}
	cases = append(cases,
		opCase{name: "in place", op: "ScatterND", inputs: inputs(x, whole(graph.Int64, []int64{2}, 1, 1), input(1, 5, 18)), outputs: outputs(float(4, 5, 18)), inPlace: true},
		opCase{name: "of int64", op: "ScatterElements", attrs: graph.Attrs{"reduction": "add"}, inputs: inputs(counted(graph.Int64, 9), whole(graph.Int64, []int64{8, 0, -1}, 3), counted(graph.Int64, 3)), outputs: outputs(output(graph.Int64, 9))},
		opCase{name: "of bools", op: "ScatterElements", inputs: inputs(counted(graph.Bool, 9), whole(graph.Int64, []int64{8, 0}, 2), counted(graph.Bool, 2)), outputs: outputs(output(graph.Bool, 9))},
		opCase{name: "of nothing", op: "ScatterElements", inputs: inputs(input(9), whole(graph.Int64, nil, 0), input(0)), outputs: outputs(float(9))},
		opCase{name: "to zeros", op: "ScatterNd", domain: "tflite", inputs: inputs(whole(graph.Int32, []int64{3, 1, 3}, 3, 1), input(3, 17), whole(graph.Int32, []int64{5, 17}, 2).constant()), outputs: outputs(float(5, 17))})
	compareAll(t, cases)
}

func TestConditionsAgreeWithTheHost(t *testing.T) {
	condition := whole(graph.Bool, []int64{0, 1, 1, 0, 1}, 5)
	compareAll(t, []opCase{
		{name: "of slices", op: "Compress", attrs: graph.Attrs{"axis": int64(1)}, inputs: inputs(input(3, 5, 18), condition), outputs: outputs(float(3, 3, 18))},
		{name: "of elements", op: "Compress", inputs: inputs(counted(graph.Int64, 2, 3), condition), outputs: outputs(output(graph.Int64, 3))},
		{name: "of int32", op: "NonZero", inputs: inputs(whole(graph.Int32, []int64{0, 5, 0, 1, 0, -1}, 2, 3)), outputs: outputs(output(graph.Int64, 2, 3))},
		{name: "of rows", op: "Where", domain: "tflite", inputs: inputs(whole(graph.Bool, []int64{0, 1, 0, 1, 0, 1}, 2, 3)), outputs: outputs(output(graph.Int64, 3, 2))},
		{name: "of bools", op: "Where", inputs: inputs(condition, counted(graph.Bool, 5), counted(graph.Bool, 5)), outputs: outputs(output(graph.Bool, 5))},
		{name: "of complex numbers", op: "Where", inputs: inputs(condition, operand{role: graph.Input, dtype: graph.Complex128, shape: graph.Shape{5}, data: counted(graph.Uint8, 80).data},
			operand{role: graph.Input, dtype: graph.Complex128, shape: graph.Shape{1}, data: counted(graph.Uint8, 16).data}), outputs: outputs(output(graph.Complex128, 5))},
		{name: "of int64", op: "OneHot", inputs: inputs(whole(graph.Int64, []int64{0, -1, 7, 3}, 2, 2), list(5), floats([]float32{-1, 2}, 2)), outputs: outputs(float(2, 2, 5))},
		{name: "of floats", op: "OneHot", attrs: graph.Attrs{"axis": int64(0)}, inputs: inputs(floats([]float32{1, 2, 0}, 3), list(3), whole(graph.Int32, []int64{3, 4}, 2)), outputs: outputs(output(graph.Int32, 3, 3))},
	})
}

func TestWhatComesFromLittleAgreesWithTheHost(t *testing.T) {
	one := func(dtype graph.DType, v int64) operand { return whole(dtype, []int64{v}) }
	value := &graph.AttrTensor{DType: graph.Int64, Shape: graph.Shape{1}, Data: graph.Bytes([]byte{1, 2, 3, 4, 5, 6, 7, 8})}
	x := input(2, 3, 4)
	compareAll(t, []opCase{
		{name: "of zeros", op: "ConstantOfShape", inputs: inputs(list(3, 20)), outputs: outputs(float(3, 20))},
		{name: "of a value", op: "ConstantOfShape", attrs: graph.Attrs{"value": value}, inputs: inputs(list(7)), outputs: outputs(output(graph.Int64, 7))},
		{name: "of int32", op: "ZerosLike", domain: "tflite", inputs: inputs(counted(graph.Int32, 3, 7)), outputs: outputs(output(graph.Int32, 3, 7))},
		{name: "above", op: "EyeLike", attrs: graph.Attrs{"k": int64(2)}, inputs: inputs(input(4, 6)), outputs: outputs(float(4, 6))},
		{name: "below", op: "EyeLike", attrs: graph.Attrs{"k": int64(-3)}, inputs: inputs(input(4, 6)), outputs: outputs(output(graph.Int32, 4, 6))},
		{name: "of all axes", op: "Shape", inputs: inputs(x), outputs: outputs(output(graph.Int64, 3))},
		{name: "of some axes", op: "Shape", attrs: graph.Attrs{"start": int64(-2), "end": int64(9)}, inputs: inputs(x), outputs: outputs(output(graph.Int64, 2))},
		{name: "of elements", op: "Size", inputs: inputs(x), outputs: outputs(output(graph.Int64))},
		{name: "of axes", op: "Rank", domain: "tflite", inputs: inputs(x), outputs: outputs(output(graph.Int32))},
		{name: "of int64", op: "Range", inputs: inputs(one(graph.Int64, 10), one(graph.Int64, -3), one(graph.Int64, -4)), outputs: outputs(output(graph.Int64, 4))},
		{name: "of float32", op: "Range", inputs: inputs(floats([]float32{1}), floats([]float32{2}), floats([]float32{0.125})), outputs: outputs(float(8))},
		{name: "of float64", op: "Range", inputs: inputs(doubles(), floatOf64(3), floatOf64(0.75)), outputs: outputs(output(graph.Float64, 7))},
	})
}
