package array

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// elementwiseKernels calculate each element from those of the inputs that broadcast to it.
var elementwiseKernels = map[string]entry{
	"Add": {kernel: arithmetic, needed: 2, most: 2, outputs: 1, halves: true},
	"Sub": {kernel: arithmetic, needed: 2, most: 2, outputs: 1, halves: true},
	"Mul": {kernel: arithmetic, needed: 2, most: 2, outputs: 1, halves: true},
	"Div": {kernel: arithmetic, needed: 2, most: 2, outputs: 1, halves: true},
	"Mod": {kernel: arithmetic, needed: 2, most: 2, outputs: 1, halves: true},
	"Pow": {kernel: power, needed: 2, most: 2, outputs: 1, halves: true},

	"Sum":  {kernel: variadic, needed: 1, most: -1, outputs: 1, halves: true},
	"Mean": {kernel: variadic, needed: 1, most: -1, outputs: 1, halves: true},
	"Max":  {kernel: variadic, needed: 1, most: -1, outputs: 1, halves: true},
	"Min":  {kernel: variadic, needed: 1, most: -1, outputs: 1, halves: true},

	"Clip":  {kernel: clip, needed: 1, most: 3, outputs: 1, halves: true},
	"PRelu": {kernel: prelu, needed: 2, most: 2, outputs: 1, halves: true},
}

// mappingNames are the ops on one number.
var mappingNames = []string{
	"Neg", "Abs", "Sign", "Relu", "Shrink", "LeakyRelu", "HardSigmoid", "HardSwish", "ThresholdedRelu",
	"Reciprocal", "Sqrt", "Softsign", "Elu", "Selu", "Celu", "Swish", "Gelu", "Exp", "Log", "Sin", "Cos", "Tan", "Asin",
	"Acos", "Atan", "Sinh", "Cosh", "Tanh", "Asinh", "Acosh", "Atanh", "Ceil", "Floor", "Round", "Erf", "Sigmoid",
	"Softplus", "Mish",
}

// power raises to the element type of the base. With an integer base, an integer exponent is exact and modulo 2^64.
func power(op *graph.Op, outputs, inputs []*Array) error {
	out, base, exponent := outputs[0], inputs[0], inputs[1]
	if err := sameDType(out, base); err != nil {
		return err
	}
	n, err := numericOf(out.DType)
	if err != nil {
		return err
	}
	if out.DType.IsFloat() {
		if exponent, err = asType(exponent, out.DType); err != nil {
			return err
		}
		return n.zip("Pow", out, base, exponent)
	}
	wide, raise := graph.Int64, powerOf
	if exponent.DType.IsFloat() {
		wide, raise = graph.Float64, powerOfFloats
	}
	result := New(Type{wide, out.Shape})
	if result == nil {
		return fmt.Errorf("an array of %v %v cannot be allocated", wide, out.Shape)
	}
	if base, err = asType(base, wide); err != nil {
		return err
	}
	if exponent, err = asType(exponent, wide); err != nil {
		return err
	}
	if err := raise(result, base, exponent); err != nil {
		return err
	}
	return convert(out, result)
}

// asType returns a in the element type, converted when it has another.
func asType(a *Array, d graph.DType) (*Array, error) {
	if a.DType == d {
		return a, nil
	}
	to := New(Type{d, a.Shape})
	if to == nil {
		return nil, fmt.Errorf("an array of %v %v cannot be allocated", d, a.Shape)
	}
	return to, convert(to, a)
}

func powerOfFloats(out, a, b *Array) error { return zipRuns(out, a, b, powerRun[float64]) }

func powerOf(out, a, b *Array) error {
	return zipRuns(out, a, b, func(d, a, b []int64) {
		for i := range d {
			d[i] = wholePower(a[i], b[i])
		}
	})
}

// wholePower raises by squaring, modulo 2^64; a negative exponent gives the truncated reciprocal, 0 for a base of 0.
func wholePower(base, exponent int64) int64 {
	if exponent < 0 {
		switch {
		case base == 1 || base == -1 && exponent%2 == 0:
			return 1
		case base == -1:
			return -1
		}
		return 0
	}
	result := int64(1)
	for ; exponent > 0; exponent >>= 1 {
		if exponent&1 == 1 {
			result *= base
		}
		base *= base
	}
	return result
}
