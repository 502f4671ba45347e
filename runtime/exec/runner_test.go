package exec_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/planner/rewrite"
	"github.com/memplan/memplan/runtime/exec"
	"github.com/memplan/memplan/runtime/host"
	"github.com/memplan/memplan/testdata/needs"
	"github.com/stretchr/testify/require"
)

var background = context.Background()

// run executes once and wants no diagnostics.
func run(t testing.TB, r *exec.Runner, inputs map[string]*array.Array) map[string]*array.Array {
	t.Helper()
	outputs, diags, err := r.Run(background, inputs)
	require.NoError(t, err)
	require.Empty(t, diags)
	return outputs
}

// aloneOutputs are the outputs of models, by name, in a plan that shares nothing.
var aloneOutputs = map[string]map[string]*array.Array{}

// runAlone returns a folded model and its outputs in a plan that shares nothing, which several tests compare with.
func runAlone(t testing.TB, name string, want golden) (*graph.Graph, map[string]*array.Array) {
	g, _ := rewrite.Fold(load(t, name, want), nil)
	if aloneOutputs[name] == nil {
		aloneOutputs[name] = run(t, start(t, sequentialPlan(t, g), g, exec.Options{}), ramp(t, g))
	}
	return g, aloneOutputs[name]
}

func TestSharingBytesDoesNotChangeABit(t *testing.T) {
	names, all := goldens(t)
	for i, name := range names {
		if !needs.Turn(i, len(names)) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			g, alone := runAlone(t, name, all[name])
			p := sharedPlan(t, g)
			require.Less(t, p.Pools[0].Peak, sequentialPlan(t, g).Pools[0].Peak)
			r := start(t, p, g, exec.Options{Poison: true})
			shared := run(t, r, ramp(t, g))
			require.Equal(t, alone, shared)
			requireGolden(t, all[name], shared)
			require.Equal(t, shared, run(t, r, ramp(t, g)), "a second run")
		})
	}
}

func TestRunsAfterTheFirstAllocateNothingOnTheDevice(t *testing.T) {
	names, all := goldens(t)
	name := names[len(names)-3]
	g, _ := rewrite.Fold(load(t, name, all[name]), nil)
	p := sharedPlan(t, g)
	r := start(t, p, g, exec.Options{})
	inputs := ramp(t, g)
	run(t, r, inputs)
	first, counters := r.Allocations(), r.Counters()
	for range 9 {
		diags, err := r.Execute(background, inputs)
		require.NoError(t, err)
		require.Empty(t, diags)
	}
	require.Equal(t, first, r.Allocations())
	require.Equal(t, counters, r.Counters())
	require.Equal(t, map[string]int64{"memory": p.Pools[0].Peak, "weights": p.Pools[1].Peak}, r.PoolBytes())
	require.Equal(t, p.Pools[0].Peak+p.Pools[1].Peak, counters.PoolBytes)
}

func TestPoisonShowsAPlacementThatOverlaps(t *testing.T) {
	g := chain(8)
	x := floatArray(graph.Shape{8}, 1, 2, 3, 4, 5, 6, 7, 8)
	good := sharedPlan(t, g)
	y := run(t, start(t, good, g, exec.Options{Poison: true}), map[string]*array.Array{"x": x})["y"]
	require.Equal(t, []float32{1, 2, 3, 4, 5, 6, 7, 8}, floatsOf(y))

	bad := sequentialPlan(t, g)
	// The plan claims that "a" dies a step before its reader.
	bad.Graphs[0].Tensors[1].Last = 1
	y = run(t, start(t, bad, g, exec.Options{Poison: true}), map[string]*array.Array{"x": x})["y"]
	for _, v := range floatsOf(y) {
		require.True(t, math.IsNaN(float64(v)))
	}
	y = run(t, start(t, bad, g, exec.Options{}), map[string]*array.Array{"x": x})["y"]
	require.Equal(t, []float32{1, 2, 3, 4, 5, 6, 7, 8}, floatsOf(y), "nobody overwrites the dead bytes without poison")
}

