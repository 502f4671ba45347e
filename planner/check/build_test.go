package check_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/liveness"
	"github.com/memplan/memplan/planner/plan"
)

func pointer[T any](v T) *T { return &v }

// drawGraph makes a graph of n ops at most with reshapes, state, constants and scratch memory.
func drawGraph(t *rapid.T, name string, n int) *graph.Graph {
	g := &graph.Graph{Name: name}
	add := func(tensor string, role graph.Role) graph.TensorID {
		g.Tensors = append(g.Tensors, graph.Tensor{Name: tensor, Role: role, DType: graph.Float32, Shape: graph.Shape{1, rapid.Int64Range(1, 40).Draw(t, "extent")}})
		return graph.TensorID(len(g.Tensors) - 1)
	}
	g.Inputs = []graph.TensorID{add("x", graph.Input)}
	add("w", graph.Constant)
	add("s", graph.State)
	for i := range rapid.IntRange(2, n).Draw(t, "ops") {
		in := graph.TensorID(rapid.IntRange(0, len(g.Tensors)-1).Draw(t, "in"))
		second := graph.TensorID(rapid.IntRange(0, len(g.Tensors)-1).Draw(t, "second"))
		role := graph.Activation
		if i == 0 || rapid.IntRange(0, 4).Draw(t, "output") == 0 {
			role = graph.Output
		}
		out := add(fmt.Sprintf("t%d", i), role)
		if role == graph.Output {
			g.Outputs = append(g.Outputs, out)
		}
		op := graph.Op{Name: fmt.Sprintf("%s/op%d", name, i), Op: "MatMul", Inputs: []graph.TensorID{in, second}, Outputs: []graph.TensorID{out}}
		extent := g.Tensors[in].Shape[len(g.Tensors[in].Shape)-1]
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0, 1:
			op.Op, op.Inputs = "Reshape", op.Inputs[:1]
			g.Tensors[out].Shape = graph.Shape{extent}
		case 2:
			op.Op = "Add"
			g.Tensors[out].Shape = slices.Clone(g.Tensors[in].Shape)
		case 3:
			op.Op, op.Attrs = "Concat", graph.Attrs{"axis": int64(1)}
			g.Tensors[out].Shape = graph.Shape{1, extent + g.Tensors[second].Shape[len(g.Tensors[second].Shape)-1]}
		}
		if rapid.IntRange(0, 3).Draw(t, "scratch") == 0 {
			op.Scratch = []graph.ScratchBuffer{{Name: "tmp", Bytes: rapid.Int64Range(1, 200).Draw(t, "scratch bytes")}}
		}
		g.Ops = append(g.Ops, op)
	}
	return g
}

// planOf plans the graphs, one after the other, into a pool for constants and two for the rest.
func planOf(t require.TestingT, graphs []*graph.Graph) *plan.Plan {
	changing := []string{"input", "output", "activation", "scratch", "state"}
	p := &plan.Plan{
		Devices: []plan.Device{{Name: "dev", BaseAlignment: 16, MaxAlloc: pointer(int64(1 << 40))}},
		Pools: []plan.Pool{
			{Name: "fast", Device: "dev", Type: "flat", Capacity: pointer(int64(512)), Alignment: 16, Holds: changing},
			{Name: "slow", Device: "dev", Type: "flat", Alignment: 64, Holds: changing},
			{Name: "weights", Device: "dev", Type: "flat", Alignment: 1, Holds: []string{"constant"}},
		},
	}
	problem := &layout.Problem{Pools: []layout.Pool{{Capacity: 512, Alignment: 16}, {Capacity: -1, Alignment: 64}, {Capacity: -1, Alignment: 1}}}
	var buffers [][]liveness.Buffer
	total := int64(0)
	for _, g := range graphs {
		total += int64(len(g.Ops))
	}
	start := int64(0)
	for _, g := range graphs {
		list, diags := liveness.Analyze(g, liveness.Options{Reshape: true, Parts: true, InPlace: true})
		require.Empty(t, diags)
		buffers = append(buffers, list)
		for _, b := range list {
			x := layout.Buffer{Size: b.Size, Alignment: 1, Live: layout.Span{First: b.First + start, Last: b.Last + start}, Pools: []int{0, 1}}
			switch b.Role {
			case graph.Constant:
				x.Pools, x.Live = []int{2}, layout.Span{First: 0, Last: total}
			case graph.State:
				x.Live = layout.Span{First: 0, Last: total}
			}
			problem.Buffers = append(problem.Buffers, x)
		}
		start += int64(len(g.Ops))
	}
	placed, err := layout.Solve(context.Background(), problem, "greedy", layout.Effort{Nodes: 2000})
	require.NoError(t, err)
	require.Empty(t, placed.Unplaced)
	next := 0
	for i, g := range graphs {
		p.Graphs = append(p.Graphs, graphPlan(g, buffers[i], placed.Places[next:], p))
		next += len(buffers[i])
	}
	for k := range p.Pools {
		out := placed.Pools[k]
		p.Pools[k].Peak, p.Pools[k].Bound, p.Pools[k].Gap, p.Pools[k].Optimality = out.Peak, out.Bound, out.Peak-out.Bound, "best_found"
	}
	for _, s := range p.Storages {
		for k := range p.Pools {
			if p.Pools[k].Name == s.Pool {
				p.Pools[k].Used += s.Size
			}
		}
	}
	return p
}

func graphPlan(g *graph.Graph, buffers []liveness.Buffer, places []layout.Place, p *plan.Plan) plan.Graph {
	out := plan.Graph{Name: g.Name}
	for i, op := range g.Ops {
		out.Steps = append(out.Steps, plan.Step{Step: int64(i), Op: op.Op, Name: op.Name})
	}
	row := func(id graph.TensorID, base plan.Tensor) plan.Tensor {
		t := g.Tensors[id]
		bytes, _ := t.Shape.Bytes(t.DType)
		base.Producer = ""
		if step := g.Producers()[id]; step >= 0 {
			base.Producer = g.Ops[step].Name
		}
		base.Name, base.Role, base.DType, base.Shape, base.Size, base.LogicalSize = t.Name, string(t.Role), t.DType.String(), t.Shape, bytes, bytes
		return base
	}
	for i, b := range buffers {
		pool := p.Pools[places[i].Pool]
		id := int64(len(p.Storages))
		p.Storages = append(p.Storages, plan.Storage{ID: id, Pool: pool.Name, Offset: pointer(places[i].Offset), Size: b.Size})
		base := plan.Tensor{Name: b.Name, Role: string(b.Role), DType: "uint8", Shape: []int64{b.Size}, Scope: "global", Pool: pool.Name, Storage: id,
			Offset: pointer(places[i].Offset), Size: b.Size, LogicalSize: b.Size, Alignment: pool.Alignment, First: b.First, Last: b.Last}
		if b.Tensor != graph.NoTensor {
			base = row(b.Tensor, base)
		} else {
			base.Producer = g.Ops[b.Op].Name
		}
		out.Tensors = append(out.Tensors, base)
		for _, v := range b.Views {
			view := row(v.Tensor, base)
			view.ViewOf, view.ViewOffset, view.First, view.Last, view.Alignment = pointer(base.Name), v.Offset, v.First, v.Last, 1
			view.Offset = pointer(places[i].Offset + v.Offset)
			out.Tensors = append(out.Tensors, view)
		}
	}
	return out
}
