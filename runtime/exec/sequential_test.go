package exec_test

import (
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
	"github.com/stretchr/testify/require"
)

// sequentialPlan places every tensor of a graph in bytes of its own, one after the other: the plan that shares nothing.
func sequentialPlan(t testing.TB, g *graph.Graph) *plan.Plan {
	t.Helper()
	p, reason := buildSequential(g)
	require.Empty(t, reason)
	return p
}

// buildSequential says what it lacks when it cannot make the plan.
func buildSequential(g *graph.Graph) (*plan.Plan, string) {
	p := &plan.Plan{
		FormatVersion: plan.FormatVersion,
		Devices:       []plan.Device{{Name: "host", Driver: "host", BaseAlignment: 64}},
		Pools: []plan.Pool{
			{Name: "memory", Device: "host", Type: "flat", Alignment: 64},
			{Name: "weights", Device: "host", Type: "flat", Alignment: 64},
		},
	}
	planned := plan.Graph{Name: g.Name}
	first, last := lifetimes(g)
	for i := range g.Tensors {
		info := &g.Tensors[i]
		pool := &p.Pools[0]
		if info.Role == graph.Constant {
			pool = &p.Pools[1]
		}
		bytes, ok := info.Shape.Bytes(info.DType)
		if !ok {
			return nil, info.Name + " has no known size"
		}
		offset := (pool.Peak + 63) / 64 * 64
		pool.Peak = offset + bytes
		p.Storages = append(p.Storages, plan.Storage{ID: int64(i), Pool: pool.Name, Offset: &offset, Size: bytes})
		planned.Tensors = append(planned.Tensors, plan.Tensor{
			Name: info.Name, Role: string(info.Role), DType: info.DType.String(), Shape: append([]int64{}, info.Shape...),
			Layout: info.Layout, Scope: "global", Pool: pool.Name, Storage: int64(i), Offset: &offset,
			Size: bytes, LogicalSize: bytes, Alignment: 64, First: first[i], Last: last[i],
		})
	}
	for i := range g.Ops {
		op := &g.Ops[i]
		planned.Steps = append(planned.Steps, plan.Step{
			Step: int64(i), Op: op.Op, Name: op.Name, Inputs: names(g, op.Inputs), Outputs: names(g, op.Outputs), Fused: op.Fused,
		})
	}
	p.Graphs = []plan.Graph{planned}
	return p, ""
}

func names(g *graph.Graph, ids []graph.TensorID) []string {
	list := make([]string, len(ids))
	for i, id := range ids {
		if t := g.Tensor(id); t != nil {
			list[i] = t.Name
		}
	}
	return list
}

// lifetimes are half-open, in steps; graph outputs live to the end, what nobody reads lives for a step.
func lifetimes(g *graph.Graph) (first, last []int64) {
	first, last = make([]int64, len(g.Tensors)), make([]int64, len(g.Tensors))
	for i := range last {
		last[i] = 1
	}
	for i := range g.Ops {
		for _, id := range g.Ops[i].Inputs {
			if id >= 0 {
				last[id] = int64(i) + 1
			}
		}
		for _, id := range g.Ops[i].Outputs {
			if id >= 0 {
				first[id], last[id] = int64(i), int64(i)+1
			}
		}
	}
	for _, id := range g.Outputs {
		last[id] = int64(len(g.Ops))
	}
	return first, last
}
