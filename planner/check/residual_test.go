package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/check"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// residual is a graph that ends in a convolution of a with a sum fused to it, which adds another tensor, a itself or a
// reshape of it; each is read there for the last time.
func residual(adds string) *graph.Graph {
	g := &graph.Graph{Name: "net"}
	for _, t := range []struct {
		name string
		role graph.Role
	}{{"x", graph.Input}, {"w", graph.Constant}, {"a", graph.Activation}, {"other", graph.Activation}, {"view", graph.Activation}, {"y", graph.Activation}, {"z", graph.Output}} {
		g.Tensors = append(g.Tensors, graph.Tensor{Name: t.name, Role: t.role, DType: graph.Float32, Shape: graph.Shape{1, 4, 1, 1}})
	}
	op := func(kind, out string, inputs ...string) {
		o := graph.Op{Name: out, Op: kind, Outputs: []graph.TensorID{g.ByName(out)}}
		for _, in := range inputs {
			o.Inputs = append(o.Inputs, g.ByName(in))
		}
		g.Ops = append(g.Ops, o)
	}
	g.Inputs, g.Outputs = []graph.TensorID{g.ByName("x")}, []graph.TensorID{g.ByName("z")}
	op("Exp", "a", "x")
	op("Neg", "other", "x")
	op("Reshape", "view", "a")
	op("Conv", "y", "a", "w", "", adds)
	g.Ops[3].Fused = []string{"Conv", "Add"}
	op("MatMul", "z", "y", "y")
	return g
}

func TestTheCheckerRefusesAResidualThatTheConvolutionReadsElsewhere(t *testing.T) {
	for adds, fine := range map[string]bool{"other": true, "a": false, "view": false} {
		t.Run(adds, func(t *testing.T) {
			g := residual(adds)
			p := planOf(t, []*graph.Graph{g})
			require.Empty(t, check.Verify(p, []*graph.Graph{g}))
			row := func(name string) *plan.Tensor {
				for i := range p.Graphs[0].Tensors {
					if p.Graphs[0].Tensors[i].Name == name {
						return &p.Graphs[0].Tensors[i]
					}
				}
				require.Failf(t, "no row", "%s", name)
				return nil
			}
			base, y := row("a"), row("y")
			if fine {
				require.NotNil(t, y.ViewOf, "the planner's half overwrites it as well")
				return
			}
			y.Pool, y.Storage, y.Offset, y.ViewOf, base.Last = base.Pool, base.Storage, base.Offset, &base.Name, y.Last
			ids := map[diag.ID]bool{}
			for _, d := range check.Verify(p, []*graph.Graph{g}) {
				ids[d.ID] = true
			}
			require.True(t, ids[diag.PlanOverlap], "%v", ids)
			require.True(t, ids[diag.PlanViewIllegal], "%v", ids)
		})
	}
}
