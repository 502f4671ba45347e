package rewrite

import (
	"fmt"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawGraph draws a graph of additions, negations and copies of lists of two numbers.
func drawGraph(t *rapid.T) *graph.Graph {
	g := &graph.Graph{Name: "net"}
	add := func(name string, role graph.Role) graph.TensorID {
		g.Tensors = append(g.Tensors, graph.Tensor{Name: name, Role: role, DType: graph.Float32, Shape: graph.Shape{2}})
		return graph.TensorID(len(g.Tensors) - 1)
	}
	g.Inputs = []graph.TensorID{add("x", graph.Input)}
	for i := range rapid.IntRange(0, 3).Draw(t, "constants") {
		a, err := array.Of(graph.Shape{2}, float32(i), float32(2*i+1))
		require.NoError(t, err)
		g.Tensors[add(fmt.Sprintf("c%d", i), graph.Constant)].Data = graph.Bytes(a.Data)
	}
	for i := range rapid.IntRange(1, 12).Draw(t, "ops") {
		op := graph.Op{Name: fmt.Sprintf("op%d", i), Op: rapid.SampledFrom([]string{"Add", "Neg", "Identity"}).Draw(t, "op")}
		inputs := 1
		if op.Op == "Add" {
			inputs = 2
		}
		for range inputs {
			op.Inputs = append(op.Inputs, graph.TensorID(rapid.IntRange(0, len(g.Tensors)-1).Draw(t, "input")))
		}
		role := graph.Activation
		isOutput := rapid.IntRange(0, 3).Draw(t, "is output") == 0
		if isOutput {
			role = graph.Output
		}
		op.Outputs = []graph.TensorID{add(fmt.Sprintf("t%d", i), role)}
		if isOutput {
			g.Outputs = append(g.Outputs, op.Outputs[0])
		}
		g.Ops = append(g.Ops, op)
	}
	return g
}

// results runs the graph on x = [3, -5] and returns the elements of its outputs.
func results(t *rapid.T, g *graph.Graph) [][]float64 {
	require.NoError(t, g.Validate())
	values := make([]*array.Array, len(g.Tensors))
	for i := range g.Tensors {
		if data := g.Tensors[i].Data; data != nil {
			content, err := data.Read()
			require.NoError(t, err)
			values[i] = &array.Array{DType: graph.Float32, Shape: graph.Shape{2}, Data: content}
		}
	}
	x, err := array.Of(graph.Shape{2}, float32(3), -5)
	require.NoError(t, err)
	values[g.Inputs[0]] = x
	for i := range g.Ops {
		op := &g.Ops[i]
		var inputs []*array.Array
		for _, id := range op.Inputs {
			inputs = append(inputs, values[id])
		}
		out, err := array.Eval(op, inputs, []array.Type{{DType: graph.Float32, Shape: graph.Shape{2}}})
		require.NoError(t, err)
		values[op.Outputs[0]] = out[0]
	}
	var all [][]float64
	for _, id := range g.Outputs {
		v, err := values[id].Floats()
		require.NoError(t, err)
		all = append(all, v)
	}
	return all
}

func TestAFoldedGraphComputesTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		folded, notes := Fold(g, nil)
		require.Equal(t, results(t, g), results(t, folded))
		again, sameNotes := Fold(g, nil)
		require.Equal(t, notes, sameNotes)
		require.Len(t, again.Tensors, len(folded.Tensors))
		reads := map[graph.TensorID]bool{}
		for i := range folded.Ops {
			for _, id := range folded.Ops[i].Inputs {
				reads[id] = true
			}
		}
		for _, id := range folded.Outputs {
			reads[id] = true
		}
		for i := range folded.Tensors {
			if folded.Tensors[i].Role == graph.Constant {
				require.True(t, reads[graph.TensorID(i)], "constant %q has no reader", folded.Tensors[i].Name)
			}
		}
	})
}
