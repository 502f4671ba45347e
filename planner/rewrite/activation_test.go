package rewrite_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/planner/rewrite"
)

// formula builds functions of the input x, of six numbers.
type formula struct {
	netBuilder
	x graph.TensorID
}

func newFormula() *formula {
	f := &formula{}
	f.x = f.tensor("x", graph.Input, 6)
	return f
}

func (f *formula) name() string { return fmt.Sprintf("t%d", len(f.Tensors)) }

// do adds an op on tensors and numbers, which become constants of no axes.
func (f *formula) do(kind string, operands ...any) graph.TensorID {
	var inputs []graph.TensorID
	for _, o := range operands {
		id, ok := o.(graph.TensorID)
		if !ok {
			id = f.constant(f.name(), []int64{}, float32(o.(float64)))
		}
		inputs = append(inputs, id)
	}
	y := f.tensor(f.name(), graph.Activation, 6)
	f.op(kind, []graph.TensorID{y}, inputs...)
	return y
}

// values evaluates a graph for x = -5, -2, -0.5, 0.5, 2, 5.
func values(t *testing.T, g *graph.Graph) []float64 {
	all := make([]*array.Array, len(g.Tensors))
	for i := range g.Tensors {
		if data := g.Tensors[i].Data; data != nil {
			content, err := data.Read()
			require.NoError(t, err)
			all[i] = &array.Array{DType: graph.Float32, Shape: g.Tensors[i].Shape, Data: content}
		}
	}
	x, err := array.Of(graph.Shape{6}, float32(-5), -2, -0.5, 0.5, 2, 5)
	require.NoError(t, err)
	all[g.Inputs[0]] = x
	for i := range g.Ops {
		op := &g.Ops[i]
		var inputs []*array.Array
		for _, id := range op.Inputs {
			inputs = append(inputs, all[id])
		}
		out, err := array.Eval(op, inputs, []array.Type{{DType: graph.Float32, Shape: graph.Shape{6}}})
		require.NoError(t, err)
		all[op.Outputs[0]] = out[0]
	}
	list, err := all[g.Outputs[0]].Floats()
	require.NoError(t, err)
	return list
}

// swishByHand is scale times x times clip(x + 3, 0, 6).
func swishByHand(f *formula, scale float64) graph.TensorID {
	return f.do("Mul", f.do("Mul", f.x, f.do("Clip", f.do("Add", f.x, 3.0), 0.0, 6.0)), scale)
}

func TestActivationsThatAreSpelledOutBecomeOneOp(t *testing.T) {
	for name, c := range map[string]struct {
		build func(f *formula) graph.TensorID
		want  string
	}{
		"hard swish, divided last": {func(f *formula) graph.TensorID {
			return f.do("Div", f.do("Mul", f.x, f.do("Clip", f.do("Add", f.x, 3.0), 0.0, 6.0)), 6.0)
		}, "HardSwish"},
		"hard swish, divided before": {func(f *formula) graph.TensorID {
			return f.do("Mul", f.do("Div", f.do("Clip", f.do("Add", 3.0, f.x), 0.0, 6.0), 6.0), f.x)
		}, "HardSwish"},
		"hard swish by a factor": {func(f *formula) graph.TensorID { return swishByHand(f, 1.0/6) }, "HardSwish"},
		"hard swish of a hard sigmoid of its slope": {func(f *formula) graph.TensorID {
			gate := f.do("HardSigmoid", f.x)
			f.Ops[0].Attrs = graph.Attrs{"alpha": float32(1.0 / 6), "beta": float32(0.5)}
			return f.do("Mul", f.x, gate)
		}, "HardSwish"},
		"hard sigmoid": {func(f *formula) graph.TensorID {
			return f.do("Div", f.do("Clip", f.do("Add", f.x, 3.0), 0.0, 6.0), 6.0)
		}, "HardSigmoid"},
		"hard sigmoid of a line": {func(f *formula) graph.TensorID {
			return f.do("Clip", f.do("Sub", 0.5, f.do("Mul", f.x, 0.25)), 0.0, 1.0)
		}, "HardSigmoid"},
		"swish": {func(f *formula) graph.TensorID { return f.do("Mul", f.x, f.do("Sigmoid", f.x)) }, "Swish"},
		"swish of a steeper slope": {func(f *formula) graph.TensorID {
			return f.do("Mul", f.do("Sigmoid", f.do("Mul", f.x, 1.702)), f.x)
		}, "Swish"},
		"mish": {func(f *formula) graph.TensorID {
			return f.do("Mul", f.x, f.do("Tanh", f.do("Softplus", f.x)))
		}, "Mish"},
		"gelu, halved last": {func(f *formula) graph.TensorID {
			return f.do("Mul", f.do("Mul", f.x, f.do("Add", f.do("Erf", f.do("Div", f.x, math.Sqrt2)), 1.0)), 0.5)
		}, "Gelu"},
		"gelu, halved first": {func(f *formula) graph.TensorID {
			return f.do("Mul", f.do("Mul", 0.5, f.x), f.do("Add", 1.0, f.do("Erf", f.do("Mul", f.x, math.Sqrt2/2))))
		}, "Gelu"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFormula()
			f.output(c.build(f))
			before := f.Graph
			fused, notes := rewrite.Fuse(&before, nil)
			require.NoError(t, fused.Validate())
			require.Len(t, fused.Ops, 1)
			require.Equal(t, c.want, fused.Ops[0].Op)
			require.Equal(t, f.Ops[len(f.Ops)-1].Name, fused.Ops[0].Name)
			require.Len(t, notes, len(f.Ops)-1)
			require.InDeltaSlice(t, values(t, &before), values(t, fused), 1e-5)
		})
	}
}

