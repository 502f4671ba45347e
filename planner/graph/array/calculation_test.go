package array

import (
	"math"
	"testing"

	"github.com/memplan/memplan/planner/graph"
)

func of8(shape graph.Shape, values ...float64) operand { return operand{graph.Int8, shape, values} }

func half(shape graph.Shape, values ...float64) operand { return operand{graph.Float16, shape, values} }

func TestArithmeticBroadcasts(t *testing.T) {
	x := floats(graph.Shape{2, 3}, 1, 2, 3, 4, 5, 6)
	row, column, single := floats(list(3), 10, 20, 30), floats(graph.Shape{2, 1}, 100, 200), floats(scalar, 2)
	runExamples(t, []example{
		{name: "of equal shapes", op: "Add", inputs: []operand{x, x}, wants: []operand{floats(graph.Shape{2, 3}, 2, 4, 6, 8, 10, 12)}},
		{name: "with a row", op: "Add", inputs: []operand{x, row}, wants: []operand{floats(graph.Shape{2, 3}, 11, 22, 33, 14, 25, 36)}},
		{name: "with a column before", op: "Sub", inputs: []operand{column, x}, wants: []operand{floats(graph.Shape{2, 3}, 99, 98, 97, 196, 195, 194)}},
		{name: "of a row and a column", op: "Mul", inputs: []operand{column, row}, wants: []operand{floats(graph.Shape{2, 3}, 1000, 2000, 3000, 2000, 4000, 6000)}},
		{name: "by a scalar", op: "Div", inputs: []operand{x, single}, wants: []operand{floats(graph.Shape{2, 3}, 0.5, 1, 1.5, 2, 2.5, 3)}},
		{name: "of no elements", op: "Add", inputs: []operand{floats(graph.Shape{0, 3}), row}, wants: []operand{floats(graph.Shape{0, 3})}},
		{name: "of halves", op: "Add", inputs: []operand{half(list(2), 1, 2), half(scalar, 0.5)}, wants: []operand{half(list(2), 1.5, 2.5)}},
		{name: "of bytes wraps", op: "Add", inputs: []operand{of8(list(1), 127), of8(list(1), 1)}, wants: []operand{of8(list(1), -128)}},
		{name: "of integers truncates", op: "Div", inputs: []operand{ints(list(2), -7, 7), ints(scalar, 2)}, wants: []operand{ints(list(2), -3, 3)}},
		{name: "of any number", op: "Sum", inputs: []operand{x, row, column}, wants: []operand{floats(graph.Shape{2, 3}, 111, 122, 133, 214, 225, 236)}},
		{name: "of one", op: "Sum", inputs: []operand{row}, wants: []operand{row}},
		{name: "of two", op: "Sum", inputs: []operand{row, row}, wants: []operand{floats(list(3), 20, 40, 60)}},
		{name: "of three", op: "Mean", inputs: []operand{single, single, floats(list(2), 5, 8)}, wants: []operand{floats(list(2), 3, 4)}},
		{name: "of three keeps NaN", op: "Max", inputs: []operand{floats(list(2), 1, nan), single, floats(scalar, 3)}, wants: []operand{floats(list(2), 3, nan)}},
		{name: "of two keeps NaN", op: "Min", inputs: []operand{floats(list(2), 1, nan), single}, wants: []operand{floats(list(2), 1, nan)}},
		{name: "of floats", op: "Pow", inputs: []operand{floats(list(4), 2, 3, 4, 5), floats(list(4), 0.5, 2, 1, -1)}, wants: []operand{floats(list(4), math.Sqrt2, 9, 4, 0.2)}},
		{name: "of a float and an integer", op: "Pow", inputs: []operand{floats(list(1), 2), ints(list(1), 3)}, wants: []operand{floats(list(1), 8)}},
		{name: "of integers", op: "Pow", inputs: []operand{ints(list(6), 3, -1, -1, 1, 2, 0), ints(list(6), 3, -3, -2, -9, -1, -1)}, wants: []operand{ints(list(6), 27, -1, 1, 1, 0, 0)}},
		{name: "of an integer and a float", op: "Pow", inputs: []operand{ints(list(1), 9), floats(list(1), 0.5)}, wants: []operand{ints(list(1), 3)}},
		{name: "has the sign of the divisor", op: "Mod", inputs: []operand{ints(list(4), -4, 7, -4, 7), ints(list(4), 3, -3, -3, 3)}, wants: []operand{ints(list(4), 2, -2, -1, 1)}},
		{name: "has the sign of the dividend", op: "Mod", attrs: graph.Attrs{"fmod": int64(1)}, inputs: []operand{ints(list(2), -4, 7), ints(list(2), 3, -3)}, wants: []operand{ints(list(2), -1, 1)}},
		{name: "of floats", op: "Mod", attrs: graph.Attrs{"fmod": int64(1)}, inputs: []operand{floats(list(2), -4.5, 7), floats(scalar, 3)}, wants: []operand{floats(list(2), -1.5, 1)}},
		{name: "rounds down", op: "FloorDiv", domain: "tflite", inputs: []operand{ints(list(3), -7, 7, -6), ints(scalar, 2)}, wants: []operand{ints(list(3), -4, 3, -3)}},
		{name: "rounds floats down", op: "FloorDiv", domain: "tflite", inputs: []operand{floats(list(1), -7), floats(scalar, 2)}, wants: []operand{floats(list(1), -4)}},
		{name: "of floats has the sign of the divisor", op: "FloorMod", domain: "tflite", inputs: []operand{floats(list(1), -7), floats(scalar, 2)}, wants: []operand{floats(list(1), 1)}},
		{name: "squares", op: "SquaredDifference", domain: "tflite", inputs: []operand{floats(list(2), 1, 5), floats(scalar, 3)}, wants: []operand{floats(list(2), 4, 4)}},
		{name: "has a slope for each channel", op: "PRelu", inputs: []operand{floats(graph.Shape{2, 2}, -1, 2, -3, -4), floats(graph.Shape{2, 1}, 0.5, 2)}, wants: []operand{floats(graph.Shape{2, 2}, -0.5, 2, -6, -8)}},
	})
}