func TestPoisonSparesBytesThatAnotherTensorHolds(t *testing.T) {
	g := chain(8)
	p := sharedPlan(t, g)
	// "c" is written in place of "a", and "y" in place of "c".
	tensors := p.Graphs[0].Tensors
	tensors[2].Offset, tensors[3].Offset = tensors[1].Offset, tensors[1].Offset
	y := run(t, start(t, p, g, exec.Options{Poison: true}), map[string]*array.Array{"x": floatArray(graph.Shape{8}, -1, 2, -3, 4, 5, 6, 7, 8)})["y"]
	require.Equal(t, []float32{0, 2, 0, 4, 5, 6, 7, 8}, floatsOf(y))
}

func TestAStateKeepsItsContentFromRunToRun(t *testing.T) {
	b := newBuilder()
	x := b.tensor("x", graph.Input, graph.Float32, 2)
	old := b.tensor("total", graph.State, graph.Float32, 2)
	y := b.tensor("y", graph.Output, graph.Float32, 2)
	b.op("Add", "sum", ids(y), ids(old, x), nil)
	b.op("Identity", "assign", ids(old), ids(y), nil)
	r := start(t, sequentialPlan(t, b.g), b.g, exec.Options{Poison: true})
	inputs := map[string]*array.Array{"x": floatArray(graph.Shape{2}, 1, 10)}
	require.Equal(t, []float32{1, 10}, floatsOf(run(t, r, inputs)["y"]))
	require.Equal(t, []float32{2, 20}, floatsOf(run(t, r, inputs)["y"]))
	require.Equal(t, []float32{3, 30}, floatsOf(run(t, r, inputs)["y"]))
}

func TestAnInputSeenThroughAReshapeIsOneStorage(t *testing.T) {
	b := newBuilder()
	x := b.tensor("x", graph.Input, graph.Float32, 2, 3)
	y := b.tensor("y", graph.Output, graph.Float32, 6)
	shape := b.tensor("shape", graph.Constant, graph.Int64, 1)
	b.g.Tensors[shape].Data = graph.Bytes{6, 0, 0, 0, 0, 0, 0, 0}
	b.op("Reshape", "flat", ids(y), ids(x, shape), nil)
	p := sharedPlan(t, b.g)
	require.Equal(t, int64(24), p.Pools[0].Peak)
	r := start(t, p, b.g, exec.Options{Poison: true})
	for _, first := range []float32{1, 7} {
		got := run(t, r, map[string]*array.Array{"x": floatArray(graph.Shape{2, 3}, first, 2, 3, 4, 5, 6)})["y"]
		require.Equal(t, []float32{first, 2, 3, 4, 5, 6}, floatsOf(got))
		require.Equal(t, graph.Shape{6}, got.Shape)
	}
}

func TestAConstantOutputIsCopiedOut(t *testing.T) {
	b := newBuilder()
	c := b.constant("answer", graph.Shape{2}, 4, 2)
	x := b.tensor("x", graph.Input, graph.Float32, 1)
	b.g.Outputs = append(b.g.Outputs, c, x)
	p := sequentialPlan(t, b.g)
	inputs := map[string]*array.Array{"x": floatArray(graph.Shape{1}, 9)}
	placed := run(t, start(t, p, b.g, exec.Options{Poison: true}), inputs)
	require.Equal(t, []float32{4, 2}, floatsOf(placed["answer"]))
	require.Equal(t, []float32{9}, floatsOf(placed["x"]), "an input that is an output")

	p.Graphs[0].Tensors = p.Graphs[0].Tensors[1:]
	unplaced := run(t, start(t, p, b.g, exec.Options{Poison: true}), inputs)
	require.Equal(t, []float32{4, 2}, floatsOf(unplaced["answer"]), "a constant that no pool holds")
}

func TestTensorsThatTheCallerOwnsGetPlacesOfTheirOwn(t *testing.T) {
	g := chain(8)
	p := sharedPlan(t, g)
	for _, i := range []int{0, 3} {
		p.Graphs[0].Tensors[i].Pool, p.Graphs[0].Tensors[i].Offset = "", nil
	}
	r := start(t, p, g, exec.Options{Poison: true})
	y := run(t, r, map[string]*array.Array{"x": floatArray(graph.Shape{8}, -1, 2, 3, 4, 5, 6, 7, 8)})["y"]
	require.Equal(t, []float32{0, 2, 3, 4, 5, 6, 7, 8}, floatsOf(y))
	require.Equal(t, int64(128), r.PoolBytes()["external"])
}

