package graph

import "slices"

// anyOperand stands in the table for every operand of an op.
const anyOperand = -1

// elementwise has the ops that compute each element of their first result from the elements of their operands at the same
// place, so that a kernel which goes through the elements once may write over an operand: all of them, or the first.
var elementwise = map[string]int{
	"Add": anyOperand, "Sub": anyOperand, "Mul": anyOperand, "Div": anyOperand, "Max": anyOperand, "Min": anyOperand,
	"Sum": anyOperand, "Mean": anyOperand, "Mod": anyOperand, "FloorDiv": anyOperand, "FloorMod": anyOperand, "SquaredDifference": anyOperand,
	"And": anyOperand, "Or": anyOperand, "Xor": anyOperand, "BitwiseAnd": anyOperand, "BitwiseOr": anyOperand, "BitwiseXor": anyOperand,
	"Where": anyOperand, "Pow": 0, "PRelu": 0, "Clip": 0, "BatchNormalization": 0, "BitShift": 0, "BitwiseNot": 0, "Not": 0,
	"Abs": 0, "Neg": 0, "Square": 0, "Sqrt": 0, "Rsqrt": 0, "Exp": 0, "Log": 0, "Erf": 0, "Floor": 0, "Ceil": 0, "Round": 0, "Reciprocal": 0, "Sign": 0,
	"Sin": 0, "Cos": 0, "Tan": 0, "Asin": 0, "Acos": 0, "Atan": 0, "Sinh": 0, "Cosh": 0, "Asinh": 0, "Acosh": 0, "Atanh": 0,
	"Relu": 0, "LeakyRelu": 0, "Sigmoid": 0, "HardSigmoid": 0, "HardSwish": 0, "Tanh": 0, "Elu": 0, "Selu": 0, "Celu": 0, "Softplus": 0,
	"Softsign": 0, "ThresholdedRelu": 0, "Gelu": 0, "Mish": 0, "Shrink": 0, "Swish": 0, "Identity": 0, "Dropout": 0,
}

// groupwise has the ops that may write over their first operand although they are not elementwise: those that read a whole group
// of its elements before they write the first of the group, and nothing of it then but the element that they write; and those
// that change some elements of it. None of their other operands may be the same tensor.
var groupwise = []string{
	"Softmax", "LogSoftmax", "InstanceNormalization", "GroupNormalization", "LayerNormalization", "MeanVarianceNormalization",
	"LpNormalization", "L2Normalization", "Scatter", "ScatterElements", "ScatterND",
}

// Elementwise reports whether the op computes each element of its first result from the elements of its operands at the same
// place.
func (o *Op) Elementwise() bool {
	_, ok := elementwise[o.Op]
	return ok
}

// Overwrites lists the operands, by their position, that the op may write its first result over: those that it reads for
// the last time before it writes the same element. Of ops that were fused to a convolution, a sum that
// comes first has its other operand among them, unless the convolution reads it as well: it is read when the result is
// stored, and the convolution's own operands are read over and over until the last element is. An operand that does not have the type
// and the shape of the result is never among them; nor is any for ops whose meaning is not known.
func (g *Graph) Overwrites(op *Op) []int {
	if op.Domain != "" && op.Domain != "ai.onnx" && op.Domain != "tflite" || len(op.Outputs) == 0 {
		return nil
	}
	result := g.Tensor(op.Outputs[0])
	if result == nil || g.seesMore(op) {
		return nil
	}
	var out []int
	for _, i := range op.overwritten() {
		in := g.Tensor(op.Inputs[i])
		if in != nil && in.DType == result.DType && in.Shape.Known() && in.Shape.Equal(result.Shape) && in.Layout == result.Layout {
			out = append(out, i)
		}
	}
	return out
}

// seesMore reports whether the op has a second result that somebody may read, such as the mask of a Dropout.
func (g *Graph) seesMore(op *Op) bool {
	for _, id := range op.Outputs[1:] {
		if g.Tensor(id) != nil {
			return true
		}
	}
	return false
}

// overwritten is what the table says of the op's operands, whatever their shapes.
func (o *Op) overwritten() []int {
	if residual, ok := o.Residual(); ok {
		if slices.Index(o.Inputs, o.Inputs[residual]) != residual || slices.Contains(o.Inputs[residual+1:], o.Inputs[residual]) {
			return nil
		}
		return []int{residual}
	}
	if o.excites() {
		return []int{0}
	}
	if len(o.Inputs) == 0 {
		return nil
	}
	if o.InGroups() {
		if slices.Contains(o.Inputs[1:], o.Inputs[0]) {
			return nil
		}
		return []int{0}
	}
	which, ok := elementwise[o.Op]
	if !ok || o.Op == "Where" && len(o.Inputs) < 3 { // TensorFlow Lite's Where of one operand lists places
		return nil
	}
	if which != anyOperand {
		return []int{which}
	}
	all := make([]int, 0, len(o.Inputs))
	for i := range o.Inputs[:o.ownInputs()] {
		all = append(all, i)
	}
	return all
}

// InGroups reports whether the op may write over its first operand only if it reads nothing else in the same bytes: it reads a group
// of elements before it writes the first of them, or writes some elements only.
func (o *Op) InGroups() bool { return slices.Contains(groupwise, o.Op) }

// excites reports whether the op is a squeeze-and-excitation block, which has read its first operand once when it goes through
// its elements to scale them, and nothing else from then on but the factors it computed.
func (o *Op) excites() bool {
	return o.Op == "GlobalAveragePool" && len(o.Fused) > 1 && o.Fused[len(o.Fused)-1] == "Mul" && len(o.Inputs) > 1 && o.Inputs[len(o.Inputs)-1] == o.Inputs[0]
}

// ownInputs is the number of operands of an elementwise op without those of what was fused to it.
func (o *Op) ownInputs() int {
	if len(o.Fused) > 1 {
		return min(2, len(o.Inputs))
	}
	return len(o.Inputs)
}

// Residual returns the position of the operand that a convolution adds to its sums as it stores them: that of an Add
// which is the first op fused to it, or to the second one of a separable convolution.
func (o *Op) Residual() (int, bool) {
	at, own := o.Separable(), 3
	if at > 0 {
		own = 5
	}
	if o.Op != "Conv" && o.Op != "ConvTranspose" || len(o.Fused) < at+2 || o.Fused[at+1] != "Add" || len(o.Inputs) <= own {
		return 0, false
	}
	return own, o.Inputs[own] != NoTensor
}
