package check_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/check"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

func drawPlan(t *rapid.T) (*plan.Plan, []*graph.Graph) {
	graphs := []*graph.Graph{drawGraph(t, "first", 8)}
	if rapid.Bool().Draw(t, "two graphs") {
		graphs = append(graphs, drawGraph(t, "second", 5))
	}
	return planOf(t, graphs), graphs
}

func TestPlansAsMadeAreFine(t *testing.T) {
	for name, draw := range map[string]func(*rapid.T) (*plan.Plan, []*graph.Graph){"bytes": drawPlan, "images": drawImagePlan} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p, graphs := draw(t)
				require.Empty(t, check.Verify(p, graphs))
			})
		})
	}
}

func TestEveryCorruptionIsFound(t *testing.T) {
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) { m.isFound(t, drawPlan) })
	}
	for _, m := range imageMutations {
		t.Run(m.name, func(t *testing.T) { m.isFound(t, drawImagePlan) })
	}
}

// isFound corrupts plans that are fine, and expects a finding of the mutation's kind.
func (m *mutation) isFound(t *testing.T, draw func(*rapid.T) (*plan.Plan, []*graph.Graph)) {
	applied := 0
	rapid.Check(t, func(t *rapid.T) {
		p, graphs := draw(t)
		g := &p.Graphs[rapid.IntRange(0, len(p.Graphs)-1).Draw(t, "graph")]
		var rows []int
		for i := range g.Tensors {
			if m.rows(p, &g.Tensors[i]) {
				rows = append(rows, i)
			}
		}
		if len(rows) == 0 {
			return
		}
		m.apply(t, p, g, &g.Tensors[rapid.SampledFrom(rows).Draw(t, "row")])
		applied++
		found := check.Verify(p, graphs)
		require.True(t, slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return string(d.ID) == m.id }), "want %s in %v", m.id, found)
	})
	require.Positive(t, applied, "no plan had a row to corrupt")
}

func TestWhatNoStepWritesIsNotRead(t *testing.T) {
	p, graphs := large(4)
	require.Empty(t, check.Verify(p, graphs))
	graphs[0].Ops[1].Outputs[0] = graph.NoTensor
	p.Graphs[0].Tensors[2].Producer = ""
	found := check.Verify(p, graphs)
	require.Len(t, found, 1)
	require.Equal(t, diag.PlanStepsDiffer, found[0].ID)
	require.Equal(t, `Step 2 of graph "g", op "op3", reads "t2", which no step writes. Plan again.`, found[0].Detail)
}

func TestFindingsOfOneKindAreBounded(t *testing.T) {
	p, graphs := large(1000)
	for i := range p.Graphs[0].Tensors {
		p.Graphs[0].Tensors[i].Pool = "none"
	}
	require.Less(t, len(check.Verify(p, graphs)), 100)
}

// large is a plan of n tensors in a row, each stacked on the one before modulo 100.
func large(n int) (*plan.Plan, []*graph.Graph) {
	g := &graph.Graph{Name: "g"}
	p := &plan.Plan{Devices: []plan.Device{{Name: "dev"}},
		Pools:  []plan.Pool{{Name: "arena", Device: "dev", Type: "flat", Alignment: 1, Holds: []string{"input", "activation"}, Optimality: "best_found"}},
		Graphs: []plan.Graph{{Name: "g"}}}
	for i := range n {
		role, first := graph.Activation, int64(max(0, i-1))
		if i == 0 {
			role, g.Inputs = graph.Input, []graph.TensorID{0}
		}
		g.Tensors = append(g.Tensors, graph.Tensor{Name: fmt.Sprint("t", i), Role: role, DType: graph.Uint8, Shape: graph.Shape{8}})
		last, producer := min(int64(n-1), first+100), ""
		if i > 0 {
			producer = fmt.Sprint("op", i)
			op := graph.Op{Name: fmt.Sprint("op", i), Op: "Relu", Inputs: []graph.TensorID{graph.TensorID(i - 1)}, Outputs: []graph.TensorID{graph.TensorID(i)}}
			g.Ops = append(g.Ops, op)
			p.Graphs[0].Steps = append(p.Graphs[0].Steps, plan.Step{Step: int64(i - 1), Op: "Relu", Name: op.Name})
		}
		offset := int64(i%102) * 8
		p.Storages = append(p.Storages, plan.Storage{ID: int64(i), Pool: "arena", Offset: pointer(offset), Size: 8})
		p.Graphs[0].Tensors = append(p.Graphs[0].Tensors, plan.Tensor{Name: fmt.Sprint("t", i), Role: string(role), DType: "uint8", Shape: []int64{8}, Producer: producer,
			Scope: "global", Pool: "arena", Storage: int64(i), Offset: pointer(offset), Size: 8, LogicalSize: 8, First: first, Last: last})
	}
	pool := &p.Pools[0]
	pool.Used, pool.Peak = int64(n)*8, min(int64(n), 102)*8
	pool.Bound = pool.Peak
	return p, []*graph.Graph{g}
}

func TestPlacementAgreesWithComparingEveryByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var placed []check.Interval
		for range rapid.IntRange(0, 12).Draw(t, "n") {
			x := check.Interval{Pool: rapid.IntRange(0, 1).Draw(t, "pool"), Offset: rapid.Int64Range(0, 40).Draw(t, "offset"), Size: rapid.Int64Range(0, 8).Draw(t, "size"),
				First: rapid.Int64Range(0, 10).Draw(t, "first"), Alignment: 1, Capacity: -1}
			x.Last = x.First + rapid.Int64Range(0, 5).Draw(t, "length")
			for range rapid.IntRange(0, 2).Draw(t, "gaps") {
				gap := check.Gap{First: rapid.Int64Range(0, 14).Draw(t, "gap"), From: rapid.Int64Range(0, 8).Draw(t, "from")}
				gap.Last, gap.To = gap.First+rapid.Int64Range(0, 9).Draw(t, "steps"), gap.From+rapid.Int64Range(0, 8).Draw(t, "bytes")
				x.Gaps = append(x.Gaps, gap)
			}
			placed = append(placed, x)
		}
		type point struct {
			pool     int
			at, step int64
		}
		taken, overlap := map[point]bool{}, false
		for _, x := range placed {
			for p := (point{pool: x.Pool, at: x.Offset}); p.at < x.Offset+x.Size; p.at++ {
				for p.step = x.First; p.step < x.Last; p.step++ {
					free := func(gap check.Gap) bool {
						return gap.First <= p.step && p.step < gap.Last && gap.From <= p.at-x.Offset && p.at-x.Offset < gap.To
					}
					if !slices.ContainsFunc(x.Gaps, free) {
						overlap, taken[p] = overlap || taken[p], true
					}
				}
			}
		}
		require.Equal(t, overlap, len(check.Placement(placed)) > 0)
	})
}

func TestPlacementNamesLimits(t *testing.T) {
	for name, x := range map[string]check.Interval{
		"negative offset": {Offset: -1, Size: 1, Last: 1, Alignment: 1, Capacity: -1},
		"negative size":   {Size: -1, Last: 1, Alignment: 1, Capacity: -1},
		"misaligned":      {Offset: 3, Size: 1, Last: 1, Alignment: 2, Capacity: -1},
		"beyond the pool": {Offset: 3, Size: 2, Last: 1, Alignment: 1, Capacity: 4},
		"beyond 2^63":     {Offset: math.MaxInt64, Size: 2, Last: 1, Alignment: 1, Capacity: -1},
	} {
		require.Len(t, check.Placement([]check.Interval{x}), 1, name)
	}
	for name, x := range map[string]check.Interval{
		"no bytes":        {Offset: 5, Last: 1, Alignment: 2, Capacity: 4},
		"no time":         {Offset: 5, Size: 2, Alignment: 2, Capacity: 4},
		"nothing but gap": {Offset: 5, Size: 2, Last: 2, Gaps: []check.Gap{{First: 0, Last: 2, To: 2}}, Alignment: 2, Capacity: 4},
	} {
		require.Empty(t, check.Placement([]check.Interval{x}), name)
	}
}

func BenchmarkVerify(b *testing.B) {
	p, graphs := large(100_000)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(p.Graphs[0].Tensors), func(i, j int) {
		t := p.Graphs[0].Tensors
		t[i], t[j] = t[j], t[i]
	})
	for b.Loop() {
		if found := check.Verify(p, graphs); len(found) > 0 {
			b.Fatal(found[0].Detail)
		}
	}
}
