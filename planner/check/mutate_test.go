package check_test

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// mutation corrupts a valid plan in one way that Verify must report under the id.
type mutation struct {
	name, id string
	// rows selects the rows it can change; apply changes one.
	rows  func(*plan.Plan, *plan.Tensor) bool
	apply func(*rapid.T, *plan.Plan, *plan.Graph, *plan.Tensor)
}

func anyRow(*plan.Plan, *plan.Tensor) bool     { return true }
func isBase(_ *plan.Plan, t *plan.Tensor) bool { return t.ViewOf == nil }
func isViewed(p *plan.Plan, t *plan.Tensor) bool {
	return slices.ContainsFunc(p.Graphs, func(g plan.Graph) bool {
		return slices.ContainsFunc(g.Tensors, func(o plan.Tensor) bool { return o.ViewOf != nil && *o.ViewOf == t.Name })
	})
}
func isView(_ *plan.Plan, t *plan.Tensor) bool     { return t.ViewOf != nil }
func isTensor(_ *plan.Plan, t *plan.Tensor) bool   { return t.Role != string(graph.Scratch) }
func ownsTensor(p *plan.Plan, t *plan.Tensor) bool { return isBase(p, t) && isTensor(p, t) }
func inFast(_ *plan.Plan, t *plan.Tensor) bool     { return t.ViewOf == nil && t.Pool == "fast" }
func pool(p *plan.Plan, name string) *plan.Pool {
	return &p.Pools[slices.IndexFunc(p.Pools, func(x plan.Pool) bool { return x.Name == name })]
}
func move(p *plan.Plan, t *plan.Tensor, offset int64) {
	t.Offset, storage(p, t).Offset = &offset, &offset
}
func storage(p *plan.Plan, t *plan.Tensor) *plan.Storage {
	return &p.Storages[slices.IndexFunc(p.Storages, func(s plan.Storage) bool { return s.ID == t.Storage })]
}

// madeBy is the type of the op that makes a tensor, "" when none does.
func madeBy(p *plan.Plan, t *plan.Tensor) string {
	for _, g := range p.Graphs {
		for _, step := range g.Steps {
			if t.Producer != "" && step.Name == t.Producer {
				return step.Op
			}
		}
	}
	return ""
}

// meets finds a row with bytes in the same pool that is live together with t, and aligned for t's place.
func meets(p *plan.Plan, t *plan.Tensor) *plan.Tensor {
	for i := range p.Graphs {
		for j := range p.Graphs[i].Tensors {
			o := &p.Graphs[i].Tensors[j]
			if o == t || o.ViewOf != nil || o.Pool != t.Pool || *o.Offset == *t.Offset {
				continue
			}
			always := o.Role == "state" || o.Role == "constant" || t.Role == "state" || t.Role == "constant"
			same := slices.ContainsFunc(p.Graphs[i].Tensors, func(x plan.Tensor) bool { return x.Name == t.Name && x.Storage == t.Storage })
			if always || same && max(o.First, t.First) < min(o.Last, t.Last) {
				return o
			}
		}
	}
	return nil
}

// overwritten is the base that a sum takes the whole place of, nil for other rows.
func overwritten(p *plan.Plan, t *plan.Tensor) *plan.Tensor {
	for i := range p.Graphs {
		for j := range p.Graphs[i].Tensors {
			o := &p.Graphs[i].Tensors[j]
			if t.ViewOf != nil && o.Name == *t.ViewOf && o.Storage == t.Storage && o.Size == t.Size && madeBy(p, t) == "Add" {
				return o
			}
		}
	}
	return nil
}