func TestComparisonsGiveBools(t *testing.T) {
	a, b := floats(list(3), 1, 2, nan), floats(list(3), 2, 2, nan)
	runExamples(t, []example{
		{name: "of floats", op: "Equal", inputs: []operand{a, b}, wants: []operand{bools(list(3), 0, 1, 0)}},
		{name: "of bools", op: "Equal", inputs: []operand{bools(list(2), 1, 0), bools(scalar, 0)}, wants: []operand{bools(list(2), 0, 1)}},
		{name: "of floats", op: "Less", inputs: []operand{a, b}, wants: []operand{bools(list(3), 1, 0, 0)}},
		{name: "of floats", op: "LessOrEqual", inputs: []operand{a, b}, wants: []operand{bools(list(3), 1, 1, 0)}},
		{name: "of floats", op: "Greater", inputs: []operand{a, b}, wants: []operand{bools(list(3), 0, 0, 0)}},
		{name: "of floats", op: "GreaterOrEqual", inputs: []operand{a, b}, wants: []operand{bools(list(3), 0, 1, 0)}},
		{name: "of halves", op: "Less", inputs: []operand{half(list(1), 1), half(list(1), 2)}, wants: []operand{bools(list(1), 1)}},
		{name: "of bools", op: "And", inputs: []operand{bools(list(4), 0, 0, 1, 1), bools(list(4), 0, 1, 0, 1)}, wants: []operand{bools(list(4), 0, 0, 0, 1)}},
		{name: "of bools", op: "Or", inputs: []operand{bools(list(4), 0, 0, 1, 1), bools(list(4), 0, 1, 0, 1)}, wants: []operand{bools(list(4), 0, 1, 1, 1)}},
		{name: "of bools", op: "Xor", inputs: []operand{bools(list(4), 0, 0, 1, 1), bools(list(4), 0, 1, 0, 1)}, wants: []operand{bools(list(4), 0, 1, 1, 0)}},
		{name: "of bools", op: "Not", inputs: []operand{bools(list(2), 0, 1)}, wants: []operand{bools(list(2), 1, 0)}},
		{name: "of floats", op: "IsNaN", inputs: []operand{a}, wants: []operand{bools(list(3), 0, 0, 1)}},
		{name: "of one sign", op: "IsInf", attrs: graph.Attrs{"detect_negative": int64(0)}, inputs: []operand{floats(list(3), inf, -inf, 1)}, wants: []operand{bools(list(3), 1, 0, 0)}},
		{name: "of halves", op: "IsInf", inputs: []operand{half(list(2), inf, -inf)}, wants: []operand{bools(list(2), 1, 1)}},
	})
}

