package shape_test

import (
	"testing"

	"github.com/memplan/memplan/planner/graph"
)

func TestElementwiseOps(t *testing.T) {
	boolean := typed(graph.Bool, 3, 1)
	runOpCases(t, []opCase{
		{name: "keeps the type", op: "Relu", in: []operand{typed(graph.Float16, 2, 0, 3)}, want: []string{"float16 [2, 0, 3]"}},
		{name: "keeps a scalar", op: "Exp", in: []operand{data()}, want: []string{"float32 []"}},
		{name: "takes bounds", op: "Clip", in: []operand{data(2, 3), nil, reals(6)}, want: []string{"float32 [2, 3]"}},
		{name: "writes bool", op: "IsNaN", in: []operand{data(2, 3)}, want: []string{"bool [2, 3]"}},
		{name: "needs an axis of its input", op: "Softmax", in: []operand{data(2, 3)}, attrs: graph.Attrs{"axis": int64(2)}, id: "MP0413", says: []string{"axis 2", "2 axes"}},
		{name: "counts axes from the end", op: "LogSoftmax", in: []operand{data(2, 3)}, attrs: graph.Attrs{"axis": int64(-2)}, want: []string{"float32 [2, 3]"}},
		{name: "has no axis in a scalar", op: "Hardmax", in: []operand{data()}, want: []string{"float32 []"}},

		{name: "broadcasts from the last axis", op: "Add", in: []operand{data(2, 1, 4), data(3, 1)}, want: []string{"float32 [2, 3, 4]"}},
		{name: "broadcasts a scalar", op: "Mul", in: []operand{data(), data(3, 2)}, want: []string{"float32 [3, 2]"}},
		{name: "broadcasts to no elements", op: "Sub", in: []operand{data(3, 1), data(1, 0)}, want: []string{"float32 [3, 0]"}},
		{name: "says which axes do not broadcast", op: "Add", in: []operand{data(2, 3, 4), data(5, 4)}, id: "MP0416", says: []string{`"in1" [5, 4]`, "5 elements on axis 0", "[2, 3, 4]", "3 on axis 1"}},
		{name: "does not broadcast 0 to 3", op: "Add", in: []operand{data(0), data(3)}, id: "MP0416"},
		{name: "needs one element type", op: "Add", in: []operand{data(3), typed(graph.Int64, 3)}, id: "MP0417", says: []string{"float32", "int64"}},
		{name: "needs both operands", op: "Div", in: []operand{data(3)}, id: "MP0411"},
		{name: "takes any number of operands", op: "Max", in: []operand{data(3), data(2, 1), data(1, 1, 1)}, want: []string{"float32 [1, 2, 3]"}},
		{name: "takes one operand", op: "Mean", in: []operand{data(3)}, want: []string{"float32 [3]"}},
		{name: "has the type of its base", op: "Pow", in: []operand{data(3), typed(graph.Int64, 1)}, want: []string{"float32 [3]"}},
		{name: "says what does not broadcast", op: "Pow", in: []operand{data(3), data(2)}, id: "MP0416"},
		{name: "writes bool", op: "GreaterOrEqual", in: []operand{data(3), data(2, 1)}, want: []string{"bool [2, 3]"}},
		{name: "joins bools", op: "And", in: []operand{boolean, typed(graph.Bool, 2)}, want: []string{"bool [3, 2]"}},
		{name: "broadcasts its condition too", op: "Where", in: []operand{boolean, data(1), data(2)}, want: []string{"float32 [3, 2]"}},
		{name: "needs a bool condition", op: "Where", in: []operand{data(3), data(1), data(2)}, id: "MP0417", says: []string{"condition"}},
		{name: "broadcasts its slope only", op: "PRelu", in: []operand{data(2, 3, 4), data(3, 1)}, want: []string{"float32 [2, 3, 4]"}},
		{name: "refuses a slope larger than the data", op: "PRelu", in: []operand{data(3, 1), data(2, 3, 4)}, id: "MP0416"},
		{name: "refuses a slope that does not fit", op: "PRelu", in: []operand{data(3, 4), data(5, 4)}, id: "MP0416", says: []string{"axis 0 has 5 elements, axis 0 of the other 3"}},

		{name: "reads ONNX's type numbers", op: "Cast", in: []operand{data(3)}, attrs: graph.Attrs{"to": int64(10)}, want: []string{"float16 [3]"}},
		{name: "reads type names", op: "Cast", in: []operand{data(3)}, attrs: graph.Attrs{"to": "bfloat16"}, want: []string{"bfloat16 [3]"}},
		{name: "needs a target", op: "Cast", in: []operand{data(3)}, id: "MP0412"},
		{name: "refuses strings as target", op: "Cast", in: []operand{data(3)}, attrs: graph.Attrs{"to": int64(8)}, id: "MP0412", says: []string{"8"}},
		{name: "refuses a target out of range", op: "Cast", in: []operand{data(3)}, attrs: graph.Attrs{"to": int64(-1)}, id: "MP0412"},
		{name: "takes the type of its second input", op: "CastLike", in: []operand{data(3), typed(graph.Uint8, 7)}, want: []string{"uint8 [3]"}},
		{name: "writes a mask too", op: "Dropout", in: []operand{data(3)}, want: []string{"float32 [3]", "bool [3]"}},
		{name: "sums along an axis", op: "CumSum", in: []operand{data(3, 2), number(-1)}, want: []string{"float32 [3, 2]"}},
		{name: "needs an axis of its input", op: "CumSum", in: []operand{data(3, 2), number(2)}, id: "MP0413"},
		{name: "needs a matrix", op: "Trilu", in: []operand{data(3)}, id: "MP0414"},
		{name: "keeps the type", op: "Trilu", in: []operand{data(3, 2), number(1)}, want: []string{"float32 [3, 2]"}},
		{name: "needs a length for each of the batch", op: "ReverseSequence", in: []operand{data(4, 3), ints(1, 2)}, id: "MP0415"},
		{name: "keeps the type", op: "ReverseSequence", in: []operand{data(4, 3), ints(1, 2, 3)}, want: []string{"float32 [4, 3]"}},

		{name: "of TFLite keeps the type", op: "Rsqrt", domain: "tflite", in: []operand{data(3)}, want: []string{"float32 [3]"}},
		{name: "of TFLite broadcasts", op: "SquaredDifference", domain: "tflite", in: []operand{data(3), data(2, 1)}, want: []string{"float32 [2, 3]"}},
	})
}

