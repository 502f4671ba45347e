package array

import (
	"math"
	"testing"

	"github.com/memplan/memplan/planner/graph"
)

func TestMovementRefusesWhatHasNoMeaning(t *testing.T) {
	x := floats(graph.Shape{2, 2}, 1, 2, 3, 4)
	f := graph.Float32
	axis := graph.Attrs{"axis": int64(9)}
	runRefusals(t, []refusal{
		{name: "to other elements", op: "Reshape", inputs: []operand{x}, types: one(f, 3), says: "[2, 2] elements do not fill [3]"},
		{name: "to another type", op: "Reshape", inputs: []operand{x}, types: one(graph.Int32, 4), says: "int32 and float32 differ"},
		{name: "in training", op: "Dropout", inputs: []operand{x, absent, bools(scalar, 1)}, types: one(f, 2, 2), says: "training_mode"},
		{name: "of other axes", op: "Transpose", attrs: graph.Attrs{"perm": []int64{0, 0}}, inputs: []operand{x}, types: one(f, 2, 2), says: "no permutation of 2 axes"},
		{name: "of a missing axis", op: "Concat", attrs: axis, inputs: []operand{x, x}, types: one(f, 4, 2), says: "axis 9 is outside [-2, 2)"},
		{name: "of unequal shapes", op: "Concat", inputs: []operand{x, floats(graph.Shape{2, 1}, 1, 2)}, types: one(f, 4, 2), says: "[2, 1] is no part of [4, 2]"},
		{name: "to a smaller result", op: "Concat", inputs: []operand{x, x}, types: one(f, 3, 2), says: "the parts exceed 3"},
		{name: "to a larger result", op: "Concat", inputs: []operand{x}, types: one(f, 3, 2), says: "have 2 on axis 0, the whole 3"},
		{name: "into too much", op: "Split", inputs: []operand{x, ints(list(1), 3)}, types: one(f, 3, 2), says: "length 3 is outside [0, 2]"},
		{name: "into unequal numbers", op: "Split", inputs: []operand{x, ints(list(2), 1, 1)}, types: one(f, 2, 2), says: "2 lengths given for 1 outputs"},
		{name: "by steps of 0", op: "Slice", inputs: []operand{x, ints(list(1), 0), ints(list(1), 1), absent, ints(list(1), 0)}, types: one(f, 1, 2), says: "a step is 0"},
		{name: "of one axis twice", op: "Slice", inputs: []operand{x, ints(list(2), 0, 0), ints(list(2), 1, 1), ints(list(2), 0, -2)}, types: one(f, 1, 2), says: "axis 0 is named twice"},
		{name: "of unequal lists", op: "Slice", inputs: []operand{x, ints(list(2), 0, 0), ints(list(1), 1)}, types: one(f, 1, 2), says: "2 starts, 1 ends"},
		{name: "to another shape", op: "Slice", inputs: []operand{x, ints(list(1), 0), ints(list(1), 1)}, types: one(f, 2, 2), says: "shape [1, 2]"},
		{name: "out of range", op: "Gather", inputs: []operand{x, ints(scalar, 2)}, types: one(f, 2), says: "index 2 is outside [-2, 2)"},
		{name: "far out of range", op: "Gather", inputs: []operand{x, ints(scalar, math.MinInt64)}, types: one(f, 2), says: "index -9223372036854775808 is outside"},
		{name: "by floats", op: "Gather", inputs: []operand{x, floats(scalar, 1)}, types: one(f, 2), says: "float32 elements are not integers"},
		{name: "out of range", op: "GatherElements", inputs: []operand{x, ints(graph.Shape{1, 1}, 5)}, types: one(f, 1, 1), says: "index 5 is outside [-2, 2)"},
		{name: "beyond the data", op: "GatherElements", inputs: []operand{x, ints(graph.Shape{1, 3}, 0, 0, 0)}, types: one(f, 1, 3), says: "exceed data of shape [2, 2]"},
		{name: "out of range", op: "GatherND", inputs: []operand{x, ints(list(2), 0, -3)}, types: one(f), says: "index -3 is outside [-2, 2)"},
		{name: "by long tuples", op: "GatherND", inputs: []operand{x, ints(list(3), 0, 0, 0)}, types: one(f), says: "tuples of 3 indices exceed rank 2"},
		{name: "by a scalar", op: "GatherND", inputs: []operand{x, ints(scalar, 0)}, types: one(f), says: "batch_dims 0 does not suit"},
		{name: "out of range", op: "ScatterND", inputs: []operand{x, ints(graph.Shape{1, 1}, 2), x}, types: one(f, 2, 2), says: "updates have shape [2, 2], not [1, 2]"},
		{name: "by an unknown reduction", op: "ScatterND", attrs: graph.Attrs{"reduction": "xor"}, inputs: []operand{x, ints(graph.Shape{1, 2}, 0, 0), floats(list(1), 1)}, types: one(f, 2, 2), says: `unknown reduction "xor"`},
		{name: "in an unknown mode", op: "Pad", attrs: graph.Attrs{"mode": "mirror"}, inputs: []operand{x, ints(list(4), 0, 0, 0, 1)}, types: one(f, 2, 3), says: `unknown mode "mirror"`},
		{name: "of nothing with its edge", op: "Pad", attrs: graph.Attrs{"mode": "edge"}, inputs: []operand{floats(list(0)), ints(list(2), 1, 1)}, types: one(f, 2), says: "no element to repeat"},
		{name: "beyond what there is", op: "Pad", inputs: []operand{floats(list(1), 1), ints(list(2), -3, 1)}, types: one(f, 1), says: "pads -3 and 1 turn [1] into [1]"},
		{name: "without limit", op: "Pad", inputs: []operand{floats(list(1), 1), ints(list(2), math.MaxInt64, math.MaxInt64)}, types: one(f, 0), says: "pads"},
		{name: "a negative number of times", op: "Tile", inputs: []operand{floats(list(1), 1), ints(list(1), -1)}, types: one(f, 0), says: "-1 repeats"},
		{name: "to fewer elements", op: "Expand", inputs: []operand{x}, types: one(f, 2, 1), says: "[2, 2] does not broadcast to [2, 1]"},
		{name: "with 3 channels", op: "DepthToSpace", attrs: graph.Attrs{"blocksize": int64(2)}, inputs: []operand{floats(graph.Shape{1, 3, 1, 1}, 1, 2, 3)}, types: one(f, 1, 1, 2, 2), says: "3 channels are no multiple of blocksize 2"},
		{name: "without blocks", op: "SpaceToDepth", inputs: []operand{x}, types: one(f, 2, 2), says: "blocksize 0"},
		{name: "for too long", op: "ReverseSequence", inputs: []operand{x, ints(list(2), 3, 0)}, types: one(f, 2, 2), says: "length 3 is outside [0, 2]"},
		{name: "with many blocks", op: "BatchToSpaceNd", domain: "tflite", inputs: []operand{floats(graph.Shape{1, 1, 1, 1}, 1), ints(list(3), 1<<30, 1<<30, 1<<30), ints(graph.Shape{3, 2}, 0, 0, 0, 0, 0, 0)}, types: one(f, 1), says: "block size"},
	})
}

