package liveness_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/liveness"
)

// cut builds a graph from lines as build does and gives the tensors whose names end in a number that many bytes.
func cut(roles map[string]graph.Role, lines ...string) *graph.Graph {
	g := build(roles, lines...)
	for i := range g.Tensors {
		size := int64(1)
		if _, digits, ok := strings.Cut(g.Tensors[i].Name, "_"); ok {
			_, err := fmt.Sscan(digits, &size)
			if err != nil {
				panic(err)
			}
		}
		g.Tensors[i].Shape = graph.Shape{1, size, 1}
	}
	for i := range g.Ops {
		g.Ops[i].Attrs = graph.Attrs{"axis": int64(1)}
	}
	return g
}

var pieces = liveness.Options{Reshape: true, Parts: true}

func TestPiecesAreFreeBeforeTheyAreWrittenAndAfterTheyAreRead(t *testing.T) {
	roles := map[string]graph.Role{"x_2": graph.Input, "z_2": graph.Output}
	for _, c := range []struct {
		name  string
		lines []string
		base  string
		want  []liveness.Gap
	}{
		{"a skip waits for the other half", []string{"a_2 = Exp(x_2)", "i_2 = Neg(a_2)", "b_2 = Neg(i_2)", "c_4 = Concat(a_2, b_2)", "z_2 = Split(c_4)"},
			"c_4", []liveness.Gap{{First: 0, Last: 2, From: 2, To: 4}}},
		{"a piece dies before the others", []string{"a_4 = Exp(x_2)", "b_2, c_2 = Split(a_4)", "d_2 = Neg(b_2)", "z_2 = Add(d_2, c_2)"},
			"a_4", []liveness.Gap{{First: 3, Last: 4, From: 0, To: 2}}},
		{"bytes of nested skips hold one tensor after another",
			[]string{"a_2 = Exp(x_2)", "u_2 = Neg(a_2)", "c_4 = Concat(a_2, u_2)", "n_2 = Exp(c_4)", "b_2 = Exp(n_2)", "v_2 = Neg(b_2)", "d_6 = Concat(a_2, b_2, v_2)", "z_2 = Exp(d_6)"},
			"d_6", []liveness.Gap{{First: 0, Last: 1, From: 2, To: 4}, {First: 0, Last: 5, From: 4, To: 6}}},
		{"what reads bytes is not overwritten by its own result",
			[]string{"a_2 = Exp(x_2)", "u_2 = Neg(a_2)", "c_4 = Concat(a_2, u_2)", "b_2 = Exp(c_4)", "v_2 = Neg(b_2)", "d_6 = Concat(a_2, b_2, v_2)", "z_2 = Exp(d_6)"},
			"d_6", []liveness.Gap{{First: 0, Last: 1, From: 2, To: 4}, {First: 0, Last: 4, From: 4, To: 6}, {First: 4, Last: 5, From: 2, To: 4}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := cut(roles, c.lines...)
			buffers, diags := liveness.Analyze(g, pieces)
			require.Empty(t, diags)
			found := false
			for _, b := range buffers {
				if b.Name == c.base {
					found = true
					require.Equal(t, c.want, b.Gaps)
				}
			}
			require.True(t, found, "%s is a view", c.base)
		})
	}
}

// liveBytes counts what the buffers hold at each step, gaps left out.
func liveBytes(g *graph.Graph, buffers []liveness.Buffer) []int64 {
	out := make([]int64, len(g.Ops))
	for _, b := range buffers {
		for step := b.First; step < b.Last; step++ {
			out[step] += b.Size
		}
		for _, gap := range b.Gaps {
			for step := gap.First; step < gap.Last; step++ {
				out[step] -= gap.To - gap.From
			}
		}
	}
	return out
}

// touchedBytes counts the runs from the first op that touches them to the last.
func touchedBytes(touched *liveness.Touched) []int64 {
	out := make([]int64, len(touched.Ops))
	for i, size := range touched.Sizes {
		first, last := len(touched.Ops), -1
		for step, op := range touched.Ops {
			for _, run := range op.Runs {
				if run == i {
					first, last = min(first, step), step
				}
			}
		}
		if touched.Before[i] {
			first = 0
		}
		if touched.After[i] {
			last = len(touched.Ops) - 1
		}
		for step := first; step <= last; step++ {
			out[step] += size
		}
	}
	return out
}

func TestAnOrderIsChosenByTheBytesThatAreLive(t *testing.T) {
	gaps := 0
	rapid.Check(t, func(t *rapid.T) {
		g := drawPieces(t)
		buffers, diags := liveness.Analyze(g, pieces)
		require.Empty(t, diags)
		for _, b := range buffers {
			gaps += len(b.Gaps)
		}
		require.Equal(t, liveBytes(g, buffers), touchedBytes(liveness.Touch(g, pieces)))
	})
	require.Positive(t, gaps)
}

// drawPieces makes a graph of concatenations, splits and ops that compute.
func drawPieces(t *rapid.T) *graph.Graph {
	type tensor struct {
		name string
		size int64
	}
	have := []tensor{{"x_2", 2}}
	roles := map[string]graph.Role{"x_2": graph.Input}
	var lines []string
	n := 0
	fresh := func(size int64) tensor {
		n++
		out := tensor{fmt.Sprintf("t%d_%d", n, size), size}
		if rapid.IntRange(0, 5).Draw(t, "output") == 0 {
			roles[out.name] = graph.Output
		}
		have = append(have, out)
		return out
	}
	pick := func() tensor { return rapid.SampledFrom(have).Draw(t, "operand") }
	for range rapid.IntRange(1, 14).Draw(t, "ops") {
		a, b := pick(), pick()
		switch kind := rapid.IntRange(0, 3).Draw(t, "kind"); {
		case kind == 0 && a.size > 1:
			first := rapid.Int64Range(1, a.size-1).Draw(t, "first")
			x, y := fresh(first), fresh(a.size-first)
			lines = append(lines, fmt.Sprintf("%s, %s = Split(%s)", x.name, y.name, a.name))
		case kind < 3 && a.size+b.size < 40:
			lines = append(lines, fmt.Sprintf("%s = Concat(%s, %s)", fresh(a.size+b.size).name, a.name, b.name))
		default:
			lines = append(lines, fmt.Sprintf("%s = Exp(%s)", fresh(rapid.Int64Range(1, 4).Draw(t, "size")).name, a.name))
		}
	}
	return cut(roles, lines...)
}
