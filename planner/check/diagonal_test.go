package check_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/check"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// pooled is x -> MaxPool -> y -> Relu -> z with channels last and 3 x 3 windows, so that a row of y waits for one row of x more
// than it overwrites: 2 rows of 8 pixels of 4 channels, 256 bytes.
func pooled() *graph.Graph {
	tensor := func(name string, role graph.Role) graph.Tensor {
		return graph.Tensor{Name: name, Role: role, DType: graph.Float32, Shape: graph.Shape{1, 8, 8, 4}, Layout: "NHWC"}
	}
	pool := graph.Op{Name: "pool", Op: "MaxPool", Inputs: []graph.TensorID{0}, Outputs: []graph.TensorID{1},
		Attrs: graph.Attrs{graph.AttrDataLayout: "NHWC", "kernel_shape": []int64{3, 3}, "pads": []int64{1, 1, 1, 1}}}
	return &graph.Graph{Name: "net", Inputs: []graph.TensorID{0}, Outputs: []graph.TensorID{2},
		Tensors: []graph.Tensor{tensor("x", graph.Input), tensor("y", graph.Activation), tensor("z", graph.Output)},
		Ops:     []graph.Op{pool, {Name: "relu", Op: "Relu", Inputs: []graph.TensorID{1}, Outputs: []graph.TensorID{2}}}}
}

// overlapped is a plan in which y starts so many bytes below x, and z behind both.
func overlapped(g *graph.Graph, distance, recorded int64) *plan.Plan {
	const size = 8 * 8 * 4 * 4
	z := distance + size
	peak := z + size
	p := &plan.Plan{
		Devices: []plan.Device{{Name: "dev", BaseAlignment: 1}},
		Pools: []plan.Pool{{Name: "arena", Device: "dev", Type: "flat", Alignment: 1, Holds: []string{"input", "output", "activation"}, Used: 3 * size,
			Peak: peak, Bound: peak, Optimality: "optimal"}},
		Graphs: []plan.Graph{{Name: "net"}},
	}
	for i, op := range g.Ops {
		p.Graphs[0].Steps = append(p.Graphs[0].Steps, plan.Step{Step: int64(i), Op: op.Op, Name: op.Name})
	}
	row := func(name, role, producer string, offset, first, last int64) {
		id := int64(len(p.Storages))
		p.Storages = append(p.Storages, plan.Storage{ID: id, Pool: "arena", Offset: pointer(offset), Size: size})
		p.Graphs[0].Tensors = append(p.Graphs[0].Tensors, plan.Tensor{Name: name, Role: role, DType: "float32", Shape: []int64{1, 8, 8, 4}, Layout: "NHWC", Scope: "global",
			Pool: "arena", Storage: id, Offset: pointer(offset), Size: size, LogicalSize: size, Alignment: 1, First: first, Last: last, Producer: producer})
	}
	row("x", "input", "", distance, 0, 1)
	row("y", "activation", "pool", 0, 0, 2)
	row("z", "output", "relu", z, 1, 2)
	p.Graphs[0].Tensors[1].Diagonal = &plan.Diagonal{Operand: "x", Distance: recorded}
	return p
}