func TestBitsChange(t *testing.T) {
	u8 := func(values ...float64) operand { return operand{graph.Uint8, list(int64(len(values))), values} }
	shift := func(direction string) graph.Attrs { return graph.Attrs{"direction": direction} }
	runExamples(t, []example{
		{name: "of bytes", op: "BitwiseAnd", inputs: []operand{u8(12), u8(10)}, wants: []operand{u8(8)}},
		{name: "of bytes", op: "BitwiseOr", inputs: []operand{u8(12), u8(10)}, wants: []operand{u8(14)}},
		{name: "of bytes", op: "BitwiseXor", inputs: []operand{u8(12), u8(10)}, wants: []operand{u8(6)}},
		{name: "of bytes", op: "BitwiseNot", inputs: []operand{u8(1)}, wants: []operand{u8(254)}},
		{name: "to the left", op: "BitShift", attrs: shift("LEFT"), inputs: []operand{u8(129, 1), u8(1, 9)}, wants: []operand{u8(2, 0)}},
		{name: "to the right", op: "BitShift", attrs: shift("RIGHT"), inputs: []operand{u8(129, 1), u8(1, 200)}, wants: []operand{u8(64, 0)}},
	})
}

func TestCastsRoundTruncateAndClamp(t *testing.T) {
	v := floats(list(8), -1.9, 1.9, 300, -300, nan, inf, -inf, 0)
	to := func(d graph.DType, values ...float64) []operand {
		return []operand{{d, list(int64(len(values))), values}}
	}
	runExamples(t, []example{
		{name: "of floats to int8", op: "Cast", inputs: []operand{v}, wants: to(graph.Int8, -1, 1, 127, -128, 0, 127, -128, 0)},
		{name: "of floats to uint8", op: "Cast", inputs: []operand{v}, wants: to(graph.Uint8, 0, 1, 255, 0, 0, 255, 0, 0)},
		{name: "of floats to int64", op: "Cast", inputs: []operand{v}, wants: to(graph.Int64, -1, 1, 300, -300, 0, math.MaxInt64, math.MinInt64, 0)},
		{name: "of floats to uint64", op: "Cast", inputs: []operand{v}, wants: to(graph.Uint64, 0, 1, 300, 0, 0, math.MaxUint64, 0, 0)},
		{name: "of floats to bool", op: "Cast", inputs: []operand{v}, wants: to(graph.Bool, 1, 1, 1, 1, 1, 1, 1, 0)},
		{name: "of floats to bfloat16", op: "Cast", inputs: []operand{floats(list(2), 1.00390625, nan)}, wants: to(graph.BFloat16, 1, nan)},
		{name: "of bools", op: "Cast", inputs: []operand{bools(list(2), 0, 1)}, wants: to(graph.Float64, 0, 1)},
		{name: "of integers keeps the lower bits", op: "Cast", inputs: []operand{ints(list(2), 257, -129)}, wants: to(graph.Int8, 1, 127)},
		{name: "of halves", op: "Cast", inputs: []operand{half(list(3), 0.5, -inf, 65504)}, wants: to(graph.Float32, 0.5, -inf, 65504)},
		{name: "of floats to halves", op: "CastLike", inputs: []operand{floats(list(3), 65520, 1e-8, 0.1), half(scalar, 0)}, wants: to(graph.Float16, inf, 0, 0.0999755859375)},
		{name: "of doubles to halves", op: "Cast", inputs: []operand{{graph.Float64, list(1), []float64{1 + 1.0/2048 + 1e-12}}}, wants: to(graph.Float16, 1.0009765625)},
		{name: "to the same type", op: "Cast", inputs: []operand{ints(list(1), 5)}, wants: to(graph.Int64, 5)},
		{name: "of large unsigned numbers", op: "Cast", inputs: []operand{{graph.Uint64, list(1), []float64{1 << 63}}}, wants: to(graph.Float32, 1<<63)},
	})
}