func TestAnInterruptStopsBetweenSteps(t *testing.T) {
	g := chain(8)
	r := start(t, sequentialPlan(t, g), g, exec.Options{})
	ctx, cancel := context.WithCancel(background)
	cancel()
	_, diags, err := r.Run(ctx, map[string]*array.Array{"x": floatArray(graph.Shape{8}, 1, 2, 3, 4, 5, 6, 7, 8)})
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, diags)
}

// requireOne wants exactly one diagnostic of an id whose detail has all of the words.
func requireOne(t *testing.T, diags diag.Diagnostics, id string, words ...string) {
	t.Helper()
	require.Len(t, diags, 1)
	require.Equal(t, diag.ID(id), diags[0].ID)
	for _, w := range words {
		require.True(t, strings.Contains(diags[0].Detail, w), "%q lacks %q", diags[0].Detail, w)
	}
}

func TestInputsThatDoNotFitAreReportedTogether(t *testing.T) {
	g := chain(8)
	r := start(t, sequentialPlan(t, g), g, exec.Options{})
	report := func(inputs map[string]*array.Array) diag.Diagnostics {
		outputs, diags, err := r.Run(background, inputs)
		require.NoError(t, err)
		require.Nil(t, outputs)
		return diags
	}
	requireOne(t, report(nil), "MP0803", `"x"`, "float32 [8]")
	requireOne(t, report(map[string]*array.Array{"x": floatArray(graph.Shape{2}, 1, 2)}), "MP0805", "float32 [2]", "float32 [8]")
	requireOne(t, report(map[string]*array.Array{"x": floatArray(graph.Shape{8}, 1, 2)}), "MP0805", "8 bytes", "32")
	diags := report(map[string]*array.Array{"xx": floatArray(graph.Shape{8})})
	require.Len(t, diags, 2)
	requireOne(t, diags[:1], "MP0803")
	requireOne(t, diags[1:], "MP0804", `"xx"`, `Did you mean "x"?`)
}

// prepare makes a runner that must fail with diagnostics.
func prepare(t *testing.T, p *plan.Plan, name string, g *graph.Graph) diag.Diagnostics {
	t.Helper()
	dev, err := host.New(host.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, dev.Close()) }()
	r, diags, err := exec.New(background, p, name, g, dev, exec.Options{})
	require.NoError(t, err)
	require.Nil(t, r)
	return diags
}

func TestPlansThatDoNotFitAreReported(t *testing.T) {
	cases := []struct {
		name   string
		change func(p *plan.Plan, g *graph.Graph)
		id     string
		words  []string
	}{
		{"an operator without a kernel", func(_ *plan.Plan, g *graph.Graph) { g.Ops[1].Op = "Frobnicate" }, "MP0801", []string{"Frobnicate", `"neg"`, `"c"`, "Step 1"}},
		{"an operator of another domain", func(_ *plan.Plan, g *graph.Graph) { g.Ops[1].Domain = "my.ops" }, "MP0801", []string{"my.ops.Neg"}},
		{"a form that no kernel takes", func(_ *plan.Plan, g *graph.Graph) { g.Ops[1].Op = "MaxPool" }, "MP0802", []string{`"neg"`, "rank 1", `"a"`}},
		{"a constant without content", func(_ *plan.Plan, g *graph.Graph) { g.Tensors[1].Role = graph.Constant }, "MP0808", []string{`"a"`, "no content"}},
		{"a constant with too little content", func(_ *plan.Plan, g *graph.Graph) {
			g.Tensors[1].Role, g.Tensors[1].Data = graph.Constant, graph.Bytes{1, 2}
		}, "MP0808", []string{"2 bytes", "32"}},
		{"another shape", func(_ *plan.Plan, g *graph.Graph) { g.Tensors[1].Shape = graph.Shape{4} }, "MP0810", []string{`"a"`, "[8]", "[4]"}},
		{"a step that the model does not have", func(p *plan.Plan, _ *graph.Graph) {
			p.Graphs[0].Steps[0].Outputs = []string{"x"}
			p.Graphs[0].Steps[0].Inputs = nil
		}, "MP0810", []string{"relu"}},
		{"a step on an unplaced tensor", func(p *plan.Plan, _ *graph.Graph) { p.Graphs[0].Steps[0].Inputs = []string{"nothing"} }, "MP0810", []string{"nothing"}},
		{"a place beyond the peak", func(p *plan.Plan, _ *graph.Graph) { p.Pools[0].Peak = 100 }, "MP0810", []string{`"c"`, "100"}},
		{"a pool of another device", func(p *plan.Plan, _ *graph.Graph) {
			p.Pools[0].Device = "gpu"
			p.Graphs[0].Tensors[0].Pool = "weights"
		}, "MP0813", []string{`"x"`, `"weights"`}},
		{"a pool that no machine has", func(p *plan.Plan, _ *graph.Graph) { p.Pools[0].Peak = 1 << 60 }, "MP0811", []string{`"memory"`, "1152921504606846976"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := chain(8)
			p := sequentialPlan(t, g)
			c.change(p, g)
			diags := prepare(t, p, "net", g)
			require.NotEmpty(t, diags)
			requireOne(t, diags[:1], c.id, c.words...)
		})
	}
}

