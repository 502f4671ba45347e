package liveness_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/liveness"
)

// A convolution with a sum fused to it stores each element over the one that it adds, while the sums of others are still to
// come: nothing else that it reads may be in those bytes.
func TestAResidualIsOverwrittenUnlessTheConvolutionReadsItsBytes(t *testing.T) {
	roles := map[string]graph.Role{"x": graph.Input, "w": graph.Constant, "z": graph.Output}
	for _, c := range []struct {
		name  string
		lines []string
		want  bool
	}{
		{"another tensor", []string{"a = Exp(x)", "r = Neg(x)", "y = Conv(a, w, , r)", "z = Exp(y)"}, true},
		{"its data", []string{"a = Exp(x)", "y = Conv(a, w, , a)", "z = Exp(y)"}, false},
		{"a view of its data", []string{"a = Exp(x)", "r = Reshape(a)", "y = Conv(a, w, , r)", "z = Exp(y)"}, false},
		{"a tensor of which its data is a view", []string{"r = Exp(x)", "a = Reshape(r)", "y = Conv(a, w, , r)", "z = Exp(y)"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := build(roles, c.lines...)
			for i := range g.Ops {
				if g.Ops[i].Op == "Conv" {
					g.Ops[i].Fused = []string{"Conv", "Add"}
				}
			}
			buffers, diags := liveness.Analyze(g, liveness.Options{Reshape: true, InPlace: true})
			require.Empty(t, diags)
			overwrites := true
			for _, b := range buffers {
				if b.Tensor == g.ByName("y") {
					overwrites = false
				}
			}
			require.Equal(t, c.want, overwrites)
		})
	}
}