func TestReductionsFoldAxes(t *testing.T) {
	x := floats(graph.Shape{2, 3}, 1, 2, 3, 4, 5, 6)
	drop := graph.Attrs{"keepdims": int64(0)}
	runExamples(t, []example{
		{name: "of everything", op: "ReduceSum", inputs: []operand{x}, wants: []operand{floats(graph.Shape{1, 1}, 21)}},
		{name: "of nothing", op: "ReduceSum", attrs: graph.Attrs{"noop_with_empty_axes": int64(1)}, inputs: []operand{x, ints(list(0))}, wants: []operand{x}},
		{name: "of rows", op: "ReduceMean", attrs: drop, inputs: []operand{x, ints(list(1), 1)}, wants: []operand{floats(list(2), 2, 5)}},
		{name: "of columns", op: "ReduceMax", inputs: []operand{x, ints(list(1), -2)}, wants: []operand{floats(graph.Shape{1, 3}, 4, 5, 6)}},
		{name: "of rows", op: "ReduceMin", attrs: drop, inputs: []operand{x, ints(list(1), 1)}, wants: []operand{floats(list(2), 1, 4)}},
		{name: "of columns", op: "ReduceProd", attrs: drop, inputs: []operand{x, ints(list(1), 0)}, wants: []operand{floats(list(3), 4, 10, 18)}},
		{name: "of signs", op: "ReduceL1", attrs: drop, inputs: []operand{floats(list(3), -1, 2, -3)}, wants: []operand{floats(scalar, 6)}},
		{name: "of columns", op: "ReduceL2", attrs: drop, inputs: []operand{floats(graph.Shape{2, 2}, 3, 1, 4, 0), ints(list(1), 0)}, wants: []operand{floats(list(2), 5, 1)}},
		{name: "of rows", op: "ReduceSumSquare", attrs: drop, inputs: []operand{x, ints(list(1), 1)}, wants: []operand{floats(list(2), 14, 77)}},
		{name: "of everything", op: "ReduceLogSum", attrs: drop, inputs: []operand{x}, wants: []operand{floats(scalar, math.Log(21))}},
		{name: "of large numbers", op: "ReduceLogSumExp", attrs: drop, inputs: []operand{floats(list(2), 1000, 1000)}, wants: []operand{floats(scalar, 1000+math.Ln2)}},
		{name: "of minus infinity", op: "ReduceLogSumExp", attrs: drop, inputs: []operand{floats(list(2), -inf, -inf)}, wants: []operand{floats(scalar, -inf)}},
		{name: "of middle axes", op: "ReduceSum", attrs: drop, inputs: []operand{floats(graph.Shape{2, 2, 2}, 1, 2, 3, 4, 5, 6, 7, 8), ints(list(1), 1)}, wants: []operand{floats(graph.Shape{2, 2}, 4, 6, 12, 14)}},
		{name: "of outer axes", op: "ReduceSum", attrs: drop, inputs: []operand{floats(graph.Shape{2, 2, 2}, 1, 2, 3, 4, 5, 6, 7, 8), ints(list(2), 0, 2)}, wants: []operand{floats(list(2), 14, 22)}},
		{name: "of no elements", op: "ReduceMax", attrs: drop, inputs: []operand{floats(list(0))}, wants: []operand{floats(scalar, -inf)}},
		{name: "of no elements", op: "ReduceMean", attrs: drop, inputs: []operand{floats(list(0))}, wants: []operand{floats(scalar, nan)}},
		{name: "of no integers", op: "ReduceMean", attrs: drop, inputs: []operand{ints(list(0))}, wants: []operand{ints(scalar, 0)}},
		{name: "of no integers", op: "ReduceLogSum", attrs: drop, inputs: []operand{ints(list(0))}, wants: []operand{ints(scalar, math.MinInt64)}},
		{name: "of integers", op: "ReduceL2", attrs: drop, inputs: []operand{ints(list(2), 3, -4)}, wants: []operand{ints(scalar, 5)}},
		{name: "of bools", op: "ReduceMax", attrs: drop, inputs: []operand{bools(graph.Shape{2, 2}, 0, 0, 1, 0), ints(list(1), 1)}, wants: []operand{bools(list(2), 0, 1)}},
		{name: "of no bools", op: "ReduceMin", attrs: drop, inputs: []operand{bools(list(0))}, wants: []operand{bools(scalar, 1)}},
		{name: "of halves", op: "ReduceSum", attrs: drop, inputs: []operand{half(list(2), 1, 2)}, wants: []operand{half(scalar, 3)}},
	})
}

