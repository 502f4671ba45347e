package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
)

func TestWhatAConvolutionMayOverwrite(t *testing.T) {
	// The tensors are x, another of its shape, the kernel, and the result.
	const x, other, kernel, y = 0, 1, 2, 3
	g := &graph.Graph{}
	for range 4 {
		g.Tensors = append(g.Tensors, graph.Tensor{DType: graph.Float32, Shape: graph.Shape{1, 4, 2, 2}})
	}
	for _, c := range []struct {
		name   string
		fused  []string
		inputs []graph.TensorID
		want   []int
	}{
		{"the other operand of the sum", []string{"Conv", "Add"}, []graph.TensorID{x, kernel, graph.NoTensor, other}, []int{3}},
		{"not its data, which the sum adds as well", []string{"Conv", "Add"}, []graph.TensorID{x, kernel, graph.NoTensor, x}, nil},
		{"not what a later op reads as well", []string{"Conv", "Add", "Mul"}, []graph.TensorID{x, kernel, graph.NoTensor, other, other}, nil},
		{"nothing when a sum does not come first", []string{"Conv", "Mul"}, []graph.TensorID{x, kernel, graph.NoTensor, other}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			op := graph.Op{Op: "Conv", Fused: c.fused, Inputs: c.inputs, Outputs: []graph.TensorID{y}}
			require.Equal(t, c.want, g.Overwrites(&op))
		})
	}
}
