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

// What a split has cut out for two concatenations is in the bytes of what was cut. Each of them that can take those bytes over needs no
// copy: when the rest of what is in them is dead before anything else is written there. Else they have bytes of their own at one time, and
// only a copy fills them.
func TestAPieceOfASplitInTwoConcatenationsIsCopiedAsOftenAsItMustBe(t *testing.T) {
	roles := map[string]graph.Role{"x_2": graph.Input, "z_4": graph.Output, "o_2": graph.Output}
	begin := []string{"s_4 = Exp(x_2)", "p_2, q_2 = Split(s_4)", "r_2 = Exp(q_2)"}
	for _, c := range []struct {
		name   string
		lines  []string
		copies int
	}{
		{"what else is there is dead before the other operand is written", []string{"a_2 = Exp(r_2)", "c_4 = Concat(p_2, a_2)", "b_2 = Exp(c_4)", "d_4 = Concat(p_2, b_2)", "z_4 = Exp(d_4)"}, 0},
		{"it belongs elsewhere in the second one", []string{"a_2 = Exp(r_2)", "c_4 = Concat(p_2, a_2)", "b_2 = Exp(c_4)", "d_4 = Concat(b_2, p_2)", "z_4 = Exp(d_4)"}, 1},
		{"the rest is read after the other operands are written", []string{"a_2 = Exp(r_2)", "c_4 = Concat(p_2, a_2)", "b_2 = Exp(c_4)", "d_4 = Concat(p_2, b_2)", "z_4 = Exp(d_4)", "o_2 = Exp(z_4, q_2)"}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := cut(roles, append(begin[:len(begin):len(begin)], c.lines...)...)
			buffers, diags := liveness.Analyze(g, liveness.Options{Parts: true})
			require.Empty(t, diags)
			at := stands(buffers)
			copies := 0
			for i := range g.Ops {
				for _, part := range g.Parts(&g.Ops[i]) {
					piece, whole := at[part.Piece], at[part.Whole]
					if part.Piece == g.ByName("p_2") && (piece[0] != whole[0] || piece[1] != whole[1]+part.Offset) {
						copies++
					}
				}
			}
			require.Equal(t, c.copies, copies)
		})
	}
}