func TestOrderFollowsTheValues(t *testing.T) {
	x := floats(graph.Shape{2, 3}, 1, 3, 3, 6, 5, 6)
	axis := func(v int64) graph.Attrs { return graph.Attrs{"axis": v, "keepdims": int64(0)} }
	runExamples(t, []example{
		{name: "takes the first", op: "ArgMax", attrs: axis(1), inputs: []operand{x}, wants: []operand{ints(list(2), 1, 0)}},
		{name: "takes the last when asked", op: "ArgMax", attrs: graph.Attrs{"axis": int64(1), "select_last_index": int64(1)}, inputs: []operand{x}, wants: []operand{ints(graph.Shape{2, 1}, 2, 2)}},
		{name: "finds NaN", op: "ArgMax", attrs: axis(0), inputs: []operand{floats(list(3), 1, nan, 3)}, wants: []operand{ints(scalar, 1)}},
		{name: "finds NaN too", op: "ArgMin", attrs: axis(0), inputs: []operand{floats(list(3), 1, nan, 3)}, wants: []operand{ints(scalar, 1)}},
		{name: "gives int32 as well", op: "ArgMin", attrs: axis(0), inputs: []operand{x}, wants: []operand{{graph.Int32, list(3), []float64{0, 0, 0}}}},
		{
			name: "keeps the order of equals", op: "TopK",
			inputs: []operand{x, ints(list(1), 2)}, wants: []operand{floats(graph.Shape{2, 2}, 3, 3, 6, 6), ints(graph.Shape{2, 2}, 1, 2, 0, 2)},
		},
		{
			name: "finds the least on the first axis", op: "TopK", attrs: graph.Attrs{"axis": int64(0), "largest": int64(0)},
			inputs: []operand{x, ints(list(1), 1)}, wants: []operand{floats(graph.Shape{1, 3}, 1, 3, 3), ints(graph.Shape{1, 3}, 0, 0, 0)},
		},
		{name: "marks the first", op: "Hardmax", inputs: []operand{x}, wants: []operand{floats(graph.Shape{2, 3}, 0, 1, 0, 1, 0, 0)}},
		{name: "marks on the first axis", op: "Hardmax", attrs: graph.Attrs{"axis": int64(0)}, inputs: []operand{x}, wants: []operand{floats(graph.Shape{2, 3}, 0, 0, 0, 1, 1, 1)}},
		{name: "sums up", op: "CumSum", inputs: []operand{x, ints(scalar, 1)}, wants: []operand{floats(graph.Shape{2, 3}, 1, 4, 7, 6, 11, 17)}},
		{
			name: "sums the others from the end", op: "CumSum", attrs: graph.Attrs{"exclusive": int64(1), "reverse": int64(1)},
			inputs: []operand{x, ints(scalar, 1)}, wants: []operand{floats(graph.Shape{2, 3}, 6, 3, 0, 11, 6, 0)},
		},
	})
}

