package export_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/native"
)

// drawGraph draws a graph of custom ops and reshapes of TVM's with any sharing of inputs and results.
func drawGraph(t *rapid.T) *graph.Graph {
	g := &graph.Graph{Name: "drawn"}
	add := func(name string, role graph.Role, size int64) graph.TensorID {
		g.Tensors = append(g.Tensors, graph.Tensor{Name: name, Role: role, DType: graph.Float16, Shape: graph.Shape{size}})
		return graph.TensorID(len(g.Tensors) - 1)
	}
	size := rapid.Int64Range(0, 300)
	for i := range rapid.IntRange(1, 3).Draw(t, "inputs") {
		g.Inputs = append(g.Inputs, add(fmt.Sprintf("in%d", i), graph.Input, size.Draw(t, "size")))
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "constants") {
		add(rapid.SampledFrom([]string{"p", "weight"}).Draw(t, "name")+fmt.Sprint(i), graph.Constant, size.Draw(t, "size"))
	}
	for i := range rapid.IntRange(1, 12).Draw(t, "ops") {
		any := rapid.IntRange(0, len(g.Tensors)-1)
		op := graph.Op{Name: fmt.Sprintf("op%d", i), Op: "Custom", Domain: "test", Inputs: []graph.TensorID{graph.TensorID(any.Draw(t, "input"))}}
		if rapid.Bool().Draw(t, "reshape") {
			op.Op, op.Domain = "Reshape", "tvm"
			op.Outputs = []graph.TensorID{add(op.Name, graph.Activation, g.Tensors[op.Inputs[0]].Shape[0])}
		} else {
			op.Inputs = append(op.Inputs, graph.TensorID(any.Draw(t, "input")))
			for k := range rapid.IntRange(1, 2).Draw(t, "outputs") {
				op.Outputs = append(op.Outputs, add(fmt.Sprintf("%s_%c", op.Name, 'a'+k), graph.Activation, size.Draw(t, "size")))
			}
		}
		g.Ops = append(g.Ops, op)
	}
	last := graph.TensorID(len(g.Tensors) - 1)
	g.Outputs = []graph.TensorID{last}
	g.Tensors[last].Role = graph.Output
	return g
}

func TestAnyExportIsSoundAndStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		var content bytes.Buffer
		require.NoError(t, native.Write(&content, g))
		p := planText(t, "drawn.json", content.Bytes(), func(settings *config.Planner) {
			settings.Algorithm = rapid.SampledFrom([]string{"greedy", "none", "tflite_greedy"}).Draw(t, "algorithm")
		})
		for _, opts := range modes {
			first := exported(t, p, p.g, opts)
			assert.Equal(t, first, exported(t, p, imported(t, first), opts))
			requireSound(t, first)
		}
	})
}
