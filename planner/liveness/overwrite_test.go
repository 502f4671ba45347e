package liveness_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/liveness"
)

// A result takes over a piece of a buffer that lives on, and an operand becomes one, where nothing else is in these bytes at that time.
func TestResultsTakeOverPiecesOfBuffersThatLiveOn(t *testing.T) {
	roles := map[string]graph.Role{"x_2": graph.Input, "z_2": graph.Output, "k_2": graph.Output}
	for _, c := range []struct {
		name  string
		lines []string
		// base is the buffer in which the result stands, and at its byte there; "" when the result has a buffer of its own.
		result, base string
		at           int64
	}{
		{"a result over a piece of a split", []string{"a_4 = Foo(x_2)", "b_2, c_2 = Split(a_4)", "d_2 = Exp(c_2)", "e_2 = Foo(d_2)", "z_2 = Foo(e_2, b_2)"}, "d_2", "a_4", 2},
		{"a result over a result over a piece",
			[]string{"a_4 = Foo(x_2)", "b_2, c_2 = Split(a_4)", "d_2 = Exp(c_2)", "e_2 = Neg(d_2)", "z_2 = Foo(e_2, b_2)"}, "e_2", "a_4", 2},
		{"an output over a piece", []string{"a_4 = Foo(x_2)", "b_2, c_2 = Split(a_4)", "z_2 = Exp(c_2)", "k_2 = Foo(b_2)"}, "z_2", "a_4", 2},
		{"an operand that becomes a piece of a concatenation",
			[]string{"a_2 = Foo(x_2)", "b_2 = Foo(a_2)", "c_2 = Exp(b_2)", "d_4 = Concat(a_2, c_2)", "z_2 = Foo(d_4)"}, "b_2", "d_4", 2},
		{"not over a piece that is read later", []string{"a_4 = Foo(x_2)", "b_2, c_2 = Split(a_4)", "d_2 = Exp(c_2)", "z_2 = Foo(d_2, c_2, b_2)"}, "d_2", "", 0},
		{"not over a piece of what is read later", []string{"a_4 = Foo(x_2)", "b_2, c_2 = Split(a_4)", "d_2 = Exp(c_2)", "z_2 = Foo(d_2, a_4)"}, "d_2", "", 0},
		{"no input becomes a piece", []string{"c_2 = Exp(x_2)", "e_2 = Foo(c_2)", "d_4 = Concat(e_2, c_2)", "z_2 = Foo(d_4)"}, "x_2", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := cut(roles, c.lines...)
			buffers, diags := liveness.Analyze(g, liveness.Options{Reshape: true, Parts: true, InPlace: true})
			require.Empty(t, diags)
			at := stands(buffers)[g.ByName(c.result)]
			name := buffers[at[0]].Name
			if c.base == "" {
				c.base = c.result
			}
			require.Equal(t, c.base, name)
			require.Equal(t, c.at, at[1])
		})
	}
}

// What the caller holds, or another graph reads, has all bytes of its buffer.
func TestWhatStandsAloneTakesOverNoPiece(t *testing.T) {
	g := cut(map[string]graph.Role{"x_2": graph.Input, "z_2": graph.Output, "k_2": graph.Output},
		"a_4 = Foo(x_2)", "b_2, c_2 = Split(a_4)", "z_2 = Exp(c_2)", "k_2 = Foo(b_2)")
	z := g.ByName("z_2")
	buffers, diags := liveness.Analyze(g, liveness.Options{Parts: true, InPlace: true, Alone: func(id graph.TensorID) bool { return id == z }})
	require.Empty(t, diags)
	require.Equal(t, "z_2", buffers[stands(buffers)[z][0]].Name)
}