func TestQuantisationScales(t *testing.T) {
	u8 := func(shape graph.Shape, values ...float64) operand { return operand{graph.Uint8, shape, values} }
	runExamples(t, []example{
		{name: "rounds to even and clamps", op: "QuantizeLinear", inputs: []operand{floats(list(5), 1, 3, 5, -1000, nan), floats(scalar, 2), of8(scalar, 1)}, wants: []operand{of8(list(5), 1, 3, 3, -128, 0)}},
		{name: "goes to bytes", op: "QuantizeLinear", inputs: []operand{floats(list(2), -1, 1000), floats(scalar, 2)}, wants: []operand{u8(list(2), 0, 255)}},
		{
			name: "has a scale for each column", op: "QuantizeLinear",
			inputs: []operand{floats(graph.Shape{2, 2}, 2, 2, 4, 4), floats(list(2), 1, 2)}, wants: []operand{{graph.Int16, graph.Shape{2, 2}, []float64{2, 1, 4, 2}}},
		},
		{name: "takes integers", op: "QuantizeLinear", inputs: []operand{{graph.Int32, list(1), []float64{8}}, floats(scalar, 2)}, wants: []operand{u8(list(1), 4)}},
		{name: "finds the scale by itself", op: "DynamicQuantizeLinear", inputs: []operand{floats(list(3), 0, -51, 204)}, wants: []operand{u8(list(3), 51, 0, 255), floats(scalar, 1), u8(scalar, 51)}},
		{name: "holds 0 where all is above", op: "DynamicQuantizeLinear", inputs: []operand{floats(list(2), 51, 102)}, wants: []operand{u8(list(2), 128, 255), floats(scalar, 0.4), u8(scalar, 0)}},
		{name: "takes zeros", op: "DynamicQuantizeLinear", inputs: []operand{floats(list(2), 0, 0)}, wants: []operand{u8(list(2), 0, 0), floats(scalar, 1), u8(scalar, 0)}},
		{name: "shows a NaN", op: "DynamicQuantizeLinear", inputs: []operand{floats(list(2), nan, 1)}, wants: []operand{u8(list(2), 0, 0), floats(scalar, nan), u8(scalar, 0)}},
		{name: "scales back", op: "DequantizeLinear", inputs: []operand{u8(list(2), 0, 255), floats(scalar, 2), u8(scalar, 128)}, wants: []operand{floats(list(2), -256, 254)}},
		{
			name: "has a scale for each row", op: "DequantizeLinear", attrs: graph.Attrs{"axis": int64(0)},
			inputs: []operand{of8(graph.Shape{2, 2}, 1, 2, 3, 4), floats(list(2), 1, 0.5), of8(list(2), 0, 1)}, wants: []operand{floats(graph.Shape{2, 2}, 1, 2, 1, 1.5)},
		},
		{
			name: "has a scale for each block", op: "DequantizeLinear", attrs: graph.Attrs{"axis": int64(0), "block_size": int64(2)},
			inputs: []operand{of8(graph.Shape{3, 2}, 1, 1, 1, 1, 1, 1), floats(graph.Shape{2, 2}, 1, 2, 3, 4)}, wants: []operand{floats(graph.Shape{3, 2}, 1, 2, 1, 2, 3, 4)},
		},
		{name: "gives halves", op: "DequantizeLinear", inputs: []operand{{graph.Int32, list(1), []float64{3}}, half(scalar, 0.5)}, wants: []operand{half(list(1), 1.5)}},
	})
}