func TestWhatIsNoActivationStays(t *testing.T) {
	for name, build := range map[string]func(f *formula) graph.TensorID{
		"another scale": func(f *formula) graph.TensorID { return swishByHand(f, 0.2) },
		"another limit": func(f *formula) graph.TensorID {
			return f.do("Div", f.do("Clip", f.do("Add", f.x, 3.0), 0.0, 5.0), 6.0)
		},
		"a scalar over a line": func(f *formula) graph.TensorID { return f.do("Div", 6.0, f.do("Add", f.x, 9.0)) },
		"a gate of something else": func(f *formula) graph.TensorID {
			return f.do("Mul", f.x, f.do("Sigmoid", f.do("Neg", f.x)))
		},
		"a gate with an offset": func(f *formula) graph.TensorID {
			return f.do("Mul", f.x, f.do("Sigmoid", f.do("Add", f.x, 1.0)))
		},
		"a part that is seen": func(f *formula) graph.TensorID {
			gate := f.do("Sigmoid", f.x)
			f.output(gate)
			return f.do("Mul", f.x, gate)
		},
		"a part with a second reader": func(f *formula) graph.TensorID {
			gate := f.do("Sigmoid", f.x)
			return f.do("Sub", f.do("Mul", f.x, gate), gate)
		},
		"a square": func(f *formula) graph.TensorID { return f.do("Mul", f.x, f.x) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFormula()
			f.output(build(f))
			fused, notes := rewrite.Fuse(&f.Graph, nil)
			require.Empty(t, notes)
			require.Len(t, fused.Ops, len(f.Ops))
		})
	}
}

func TestAnActivationOfStateStays(t *testing.T) {
	f := newFormula()
	f.Tensors[f.x].Role = graph.State
	f.output(swishByHand(f, 1.0/6))
	_, notes := rewrite.Fuse(&f.Graph, nil)
	require.Empty(t, notes)
}

func TestAConvolutionDoesAnActivationThatIsSpelledOut(t *testing.T) {
	b := &netBuilder{}
	x := b.tensor("x", graph.Input, 1, 2, 1, 1)
	w := b.constant("w", []int64{2, 2, 1, 1}, 1, 2, 3, 4)
	c, s, y := b.tensor("c", graph.Activation, 1, 2, 1, 1), b.tensor("s", graph.Activation, 1, 2, 1, 1), b.tensor("y", graph.Output, 1, 2, 1, 1)
	b.op("Conv", []graph.TensorID{c}, x, w)
	b.op("Sigmoid", []graph.TensorID{s}, c)
	b.op("Mul", []graph.TensorID{y}, c, s)
	b.output(y)
	fused, notes := rewrite.Fuse(&b.Graph, nil)
	require.NoError(t, fused.Validate())
	require.Len(t, fused.Ops, 1)
	require.Equal(t, []string{"Conv", "Swish"}, fused.Ops[0].Fused)
	require.Equal(t, []rewrite.Note{
		{Rewrite: "fuse", Op: "Sigmoid1", Tensors: []string{"s"}, Because: `with others it is the Swish "Mul2"`},
		{Rewrite: "fuse", Op: "Mul2", Tensors: []string{"c"}, Because: `"Conv0" does it to its results`},
	}, notes)
}
