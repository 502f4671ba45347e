package array

import (
	"math"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// points are where functions are compared with their formulas.
var points = []float64{-7.5, -3, -1.5, -0.5, -0.25, 0, 0.25, 0.5, 1.5, 2.5, 8}

var formulas = map[string]func(x float64) float64{
	"Neg":             func(x float64) float64 { return -x },
	"Abs":             math.Abs,
	"Sign":            func(x float64) float64 { return map[bool]float64{true: 1}[x > 0] - map[bool]float64{true: 1}[x < 0] },
	"Relu":            func(x float64) float64 { return math.Max(x, 0) },
	"Shrink":          func(x float64) float64 { return map[bool]float64{true: x}[math.Abs(x) > 0.5] },
	"LeakyRelu":       func(x float64) float64 { return math.Max(x, 0) + 0.01*math.Min(x, 0) },
	"HardSigmoid":     func(x float64) float64 { return math.Max(0, math.Min(1, 0.2*x+0.5)) },
	"HardSwish":       func(x float64) float64 { return x * math.Max(0, math.Min(1, x/6+0.5)) },
	"ThresholdedRelu": func(x float64) float64 { return map[bool]float64{true: x}[x > 1] },
	"Reciprocal":      func(x float64) float64 { return 1 / x },
	"Sqrt":            math.Sqrt,
	"Softsign":        func(x float64) float64 { return x / (1 + math.Abs(x)) },
	"Elu":             func(x float64) float64 { return math.Max(x, 0) + math.Min(math.Exp(x)-1, 0) },
	"Selu": func(x float64) float64 {
		return 1.0507010221481323 * (math.Max(x, 0) + math.Min(1.6732631921768188*(math.Exp(x)-1), 0))
	},
	"Celu":     func(x float64) float64 { return math.Max(x, 0) + math.Min(math.Exp(x)-1, 0) },
	"Swish":    func(x float64) float64 { return x / (1 + math.Exp(-x)) },
	"Gelu":     func(x float64) float64 { return 0.5 * x * math.Erfc(-x/math.Sqrt2) },
	"Exp":      math.Exp,
	"Log":      math.Log,
	"Sin":      math.Sin,
	"Cos":      math.Cos,
	"Tan":      math.Tan,
	"Asin":     math.Asin,
	"Acos":     math.Acos,
	"Atan":     math.Atan,
	"Sinh":     func(x float64) float64 { return (math.Exp(x) - math.Exp(-x)) / 2 },
	"Cosh":     func(x float64) float64 { return (math.Exp(x) + math.Exp(-x)) / 2 },
	"Tanh":     math.Tanh,
	"Asinh":    math.Asinh,
	"Acosh":    math.Acosh,
	"Atanh":    math.Atanh,
	"Ceil":     math.Ceil,
	"Floor":    math.Floor,
	"Round":    math.RoundToEven,
	"Erf":      math.Erf,
	"Sigmoid":  func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
	"Softplus": func(x float64) float64 { return math.Log(1 + math.Exp(x)) },
	"Mish":     func(x float64) float64 { return x * math.Tanh(math.Log(1+math.Exp(x))) },
}

func TestFunctionsOfOneNumberMeetTheirFormulas(t *testing.T) {
	for _, name := range mappingNames {
		formula := formulas[name]
		require.NotNil(t, formula, name)
		want := make([]float64, len(points))
		for i, x := range points {
			want[i] = formula(x)
		}
		n := list(int64(len(points)))
		for _, d := range []graph.DType{graph.Float32, graph.Float64, graph.Float16} {
			runExamples(t, []example{{name: "of " + d.String(), op: name, inputs: []operand{{d, n, points}}, wants: []operand{{d, n, want}}}})
		}
	}
}

func TestFunctionsTakeParameters(t *testing.T) {
	x := floats(list(3), -2, 0.25, 3)
	alpha := func(v float32) graph.Attrs { return graph.Attrs{"alpha": v} }
	runExamples(t, []example{
		{name: "with a slope", op: "LeakyRelu", attrs: alpha(0.5), inputs: []operand{x}, wants: []operand{floats(list(3), -1, 0.25, 3)}},
		{name: "with alpha", op: "Elu", attrs: alpha(2), inputs: []operand{x}, wants: []operand{floats(list(3), 2*math.Expm1(-2), 0.25, 3)}},
		{name: "with alpha", op: "Celu", attrs: alpha(2), inputs: []operand{x}, wants: []operand{floats(list(3), 2*math.Expm1(-1), 0.25, 3)}},
		{name: "with alpha", op: "Swish", attrs: alpha(2), inputs: []operand{x}, wants: []operand{floats(list(3), -2/(1+math.Exp(4)), 0.25/(1+math.Exp(-0.5)), 3/(1+math.Exp(-6)))}},
		{name: "with a threshold", op: "ThresholdedRelu", attrs: alpha(0.1), inputs: []operand{x}, wants: []operand{floats(list(3), 0, 0.25, 3)}},
		{name: "with alpha and beta", op: "HardSigmoid", attrs: graph.Attrs{"alpha": float32(0.5), "beta": float32(0.6)}, inputs: []operand{x}, wants: []operand{floats(list(3), 0, 0.725, 1)}},
		{name: "with a bias", op: "Shrink", attrs: graph.Attrs{"bias": float32(0.5), "lambd": float32(1)}, inputs: []operand{x}, wants: []operand{floats(list(3), -1.5, 0, 2.5)}},
		{name: "by a hyperbolic tangent", op: "Gelu", attrs: graph.Attrs{"approximate": "tanh"}, inputs: []operand{floats(list(1), 1)}, wants: []operand{floats(list(1), 0.5*(1+math.Tanh(math.Sqrt(2/math.Pi)*1.044715)))}},
		{name: "between limits", op: "Clip", inputs: []operand{x, floats(scalar, -1), floats(scalar, 1)}, wants: []operand{floats(list(3), -1, 0.25, 1)}},
		{name: "below a limit", op: "Clip", inputs: []operand{x, absent, floats(scalar, 1)}, wants: []operand{floats(list(3), -2, 0.25, 1)}},
		{name: "without limits", op: "Clip", inputs: []operand{x}, wants: []operand{x}},
		{name: "of integers", op: "Clip", inputs: []operand{of8(list(2), -9, 9), of8(scalar, 0)}, wants: []operand{of8(list(2), 0, 9)}},
		{name: "of halves", op: "Clip", inputs: []operand{half(list(1), 9), absent, half(scalar, 6)}, wants: []operand{half(list(1), 6)}},
		{name: "of integers", op: "Neg", inputs: []operand{ints(list(2), 1, -2)}, wants: []operand{ints(list(2), -1, 2)}},
		{name: "of unsigned numbers", op: "Sign", inputs: []operand{{graph.Uint8, list(2), []float64{0, 9}}}, wants: []operand{{graph.Uint8, list(2), []float64{0, 1}}}},
		{name: "of integers", op: "Sign", inputs: []operand{of8(list(3), 0, 9, -9)}, wants: []operand{of8(list(3), 0, 1, -1)}},
		{name: "of TFLite", op: "Square", domain: "tflite", inputs: []operand{x}, wants: []operand{floats(list(3), 4, 0.0625, 9)}},
		{name: "of TFLite", op: "Rsqrt", domain: "tflite", inputs: []operand{floats(list(1), 4)}, wants: []operand{floats(list(1), 0.5)}},
	})
}

func TestFusedActivationsFollow(t *testing.T) {
	relu6 := graph.Attrs{"Clip.min": float32(0), "Clip.max": float32(6)}
	a, b := floats(list(3), -3, 2, 5), floats(list(3), 1, 1, 5)
	runExamples(t, []example{
		{name: "after a sum", op: "Add", fused: []string{"Add", "Relu"}, inputs: []operand{a, b}, wants: []operand{floats(list(3), 0, 3, 10)}},
		{name: "with limits", op: "Add", fused: []string{"Add", "Clip"}, attrs: relu6, inputs: []operand{a, b}, wants: []operand{floats(list(3), 0, 3, 6)}},
		{name: "one after another", op: "Add", fused: []string{"Add", "Clip", "Neg"}, attrs: relu6, inputs: []operand{a, b}, wants: []operand{floats(list(3), 0, -3, -6)}},
		{name: "after a sum of halves", op: "Add", fused: []string{"Add", "Relu"}, inputs: []operand{half(list(1), -3), half(list(1), 1)}, wants: []operand{half(list(1), 0)}},
		{name: "after a sum of integers", op: "Add", fused: []string{"Add", "Clip"}, attrs: relu6, inputs: []operand{ints(list(2), -1, 5), ints(scalar, 4)}, wants: []operand{ints(list(2), 3, 6)}},
		{name: "after a move", op: "Concat", fused: []string{"Concat", "Relu"}, inputs: []operand{half(list(1), -3), half(list(1), 1)}, wants: []operand{half(list(2), 0, 1)}},
	})
	op := &graph.Op{Op: "Conv", Fused: []string{"Conv", "Clip", "Sigmoid"}, Attrs: relu6}
	data := []float32{-1, 9}
	for _, name := range op.Fused[1:] {
		require.NoError(t, ApplyFloat32(op, name, data))
	}
	assert.InDeltaSlice(t, []float64{0.5, 1 / (1 + math.Exp(-6))}, []float64{float64(data[0]), float64(data[1])}, 1e-6)
	assert.ErrorContains(t, ApplyFloat32(op, "BatchNormalization", data), "BatchNormalization is fused into Conv")
	assert.True(t, IsActivation("Relu"))
	assert.False(t, IsActivation("Add"))
}

func TestElementwiseKernelsWorkInPlace(t *testing.T) {
	x := []float64{-1, 2, -3, 4, 5, -6}
	shape := graph.Shape{2, 3}
	for _, c := range []struct {
		op     string
		others []operand
		first  bool
	}{
		{"Add", []operand{floats(list(3), 1, 2, 3)}, true}, {"Sub", []operand{floats(shape, x...)}, false},
		{"Sum", []operand{floats(list(3), 1, 2, 3), floats(scalar, 4)}, false}, {"Pow", []operand{floats(scalar, 2)}, true},
		{"Relu", nil, true}, {"Sigmoid", nil, true}, {"Clip", nil, true}, {"PRelu", []operand{floats(list(3), 1, 2, 3)}, true},
		{"Mul", []operand{{graph.Float16, shape, x}}, true},
	} {
		t.Run(c.op, func(t *testing.T) {
			op := &graph.Op{Name: "node", Op: c.op}
			d := graph.Float32
			var inputs []*Array
			for _, o := range c.others {
				d = o.dtype
				inputs = append(inputs, o.array(t))
			}
			shared := arrayOf(t, d, shape, x...)
			if c.first {
				inputs = append([]*Array{shared}, inputs...)
			} else {
				inputs = append(inputs, shared)
			}
			want, err := Eval(op, inputs, []Type{shared.Type()})
			require.NoError(t, err)
			kernel, _ := Lookup(op)
			require.NoError(t, kernel(op, []*Array{shared}, inputs))
			assert.Equal(t, want[0].Data, shared.Data)
		})
	}
}
