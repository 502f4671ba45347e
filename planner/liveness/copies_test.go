package liveness_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/liveness"
)

// stands says in which buffer each tensor lies, and at which byte.
func stands(buffers []liveness.Buffer) map[graph.TensorID][2]int64 {
	out := map[graph.TensorID][2]int64{}
	for i := range buffers {
		b := &buffers[i]
		out[b.Tensor] = [2]int64{int64(i), 0}
		for _, v := range b.Views {
			out[v.Tensor] = [2]int64{int64(i), v.Offset}
		}
	}
	return out
}

// computed reports whether an op that copies nothing writes the tensor, and no split cuts it: it lies in no other tensor but in
// concatenations.
func computed(g *graph.Graph, id graph.TensorID) bool {
	return slices.ContainsFunc(g.Ops, func(op graph.Op) bool { return op.Op == "Exp" && op.Outputs[0] == id }) &&
		!slices.ContainsFunc(g.Ops, func(op graph.Op) bool { return op.Op == "Split" && op.Inputs[0] == id })
}

// TestATensorOfTwoConcatenationsIsCopiedOnceAtMost counts the operands of concatenations that do not lie where they belong.
func TestATensorOfTwoConcatenationsIsCopiedOnceAtMost(t *testing.T) {
	once := 0
	rapid.Check(t, func(t *rapid.T) {
		g := drawPieces(t)
		buffers, diags := liveness.Analyze(g, liveness.Options{Parts: true})
		require.Empty(t, diags)
		at := stands(buffers)
		uses, copies := map[graph.TensorID]int{}, map[graph.TensorID]int{}
		for i := range g.Ops {
			if g.Ops[i].Op != "Concat" {
				continue
			}
			for _, part := range g.Parts(&g.Ops[i]) {
				uses[part.Piece]++
				piece, whole := at[part.Piece], at[part.Whole]
				if piece[0] != whole[0] || piece[1] != whole[1]+part.Offset {
					copies[part.Piece]++
				}
			}
		}
		for id, n := range uses {
			if n != 2 || !computed(g, id) {
				continue
			}
			require.LessOrEqual(t, copies[id], 1, "%s", g.Tensors[id].Name)
			once += copies[id]
		}
	})
	require.Positive(t, once, "no tensor was in two concatenations")
}
