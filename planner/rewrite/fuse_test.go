package rewrite_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/rewrite"
)

// residual is x -> Conv -> BatchNormalization -> Add(x) -> Relu -> y, with Neg(c) as an output when the convolution's result has
// a second reader.
func residual(second bool) *graph.Graph {
	g := &graph.Graph{Name: "net"}
	add := func(name string, role graph.Role, shape ...int64) graph.TensorID {
		t := graph.Tensor{Name: name, Role: role, DType: graph.Float32, Shape: shape}
		if role == graph.Constant {
			n, _ := t.Shape.Bytes(t.DType)
			t.Data = graph.Bytes(make([]byte, n))
		}
		g.Tensors = append(g.Tensors, t)
		return graph.TensorID(len(g.Tensors) - 1)
	}
	x := add("x", graph.Input, 1, 4, 5, 5)
	w := add("w", graph.Constant, 4, 4, 1, 1)
	var norm []graph.TensorID
	for _, name := range []string{"scale", "offset", "mean", "variance"} {
		norm = append(norm, add(name, graph.Constant, 4))
	}
	c, n, s, y := add("c", graph.Activation, 1, 4, 5, 5), add("n", graph.Activation, 1, 4, 5, 5), add("s", graph.Activation, 1, 4, 5, 5), add("y", graph.Output, 1, 4, 5, 5)
	g.Inputs, g.Outputs = []graph.TensorID{x}, []graph.TensorID{y}
	op := func(kind string, out graph.TensorID, in ...graph.TensorID) {
		g.Ops = append(g.Ops, graph.Op{Name: kind, Op: kind, Inputs: in, Outputs: []graph.TensorID{out}})
	}
	op("Conv", c, x, w)
	op("BatchNormalization", n, append([]graph.TensorID{c}, norm...)...)
	op("Add", s, n, x)
	op("Relu", y, s)
	if second {
		other := add("other", graph.Output, 1, 4, 5, 5)
		g.Outputs = append(g.Outputs, other)
		op("Neg", other, c)
	}
	return g
}

func TestAConvolutionDoesWhatFollowsIt(t *testing.T) {
	fused, notes := rewrite.Fuse(residual(false), nil)
	require.NoError(t, fused.Validate())
	require.Len(t, fused.Ops, 1)
	op := fused.Ops[0]
	require.Equal(t, []string{"Conv", "Add", "Relu"}, op.Fused)
	require.Equal(t, "Conv", op.Name)
	require.Equal(t, "y", fused.Tensors[op.Outputs[0]].Name)
	require.Equal(t, "BatchNormalization/bias", fused.Tensors[op.Inputs[2]].Name)
	require.Equal(t, "x", fused.Tensors[op.Inputs[3]].Name)
	i, ok := op.Residual()
	require.True(t, ok)
	require.Equal(t, 3, i)
	for k, name := range []string{"BatchNormalization", "Add", "Relu"} {
		require.Equal(t, name, notes[k].Op)
		require.Equal(t, "fuse", notes[k].Rewrite)
	}
	require.Equal(t, graph.NoTensor, fused.ByName("c"))
}

func TestAResultWithAnotherReaderStays(t *testing.T) {
	fused, notes := rewrite.Fuse(residual(true), nil)
	require.NoError(t, fused.Validate())
	require.Len(t, fused.Ops, 5)
	require.Empty(t, notes)
}

func TestAResultThatTheConfigurationNamesStays(t *testing.T) {
	g := residual(false)
	fused, notes := rewrite.Fuse(g, map[graph.TensorID]bool{g.ByName("n"): true})
	require.NoError(t, fused.Validate())
	require.Len(t, fused.Ops, 3)
	require.Len(t, notes, 1)
	require.NotEqual(t, graph.NoTensor, fused.ByName("n"))
}

func TestAConstantThatTheCallerSeesIsNotReplaced(t *testing.T) {
	for _, name := range []string{"w", "scale"} {
		t.Run(name+" is an output", func(t *testing.T) {
			g := residual(false)
			g.Outputs = append(g.Outputs, g.ByName(name))
			requireUnreplaced(t, g, nil, name)
		})
		t.Run(name+" has a place of its own", func(t *testing.T) {
			g := residual(false)
			requireUnreplaced(t, g, map[graph.TensorID]bool{g.ByName(name): true}, name)
		})
	}
}

// requireUnreplaced fuses the residual network and requires that the normalisation and the content of a constant stay.
func requireUnreplaced(t *testing.T, g *graph.Graph, fixed map[graph.TensorID]bool, name string) {
	fused, _ := rewrite.Fuse(g, fixed)
	require.NoError(t, fused.Validate())
	require.NotEqual(t, graph.NoTensor, fused.ByName("n"))
	require.Equal(t, g.Tensors[g.ByName(name)].Data, fused.Tensors[fused.ByName(name)].Data)
}