var mutations = []mutation{
	{"two live tensors at one offset", "MP0619", func(p *plan.Plan, t *plan.Tensor) bool { return isBase(p, t) && meets(p, t) != nil },
		func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) { move(p, t, *meets(p, t).Offset) }},
	{"an offset between the alignments", "MP0617", inFast,
		func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) { move(p, t, *t.Offset+1) }},
	{"an offset beyond the capacity", "MP0618", inFast,
		func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) { move(p, t, 512) }},
	{"a negative offset", "MP0618", isBase,
		func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) { move(p, t, -64) }},
	{"a smaller capacity", "MP0618", inFast,
		func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
			pool(p, "fast").Capacity = pointer(*t.Offset + t.Size - 1)
		}},
	{"a pool that does not exist", "MP0615", anyRow,
		func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.Pool = "none" }},
	{"a pool for other roles", "MP0616", func(p *plan.Plan, t *plan.Tensor) bool { return isBase(p, t) && t.Pool != "weights" },
		func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
			t.Pool, storage(p, t).Pool = "weights", "weights"
		}},
	{"a pool of textures", "MP0616", anyRow,
		func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) { pool(p, t.Pool).Type = "texture" }},
	{"a pool of another device", "MP0616", func(_ *plan.Plan, t *plan.Tensor) bool { return t.Role == "constant" },
		func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
			p.Devices = append(p.Devices, plan.Device{Name: "other"})
			pool(p, t.Pool).Device = "other"
		}},
	{"a device that does not exist", "MP0616", anyRow,
		func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, _ *plan.Tensor) { p.Devices[0].Name = "renamed" }},
	{"an unknown scope", "MP0616", anyRow, func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.Scope = "globe" }},
	{"a missing row", "MP0611", anyRow,
		func(_ *rapid.T, _ *plan.Plan, g *plan.Graph, t *plan.Tensor) {
			name := t.Name
			g.Tensors = slices.DeleteFunc(g.Tensors, func(x plan.Tensor) bool { return x.Name == name })
		}},
	{"a renamed row", "MP0612", anyRow, func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.Name += "'" }},
	{"a row twice", "MP0613", anyRow,
		func(_ *rapid.T, _ *plan.Plan, g *plan.Graph, t *plan.Tensor) { g.Tensors = append(g.Tensors, *t) }},
	{"another shape", "MP0614", isTensor, func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
		t.Shape = append(slices.Clone(t.Shape), 1)
	}},
	{"another type", "MP0614", isTensor, func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.DType = "int32" }},
	{"fewer bytes than the elements", "MP0620", anyRow,
		func(d *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
			t.Size -= rapid.Int64Range(1, t.Size).Draw(d, "less")
		}},
	{"another count of the elements' bytes", "MP0620", anyRow, func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.LogicalSize++ }},
	{"a lifetime that starts late", "MP0621", isBase, func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.First = t.Last }},
	{"a lifetime that ends early", "MP0621", isView, func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.Last-- }},
	{"a kept tensor that ends early", "MP0641", anyRow, func(_ *rapid.T, _ *plan.Plan, g *plan.Graph, t *plan.Tensor) {
		t.Kept, t.Last = "graph.net.keep", min(t.Last, int64(len(g.Steps))-1)
	}},
	{"a view moved away from its base", "MP0622", isView, func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { *t.Offset += 4 }},
	{"a view beyond its base", "MP0622", isView,
		func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
			*t.Offset, t.ViewOffset = *t.Offset+4096, t.ViewOffset+4096
		}},
	{"a view in another pool than its base", "MP0622", isView,
		func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
			t.Pool = map[string]string{"fast": "slow", "slow": "fast", "weights": "fast"}[t.Pool]
		}},
	{"a view of nothing", "MP0622", isView, func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.ViewOf = pointer("nobody") }},
	{"a view that outlives its base", "MP0623", isView,
		func(_ *rapid.T, _ *plan.Plan, g *plan.Graph, t *plan.Tensor) {
			for i := range g.Tensors {
				if g.Tensors[i].Name == *t.ViewOf {
					g.Tensors[i].Last = t.Last - 1
				}
			}
		}},
	{"a result that claims to be a view", "MP0624", func(p *plan.Plan, t *plan.Tensor) bool { return ownsTensor(p, t) && madeBy(p, t) == "MatMul" },
		func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.ViewOf = pointer("x") }},
	{"a result over an operand that is read later", "MP0619", func(p *plan.Plan, t *plan.Tensor) bool { return overwritten(p, t) != nil },
		func(_ *rapid.T, p *plan.Plan, g *plan.Graph, t *plan.Tensor) {
			x := overwritten(p, t)
			x.Kept, x.Last = "graph.net.keep", int64(len(g.Steps))
		}},
	{"a result over an operand whose rows are read in no order", "MP0643", func(p *plan.Plan, t *plan.Tensor) bool { return isTensor(p, t) && madeBy(p, t) == "MatMul" },
		func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
			t.Diagonal = &plan.Diagonal{Operand: "x"}
		}},
	{"a gap in bytes that an op writes or reads", "MP0619", func(p *plan.Plan, t *plan.Tensor) bool { return t.LogicalSize > 0 && isBase(p, t) && !isViewed(p, t) },
		func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
			t.Gaps = append(t.Gaps, plan.Gap{First: t.First, Last: t.First + 1, From: t.LogicalSize - 1, To: t.LogicalSize})
		}},
	{"another producer", "MP0614", anyRow, func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.Producer += "'" }},
	{"a device with less memory in one piece", "MP0625", isBase,
		func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
			p.Devices[0].MaxAlloc = pointer(*t.Offset + t.Size - 1)
		}},
	{"another peak", "MP0626", anyRow, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) { pool(p, t.Pool).Peak++ }},
	{"a bound above the peak", "MP0626", anyRow,
		func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
			q := pool(p, t.Pool)
			q.Bound, q.Gap = q.Peak+1, -1
		}},
	{"a bound below the live bytes", "MP0626", anyRow,
		func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
			q := pool(p, t.Pool)
			q.Bound, q.Gap = 0, q.Peak
		}},
	{"another gap", "MP0626", anyRow, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) { pool(p, t.Pool).Gap++ }},
	{"another sum of sizes", "MP0626", anyRow, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) { pool(p, t.Pool).Used-- }},
	{"an optimality that is none", "MP0626", anyRow, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) { pool(p, t.Pool).Optimality = "good" }},
	{"a peak step at which nothing is live", "MP0626", anyRow,
		func(_ *rapid.T, p *plan.Plan, g *plan.Graph, t *plan.Tensor) {
			q := pool(p, t.Pool)
			q.PeakGraph, q.PeakStep = "nowhere", pointer(int64(0))
			if t.Role == "constant" || t.Role == "state" || t.Pool == "weights" {
				q.Peak++
			}
		}},
	{"a storage that does not exist", "MP0627", anyRow, func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.Storage = 1 << 40 }},
	{"a storage of another pool", "MP0627", isBase, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) { storage(p, t).Pool = "elsewhere" }},
	{"a smaller storage", "MP0627", isBase, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) { storage(p, t).Size-- }},
	{"a storage twice", "MP0627", isBase, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
		p.Storages = append(p.Storages, *storage(p, t))
	}},
	{"a storage of nobody", "MP0627", anyRow,
		func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, _ *plan.Tensor) {
			p.Storages = append(p.Storages, plan.Storage{ID: 1 << 40, Pool: "slow", Offset: pointer(int64(0))})
		}},
	{"a step less", "MP0628", anyRow, func(_ *rapid.T, _ *plan.Plan, g *plan.Graph, _ *plan.Tensor) { g.Steps = g.Steps[1:] }},
	{"two steps exchanged", "MP0628", anyRow, func(_ *rapid.T, _ *plan.Plan, g *plan.Graph, _ *plan.Tensor) {
		g.Steps[0], g.Steps[1] = g.Steps[1], g.Steps[0]
	}},
	{"a graph less", "MP0610", anyRow, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, _ *plan.Tensor) { p.Graphs = p.Graphs[1:] }},
}
