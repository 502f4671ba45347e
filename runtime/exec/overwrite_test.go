package exec_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// overwriting is an op that may write its result over its first operand, of the given element type and shape.
type overwriting struct {
	dtype  graph.DType
	shape  graph.Shape
	domain string
	// more adds the other operands.
	more  func(*builder) []graph.TensorID
	attrs graph.Attrs
}

func (o overwriting) build(name string) *graph.Graph {
	b := newBuilder()
	x := b.tensor("x", graph.Input, o.dtype, o.shape...)
	inputs := ids(x)
	if o.more != nil {
		inputs = append(inputs, o.more(b)...)
	}
	y := b.tensor("y", graph.Output, o.dtype, o.shape...)
	b.op(name, "op", ids(y), inputs, o.attrs)
	b.g.Ops[0].Domain = o.domain
	return b.g
}

// overwritings has the ops of the planner's table that may write over their first operand, but for those that are fused.
func overwritings() map[string]overwriting {
	n := &network{builder: newBuilder()}
	values := func(count int, shape ...int64) func(*builder) []graph.TensorID {
		return func(b *builder) (out []graph.TensorID) {
			n.builder = b
			for i := range count {
				out = append(out, n.values(string(rune('p'+i)), shape...))
			}
			return out
		}
	}
	raw := func(dtype graph.DType, data ...byte) func(*builder) []graph.TensorID {
		return func(b *builder) []graph.TensorID {
			id := b.tensor("p", graph.Constant, dtype, int64(len(data))/dtype.Size())
			b.g.Tensors[id].Data = graph.Bytes(data)
			return ids(id)
		}
	}
	picture, line := graph.Shape{1, 2, 3, 4}, graph.Shape{8}
	out := map[string]overwriting{
		"Pow": {shape: picture, more: values(1, 4)}, "PRelu": {shape: picture, more: values(1, 4)}, "Clip": {shape: picture},
		"BatchNormalization": {shape: picture, more: values(4, 2)}, "InstanceNormalization": {shape: picture, more: values(2, 2)},
		"GroupNormalization": {shape: picture, more: values(2, 2), attrs: graph.Attrs{"num_groups": int64(1)}},
		"LayerNormalization": {shape: picture, more: values(2, 4)}, "MeanVarianceNormalization": {shape: picture}, "LpNormalization": {shape: picture},
		"L2Normalization": {shape: picture, domain: "tflite"}, "Softmax": {shape: picture, attrs: graph.Attrs{"axis": int64(1)}}, "LogSoftmax": {shape: picture},
		"Dropout": {shape: picture}, "Not": {dtype: graph.Bool, shape: line}, "BitwiseNot": {dtype: graph.Uint8, shape: line},
		"BitShift": {dtype: graph.Uint8, shape: line, more: raw(graph.Uint8, 1, 2, 1, 2, 1, 2, 1, 2), attrs: graph.Attrs{"direction": "LEFT"}},
		"Scatter":  {shape: line, more: scattered}, "ScatterElements": {shape: line, more: scattered},
		"ScatterND": {shape: line, more: func(b *builder) []graph.TensorID {
			list := scattered(b)
			b.g.Tensors[list[0]].Shape = graph.Shape{2, 1}
			return list
		}},
	}
	for _, name := range []string{"Abs", "Neg", "Sqrt", "Exp", "Log", "Erf", "Floor", "Ceil", "Round", "Reciprocal", "Sign", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan",
		"Sinh", "Cosh", "Asinh", "Acosh", "Atanh", "Relu", "LeakyRelu", "Sigmoid", "HardSigmoid", "HardSwish", "Tanh", "Elu", "Selu", "Celu", "Softplus", "Softsign",
		"ThresholdedRelu", "Gelu", "Mish", "Shrink", "Swish", "Identity"} {
		out[name] = overwriting{shape: picture}
	}
	for _, name := range []string{"Add", "Sub", "Mul", "Div", "Max", "Min", "Sum", "Mean", "Mod"} {
		out[name] = overwriting{shape: picture, more: values(1, 4)}
		if name == "Mod" {
			out[name] = overwriting{shape: picture, more: values(1, 4), attrs: graph.Attrs{"fmod": int64(1)}}
		}
	}
	for _, name := range []string{"FloorDiv", "FloorMod", "SquaredDifference"} {
		out[name] = overwriting{shape: picture, more: values(1, 4), domain: "tflite"}
	}
	for _, name := range []string{"Square", "Rsqrt"} {
		out[name] = overwriting{shape: picture, domain: "tflite"}
	}
	for _, name := range []string{"And", "Or", "Xor"} {
		out[name] = overwriting{dtype: graph.Bool, shape: line, more: raw(graph.Bool, 1, 0, 1, 1, 0, 0, 1, 0)}
	}
	for _, name := range []string{"BitwiseAnd", "BitwiseOr", "BitwiseXor"} {
		out[name] = overwriting{dtype: graph.Uint8, shape: line, more: raw(graph.Uint8, 1, 2, 3, 4, 5, 6, 7, 8)}
	}
	for name, o := range out {
		if o.dtype == 0 {
			o.dtype = graph.Float32
			out[name] = o
		}
	}
	return out
}

// scattered adds indices and updates of two elements.
func scattered(b *builder) []graph.TensorID {
	n := &network{builder: b}
	return ids(n.integers("places", 6, 1), n.values("updates", 2))
}

// Each op of the table gives the same over its operand as apart from it, and the plan has it there.
func TestOpsWriteOverTheirOperand(t *testing.T) {
	for _, on := range []struct {
		name string
		open opener
	}{{"host", hostDevice}, {"opencl", openclDevice(t)}} {
		for name, o := range overwritings() {
			t.Run(on.name+"/"+name, func(t *testing.T) {
				g := o.build(name)
				apart := planGraph(t, g, plainly)
				over := planGraph(t, g, func(p *config.Planner) { p.Order, p.Views, p.Rewrite = "source", []string{"inplace"}, []string{} })
				tensors := over.Plan.Graphs[0].Tensors
				at := slices.IndexFunc(tensors, func(t plan.Tensor) bool { return t.Name == "y" })
				require.NotNil(t, tensors[at].ViewOf, "the result has bytes of its own")
				require.Equal(t, "x", *tensors[at].ViewOf)
				inputs := inputsOf(g)
				if o.dtype != graph.Float32 {
					for i := range inputs["x"].Data[:o.shape[0]] {
						inputs["x"].Data[i] = byte(i % 2)
					}
					inputs["x"].Data, inputs["x"].DType = inputs["x"].Data[:o.shape[0]], o.dtype
				}
				require.Equal(t, runPoisoned(t, on.open, apart.Plan, apart.Graphs[0], inputs), runPoisoned(t, on.open, over.Plan, over.Graphs[0], inputs))
			})
		}
	}
}