func ids(diags diag.Diagnostics) []diag.ID {
	var out []diag.ID
	for _, d := range diags {
		out = append(out, d.ID)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestResultsOverOperandsAreVerified(t *testing.T) {
	const safe = 8 * 4 * 4
	for _, c := range []struct {
		name               string
		distance, recorded int64
		change             func(*graph.Graph, *plan.Plan)
		want               []diag.ID
	}{
		{"at the distance that the op needs", safe, safe, nil, nil},
		{"further away", 3 * safe, 2 * safe, nil, nil},
		{"not recorded", safe, safe, func(_ *graph.Graph, p *plan.Plan) { p.Graphs[0].Tensors[1].Diagonal = nil }, []diag.ID{diag.PlanOverlap}},
		{"a byte too near", safe - 1, safe - 1, nil, []diag.ID{diag.PlanOverlap, diag.PlanDiagonalWrong}},
		{"nearer than recorded", safe, safe + 1, nil, []diag.ID{diag.PlanOverlap, diag.PlanDiagonalWrong}},
		{"an op that does not say what it reads first", safe, safe, func(g *graph.Graph, p *plan.Plan) {
			g.Ops[0].Op, p.Graphs[0].Steps[0].Op = "Softmax", "Softmax"
		}, []diag.ID{diag.PlanOverlap, diag.PlanDiagonalWrong}},
		{"two convolutions in one op, whose kernels keep no order", safe, safe, func(g *graph.Graph, p *plan.Plan) {
			g.Ops[0].Op, g.Ops[0].Fused, p.Graphs[0].Steps[0].Op = "Conv", []string{"Conv", "Conv"}, "Conv"
			g.Ops[0].Inputs = []graph.TensorID{0, 3}
			g.Tensors = append(g.Tensors, graph.Tensor{Name: "w", Role: graph.Constant, DType: graph.Float32, Shape: graph.Shape{4, 3, 3, 4}, Layout: "OHWI"})
		}, []diag.ID{diag.PlanOverlap, diag.PlanDiagonalWrong}},
		{"a window that meets nothing however far it is followed", safe, safe, func(g *graph.Graph, _ *plan.Plan) {
			g.Ops[0].Attrs["kernel_shape"], g.Ops[0].Attrs["pads"] = []int64{1 << 40, 3}, []int64{1 << 50, 1, 1, 1}
		}, []diag.ID{diag.PlanOverlap, diag.PlanDiagonalWrong}},
		{"an operand that is read later", safe, safe, func(g *graph.Graph, p *plan.Plan) {
			g.Ops[1].Op, g.Ops[1].Inputs, p.Graphs[0].Steps[1].Op = "Add", []graph.TensorID{1, 0}, "Add"
			p.Graphs[0].Tensors[0].Last = 2
		}, []diag.ID{diag.PlanOverlap, diag.PlanDiagonalWrong}},
		{"an operand that the caller keeps", safe, safe, func(_ *graph.Graph, p *plan.Plan) {
			p.Graphs[0].Tensors[0].Kept, p.Graphs[0].Tensors[0].Last = "graph.net.keep", 2
		}, []diag.ID{diag.PlanOverlap, diag.PlanDiagonalWrong}},
		{"an operand that the op does not read", safe, safe, func(_ *graph.Graph, p *plan.Plan) { p.Graphs[0].Tensors[1].Diagonal.Operand = "z" },
			[]diag.ID{diag.PlanOverlap, diag.PlanDiagonalWrong}},
		{"another input in the bytes of the result", safe, safe, func(g *graph.Graph, p *plan.Plan) {
			v, row := g.Tensors[0], p.Graphs[0].Tensors[1]
			v.Name, row.Name, row.Role, row.Producer, row.Diagonal = "v", "v", "input", "", nil
			g.Tensors, g.Inputs = append(g.Tensors, v), append(g.Inputs, 3)
			g.Ops[0].Op, g.Ops[0].Inputs, g.Ops[0].Attrs, p.Graphs[0].Steps[0].Op = "Add", []graph.TensorID{0, 3}, nil, "Add"
			p.Graphs[0].Tensors[1].ViewOf = pointer("v")
			p.Graphs[0].Tensors = append(p.Graphs[0].Tensors, row)
		}, []diag.ID{diag.PlanOverlap, diag.PlanDiagonalWrong}},
		{"a third tensor beside them", safe, safe, func(_ *graph.Graph, p *plan.Plan) {
			// z begins where x ends at step 1; at step 0 it would lie over x.
			p.Graphs[0].Tensors[2].First = 0
			p.Graphs[0].Tensors[2].Offset, p.Storages[2].Offset = pointer(int64(safe+1000)), pointer(int64(safe+1000))
		}, []diag.ID{diag.PlanOverlap}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := pooled()
			p := overlapped(g, c.distance, c.recorded)
			if c.change != nil {
				c.change(g, p)
			}
			got := ids(check.Verify(p, []*graph.Graph{g}))
			if c.want == nil {
				require.Empty(t, got)
				return
			}
			for _, id := range c.want {
				require.Contains(t, got, id)
			}
		})
	}
}

func TestAThirdTensorDoesNotHideBehindAnOverlap(t *testing.T) {
	g := pooled()
	p := overlapped(g, 256, 256)
	// Scratch memory of the pool lies over the end of x, beyond y.
	g.Ops[0].Scratch = []graph.ScratchBuffer{{Name: "tmp", Bytes: 16}}
	p.Storages = append(p.Storages, plan.Storage{ID: 3, Pool: "arena", Offset: pointer(int64(1100)), Size: 16})
	name := g.ScratchNames()[0][0]
	p.Graphs[0].Tensors = append(p.Graphs[0].Tensors, plan.Tensor{Name: name, Role: "scratch", DType: "uint8", Shape: []int64{16}, Scope: "global", Pool: "arena", Storage: 3,
		Offset: pointer(int64(1100)), Size: 16, LogicalSize: 16, Alignment: 1, First: 0, Last: 1, Producer: "pool"})
	require.Contains(t, ids(check.Verify(p, []*graph.Graph{g})), diag.PlanOverlap)
}