func TestAGraphThatIsNotPlannedIsNamedWithThoseThatAre(t *testing.T) {
	g := chain(8)
	requireOne(t, prepare(t, sequentialPlan(t, g), "nett", g), "MP0809", `"nett"`, `"net"`, "Did you mean")
}

func TestAllOperatorsWithoutAKernelAreReported(t *testing.T) {
	g := chain(8)
	g.Ops[0].Op, g.Ops[2].Op = "Foo", "Bar"
	require.Len(t, prepare(t, sequentialPlan(t, g), "net", g), 2)
}

func TestAnOperatorWithoutAKernelIsReportedOnce(t *testing.T) {
	g := chain(8)
	for i := range g.Ops {
		g.Ops[i].Op = "Foo"
	}
	requireOne(t, prepare(t, sequentialPlan(t, g), "net", g), "MP0801", `"relu"`, "2 steps more have this operator.")
}

func TestDataThatAnOperatorCannotTakeIsReportedWithItsStep(t *testing.T) {
	b := newBuilder()
	x := b.constant("x", graph.Shape{2}, 1, 2)
	i := b.tensor("index", graph.Input, graph.Int64, 1)
	y := b.tensor("y", graph.Output, graph.Float32, 1)
	b.op("Gather", "pick", ids(y), ids(x, i), graph.Attrs{"axis": int64(0)})
	r := start(t, sequentialPlan(t, b.g), b.g, exec.Options{})
	index := &array.Array{DType: graph.Int64, Shape: graph.Shape{1}, Data: []byte{7, 0, 0, 0, 0, 0, 0, 0}}
	_, diags, err := r.Run(background, map[string]*array.Array{"index": index})
	require.NoError(t, err)
	requireOne(t, diags, "MP0812", `"pick"`, "Gather", "7")
}

func TestTypesThatAnOperatorDoesNotTakeAreReportedBeforeTheRun(t *testing.T) {
	for _, op := range []string{"Neg", "Relu", "Abs", "Sign", "BitwiseNot"} {
		t.Run(op, func(t *testing.T) {
			b := newBuilder()
			x := b.tensor("x", graph.Input, graph.Bool, 4)
			y := b.tensor("y", graph.Output, graph.Bool, 4)
			b.op(op, "of bools", ids(y), ids(x), nil)
			p := sequentialPlan(t, b.g)
			dev, err := hostDevice()
			require.NoError(t, err)
			defer func() { require.NoError(t, dev.Close()) }()
			_, diags, err := exec.New(background, p, p.Graphs[0].Name, b.g, dev, exec.Options{})
			require.NoError(t, err)
			requireOne(t, diags, "MP0802", op, "bool")
		})
	}
}

func TestAnyTensorCanBeReadByName(t *testing.T) {
	g := chain(2)
	r := start(t, sequentialPlan(t, g), g, exec.Options{})
	run(t, r, map[string]*array.Array{"x": floatArray(graph.Shape{2}, 1, 2)})
	a, err := r.Read("c")
	require.NoError(t, err)
	require.Equal(t, []float32{-1, -2}, floatsOf(a))
	a, err = r.Read("nothing")
	require.NoError(t, err)
	require.Nil(t, a)
	require.Equal(t, "x", r.Inputs()[0].Name)
	require.Equal(t, "y", r.OutputTensors()[0].Name)
}