func TestCalculationRefusesWhatHasNoMeaning(t *testing.T) {
	x, f := floats(list(2), 1, 2), graph.Float32
	runRefusals(t, []refusal{
		{name: "of unequal shapes", op: "Add", inputs: []operand{x, floats(list(3), 1, 2, 3)}, types: one(f, 3), says: "[2] does not broadcast to [3]"},
		{name: "to a larger shape", op: "Add", inputs: []operand{floats(list(1), 1), floats(list(1), 1)}, types: one(f, 3), says: "broadcast to [1] where [3] was planned"},
		{name: "of unequal types", op: "Add", inputs: []operand{x, ints(list(2), 1, 2)}, types: one(f, 2), says: "float32 and int64 differ"},
		{name: "of bools", op: "Add", inputs: []operand{bools(list(1), 1), bools(list(1), 1)}, types: one(graph.Bool, 1), says: "no arithmetic on bool"},
		{name: "by 0", op: "Div", inputs: []operand{ints(list(2), 1, 2), ints(list(2), 1, 0)}, types: one(graph.Int64, 2), says: "a divisor is 0"},
		{name: "by 0", op: "Mod", inputs: []operand{of8(list(1), 1), of8(scalar, 0)}, types: one(graph.Int8, 1), says: "a divisor is 0"},
		{name: "of integers", op: "Exp", inputs: []operand{ints(list(1), 1)}, types: one(graph.Int64, 1), says: "no Exp on integers"},
		{name: "of floats", op: "BitwiseAnd", inputs: []operand{x, x}, types: one(f, 2), says: "no bits to change"},
		{name: "sideways", op: "BitShift", inputs: []operand{ints(list(1), 1), ints(list(1), 1)}, types: one(graph.Int64, 1), says: "unknown direction"},
		{name: "of floats", op: "And", inputs: []operand{x, x}, types: one(graph.Bool, 2), says: "float32 where bool is needed"},
		{name: "into floats", op: "Equal", inputs: []operand{x, x}, types: one(f, 2), says: "float32 where bool is needed"},
		{name: "by lists", op: "Clip", inputs: []operand{x, x}, types: one(f, 2), says: "a limit has shape [2]"},
		{name: "to another shape", op: "Cast", inputs: []operand{x}, types: one(f, 3), says: "shape [2]"},
		{name: "of a missing axis", op: "ReduceSum", inputs: []operand{x, ints(list(1), 1)}, types: one(f, 1), says: "axis 1 is outside [-1, 1)"},
		{name: "of bools", op: "ReduceSum", inputs: []operand{bools(list(1), 1)}, types: one(graph.Bool, 1), says: "no arithmetic on bool"},
		{name: "of nothing", op: "ArgMax", inputs: []operand{floats(list(0))}, types: one(graph.Int64, 1), says: "has no elements"},
		{name: "into floats", op: "ArgMax", inputs: []operand{x}, types: one(f, 1), says: "not int64 or int32"},
		{name: "of too many", op: "TopK", inputs: []operand{x, ints(list(1), 3)}, types: append(one(f, 3), one(graph.Int64, 3)...), says: "k is 3, outside [0, 2]"},
		{name: "along a missing axis", op: "CumSum", inputs: []operand{x, ints(scalar, 1)}, types: one(f, 2), says: "axis 1 is outside"},
		{name: "with scales of other axes", op: "QuantizeLinear", attrs: graph.Attrs{"axis": int64(0)}, inputs: []operand{x, floats(list(3), 1, 1, 1)}, types: one(graph.Int8, 2), says: "3 scales for 2 on axis 0"},
		{name: "into floats", op: "QuantizeLinear", inputs: []operand{x, floats(scalar, 1)}, types: one(f, 2), says: "no quantisation to float32"},
		{name: "of integers", op: "DynamicQuantizeLinear", inputs: []operand{ints(list(1), 1)}, types: one(graph.Uint8, 1), says: "no quantisation of int64"},
		{name: "into integers", op: "DynamicQuantizeLinear", inputs: []operand{x}, types: one(graph.Int8, 2), says: "output 0 of int8"},
		{name: "of floats", op: "DequantizeLinear", inputs: []operand{x, floats(scalar, 1)}, types: one(f, 2), says: "no dequantisation of float32"},
		{name: "in blocks of nothing", op: "DequantizeLinear", attrs: graph.Attrs{"axis": int64(0)}, inputs: []operand{of8(graph.Shape{2, 1}, 1, 2), floats(graph.Shape{1, 1}, 1)}, types: one(f, 2, 1), says: "block_size 0"},
		{name: "of another shape", op: "ConstantOfShape", inputs: []operand{ints(list(1), 3)}, types: one(f, 2), says: "shape [3] where [2] was planned"},
		{name: "in steps of 0", op: "Range", inputs: []operand{ints(scalar, 0), ints(scalar, 1), ints(scalar, 0)}, types: one(graph.Int64, 1), says: "delta is 0"},
		{name: "without end", op: "Range", inputs: []operand{ints(scalar, math.MinInt64), ints(scalar, 1<<62), ints(scalar, 1)}, types: one(graph.Int64, 1), says: "13835058055282163712 elements"},
		{name: "of no number", op: "Range", inputs: []operand{floats(scalar, nan), floats(scalar, 1), floats(scalar, 1)}, types: one(f, 1), says: "NaN elements"},
		{name: "of a list", op: "EyeLike", inputs: []operand{x}, types: one(f, 2), says: "no matrix"},
		{name: "to another number", op: "NonZero", inputs: []operand{x}, types: one(graph.Int64, 1, 1), says: "the result has shape [1, 2] where [1, 1] was planned"},
		{name: "by depth 3", op: "OneHot", inputs: []operand{ints(list(1), 0), ints(scalar, 3), x}, types: one(f, 1, 2), says: "depth [3] turns [1] into [1, 2]"},
		{name: "by numbers", op: "Where", inputs: []operand{x, x, x}, types: one(f, 2), says: "not bool"},
		{name: "beyond the data", op: "Compress", inputs: []operand{x, bools(list(3), 0, 0, 1)}, types: one(f, 1), says: "keeps slice 2 of 2"},
		{name: "of quantised values", op: "Square", domain: "tflite", inputs: []operand{of8(list(1), 1)}, types: one(graph.Int8, 1), says: "may hold quantised values"},
		{name: "with an unknown activation", op: "Add", fused: []string{"Add", "Softmax"}, inputs: []operand{x, x}, types: one(f, 2), says: "Softmax is fused into Add"},
	})
}