func TestNormalizations(t *testing.T) {
	runOpCases(t, []opCase{
		{name: "keeps the type", op: "BatchNormalization", in: []operand{data(2, 3, 4, 4), data(3), data(3), data(3), data(3)}, want: []string{"float32 [2, 3, 4, 4]"}},
		{name: "writes statistics when training", op: "BatchNormalization", in: []operand{data(2, 3, 4), data(3), data(3), data(3), data(3)}, want: []string{"float32 [2, 3, 4]", "float32 [3]", "float32 [3]"}},
		{name: "needs one value for each channel", op: "BatchNormalization", in: []operand{data(2, 3, 4), data(3), data(4), data(3), data(3)}, id: "MP0415", says: []string{`"in2" [4]`, "3 are needed"}},
		{name: "keeps the type", op: "InstanceNormalization", in: []operand{data(2, 3, 4), data(3), data(3)}, want: []string{"float32 [2, 3, 4]"}},
		{name: "needs space", op: "InstanceNormalization", in: []operand{data(2, 3), data(3), data(3)}, id: "MP0414"},
		{name: "keeps the type", op: "GroupNormalization", in: []operand{data(2, 4, 4), data(4), data(4)}, attrs: graph.Attrs{"num_groups": int64(2)}, want: []string{"float32 [2, 4, 4]"}},
		{name: "says that groups do not divide channels", op: "GroupNormalization", in: []operand{data(2, 4, 4), data(4), data(4)}, attrs: graph.Attrs{"num_groups": int64(3)}, id: "MP0419"},
		{name: "needs num_groups", op: "GroupNormalization", in: []operand{data(2, 4, 4), data(4), data(4)}, id: "MP0412"},
		{name: "writes mean and deviation of the rest", op: "LayerNormalization", in: []operand{data(2, 3, 4), data(3, 4), data(3, 4)}, attrs: graph.Attrs{"axis": int64(1)},
			want: []string{"float32 [2, 3, 4]", "float32 [2, 1, 1]", "float32 [2, 1, 1]"}},
		{name: "needs a scale that fits", op: "LayerNormalization", in: []operand{data(2, 3, 4), data(3)}, id: "MP0416"},
		{name: "keeps the type", op: "RMSNormalization", in: []operand{data(2, 3), data(3)}, want: []string{"float32 [2, 3]"}},
		{name: "keeps the type", op: "LRN", in: []operand{data(2, 3, 4)}, attrs: graph.Attrs{"size": int64(3)}, want: []string{"float32 [2, 3, 4]"}},
		{name: "needs a size", op: "LRN", in: []operand{data(2, 3, 4)}, attrs: graph.Attrs{"size": int64(-3)}, id: "MP0412"},
		{name: "keeps the type", op: "MeanVarianceNormalization", in: []operand{data(2, 3, 4)}, want: []string{"float32 [2, 3, 4]"}},
		{name: "keeps the type", op: "LpNormalization", in: []operand{data(2, 3, 4)}, want: []string{"float32 [2, 3, 4]"}},
	})
}

func TestQuantization(t *testing.T) {
	runOpCases(t, []opCase{
		{name: "is uint8 without zero point", op: "QuantizeLinear", in: []operand{data(2, 3), data()}, want: []string{"uint8 [2, 3]"}},
		{name: "takes the type of its zero point", op: "QuantizeLinear", in: []operand{data(2, 3), data(3), typed(graph.Int8, 3)}, want: []string{"int8 [2, 3]"}},
		{name: "takes the type of its attribute", op: "QuantizeLinear", in: []operand{data(2, 3), data()}, attrs: graph.Attrs{"output_dtype": int64(5)}, want: []string{"int16 [2, 3]"}},
		{name: "needs a scale for each element of the axis", op: "QuantizeLinear", in: []operand{data(2, 3), data(2)}, id: "MP0415"},
		{name: "takes the type of its scale", op: "DequantizeLinear", in: []operand{typed(graph.Int8, 2, 3), typed(graph.Float16)}, want: []string{"float16 [2, 3]"}},
		{name: "takes scales by block", op: "DequantizeLinear", in: []operand{typed(graph.Int8, 2, 8), data(2, 4)}, want: []string{"float32 [2, 8]"}},
		{name: "writes scale and zero point", op: "DynamicQuantizeLinear", in: []operand{data(2, 3)}, want: []string{"uint8 [2, 3]", "float32 []", "uint8 []"}},
	})
}
