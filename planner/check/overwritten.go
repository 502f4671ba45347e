package check

import (
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// pointwise are the ops whose result at a place depends on their operands at that place, so that it may take the place of one
// of them: of the first, or of any. Those that change some places of their first operand, or read groups of it before they write
// them, may take the place of that, if they have it once.
var pointwise = struct{ first, any, once []string }{
	first: []string{
		"Abs", "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "BatchNormalization", "BitShift", "BitwiseNot", "Ceil", "Celu", "Clip", "Cos", "Cosh",
		"Dropout", "Elu", "Erf", "Exp", "Floor", "Gelu", "HardSigmoid", "HardSwish", "Identity", "LeakyRelu", "Log", "Mish", "Neg", "Not", "PRelu", "Pow",
		"Reciprocal", "Relu", "Round", "Rsqrt", "Selu", "Shrink", "Sigmoid", "Sign", "Sin", "Sinh", "Softplus", "Softsign", "Sqrt", "Square", "Swish", "Tan",
		"Tanh", "ThresholdedRelu",
	},
	any: []string{
		"Add", "And", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Div", "FloorDiv", "FloorMod", "Max", "Mean", "Min", "Mod", "Mul", "Or",
		"SquaredDifference", "Sub", "Sum", "Where", "Xor",
	},
	once: []string{
		"GroupNormalization", "InstanceNormalization", "L2Normalization", "LayerNormalization", "LogSoftmax", "LpNormalization",
		"MeanVarianceNormalization", "Scatter", "ScatterElements", "ScatterND", "Softmax",
	},
}

// overwritten is the operand, which lies in the same bytes, that the op may have written its result over. It is none when the
// op reads another operand there in another way, which a convolution does with all but the one it adds to its sums, and an op that
// goes through groups with all but the first, nor where they are rows with other bytes between them.
func (pg *planned) overwritten(op *graph.Op, result graph.TensorID) (found graph.TensorID, ok bool) {
	if op.Outputs[0] != result || !slices.Contains([]string{"", "ai.onnx", "tflite"}, op.Domain) {
		return graph.NoTensor, false
	}
	if slices.ContainsFunc(op.Outputs[1:], func(id graph.TensorID) bool { return id != graph.NoTensor }) {
		return graph.NoTensor, false
	}
	row := pg.rows[result]
	alone := op.Op == "Conv" || op.Op == "ConvTranspose" || slices.Contains(pointwise.once, op.Op)
	for i, id := range op.Inputs {
		in := pg.g.Tensor(id)
		if in == nil || pg.rows[id] == nil || baseName(pg.rows[id]) != baseName(row) || !meet(pg.rows[id].ViewOffset, pg.rows[id].Size, row.ViewOffset, row.Size) {
			continue
		}
		if !sameBytes(pg.rows[id], row) || row.Rows != nil || in.DType != pg.g.Tensors[result].DType || !in.Shape.Equal(pg.g.Tensors[result].Shape) {
			return graph.NoTensor, false
		}
		switch {
		case takesPlace(op, i):
			found, ok = id, true
		case alone:
			return graph.NoTensor, false
		}
	}
	return found, ok
}

// takesPlace reports whether the result may take the place of operand i.
func takesPlace(op *graph.Op, i int) bool {
	switch {
	case op.Op == "Conv" || op.Op == "ConvTranspose":
		return i == addedLast(op)
	case op.Op == "GlobalAveragePool":
		// A squeeze-and-excitation block scales what it has taken the means of.
		return len(op.Fused) > 1 && op.Fused[len(op.Fused)-1] == "Mul" && op.Inputs[i] == op.Inputs[0] && op.Inputs[len(op.Inputs)-1] == op.Inputs[0]
	case slices.Contains(pointwise.first, op.Op):
		return i == 0
	case slices.Contains(pointwise.once, op.Op):
		return i == 0 && !slices.Contains(op.Inputs[1:], op.Inputs[0])
	case op.Op == "Where" && len(op.Inputs) < 3:
		return false
	case slices.Contains(pointwise.any, op.Op):
		return len(op.Fused) < 2 || i < 2
	}
	return false
}

// addedLast is the operand that is added to the sums of the last of an op's convolutions, -1 when none is.
func addedLast(op *graph.Op) int {
	own, after := 3, 1
	for i, name := range op.Fused {
		if i > 0 && name == "Conv" {
			own, after = own+2, i+1
		}
	}
	if len(op.Fused) <= after || op.Fused[after] != "Add" {
		return -1
	}
	return own
}

// meet reports whether two runs of bytes have any in common.
func meet(a, sizeA, b, sizeB int64) bool { return a < b+sizeB && b < a+sizeA }
