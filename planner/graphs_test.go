package planner_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/check"
	"github.com/memplan/memplan/planner/plan"
)

// graphs declares graphs on device d, each of the file of its name, with what stands in the blocks.
func graphs(blocks ...string) string {
	var b strings.Builder
	for _, block := range blocks {
		name, inside, _ := strings.Cut(block, " ")
		fmt.Fprintf(&b, "graph %q {\nsource = \"%s.json\"\ndevice = device.d\n%s\n}\n", name, name, inside)
	}
	return b.String()
}

// tensorOf is the row of a tensor of a graph.
func tensorOf(t *testing.T, p *plan.Plan, graph, name string) *plan.Tensor {
	t.Helper()
	for i := range p.Graphs {
		for j := range p.Graphs[i].Tensors {
			if p.Graphs[i].Name == graph && p.Graphs[i].Tensors[j].Name == name {
				return &p.Graphs[i].Tensors[j]
			}
		}
	}
	require.Failf(t, "no such tensor", "%s of %s", name, graph)
	return nil
}

const onePool = "pool \"p\" {\ndevice = device.d\n}\n"

func TestGraphsThatRunAtTheSameTimeShareNothing(t *testing.T) {
	// The chain a has 100+50, then 50+80 bytes live; the chain b 40+40.
	a := []string{"x input 100", "h activation 50", "y output 80", "1: x -> h", "2: h -> y"}
	b := []string{"x input 40", "h activation 40", "y output 20", "1: x -> h", "2: h -> y"}
	files := func(planner string) world {
		return world{"main.hcl": device + onePool + graphs("a", "b", "c") + planner, "a.json": net(t, a...), "b.json": net(t, b...), "c.json": net(t, a...)}
	}
	p := files("").must(t)
	require.EqualValues(t, 150, pool(t, p, "p").Peak, "one after the other: the largest")
	require.Empty(t, p.Concurrent)

	p = files("planner { concurrent = [graph.b, graph.a] }").must(t)
	require.EqualValues(t, 150+80, pool(t, p, "p").Peak, "at the same time: the sum")
	require.EqualValues(t, 150+80, pool(t, p, "p").Bound)
	require.Equal(t, []string{"a", "b"}, p.Concurrent)
	require.Equal(t, []string{"a", "b"}, p.Settings["planner.concurrent"].Value)
	require.Empty(t, pool(t, p, "p").PeakGraph, "the moment is none of one graph")

	p = files("planner { concurrent = [graph.b, graph.a, graph.c] }").must(t)
	require.EqualValues(t, 150+80+150, pool(t, p, "p").Peak)
}

func TestAPoolThatIsTooSmallForGraphsAtTheSameTime(t *testing.T) {
	w := world{
		"main.hcl": device + "pool \"p\" {\ndevice = device.d\nsize = 25\n}\n" + graphs("a", "b") + "planner { concurrent = [graph.a, graph.b] }",
		"a.json":   net(t, "x input 10", "y output 10", "1: x -> y"), "b.json": net(t, "x input 10", "y output 10", "1: x -> y"),
	}
	_, diags := w.plan(t)
	require.Len(t, diags, 1)
	require.Equal(t, diag.PoolTooSmall, diags[0].ID)
	require.Contains(t, diags[0].Detail, "while the graphs \"a\" and \"b\" may run at the same time")
}

func TestAnOutputIsAnotherGraphsInput(t *testing.T) {
	w := world{
		"main.hcl": device + onePool + graphs("z", "between", `a input "features" {
			graph  = graph.z
			output = "y"
		}`),
		"z.json":       net(t, "x input 10", "y output 20", "1: x -> y"),
		"between.json": net(t, "x input 5", "y output 5", "1: x -> y"),
		"a.json":       net(t, "features input 20", "h activation 30", "y output 8", "1: features -> h", "2: h -> y"),
	}
	p := w.must(t)
	require.Equal(t, []string{"between", "z", "a"}, []string{p.Graphs[0].Name, p.Graphs[1].Name, p.Graphs[2].Name})
	out, in := tensorOf(t, p, "z", "y"), tensorOf(t, p, "a", "features")
	require.Equal(t, &plan.Share{Graph: "z", Tensor: "y", Because: "input"}, in.Shares)
	require.Nil(t, out.Shares)
	require.Equal(t, []any{out.Pool, out.Storage, *out.Offset}, []any{in.Pool, in.Storage, *in.Offset})
	// At the step of "1" in a, features and h are live: nothing is copied.
	require.EqualValues(t, 50, pool(t, p, "p").Peak)
	require.Equal(t, "a", pool(t, p, "p").PeakGraph)
}

func TestAnOutputWaitsForTheGraphsThatReadIt(t *testing.T) {
	read := func(from, output string) string {
		return fmt.Sprintf(" input \"x\" {\ngraph = graph.%s\noutput = %q\n}", from, output)
	}
	w := world{
		// c reads b's input unchanged through b's own output; d runs between and e reads a's output again.
		"main.hcl": device + onePool + graphs("a", "b"+read("a", "y"), "c"+read("b", "y"), "d", "e"+read("a", "y")),
		"a.json":   net(t, "x input 8", "y output 20", "1: x -> y"),
		"b.json":   net(t, "x input 20", "y output 20", "Identity.1: x -> y"),
		"c.json":   net(t, "x input 20", "y output 4", "1: x -> y"),
		"d.json":   net(t, "x input 30", "y output 30", "1: x -> y"),
		"e.json":   net(t, "x input 20", "y output 4", "1: x -> y"),
	}
	p := w.must(t)
	require.Equal(t, &plan.Share{Graph: "b", Tensor: "y", Because: "input"}, tensorOf(t, p, "c", "x").Shares)
	require.Equal(t, "x", *tensorOf(t, p, "b", "y").ViewOf)
	require.EqualValues(t, 20+60, pool(t, p, "p").Peak, "a's output lives while d runs")
}

func TestConnectionsThatCannotBe(t *testing.T) {
	for name, c := range map[string]struct {
		block, pools string
		id           diag.ID
		says         string
	}{
		"no such input":    {"input \"y\" {\ngraph = graph.z\noutput = \"y\"\n}", onePool, diag.UnknownTensor, `The graph "a" has no input "y". It has "x".`},
		"no such output":   {"input \"x\" {\ngraph = graph.z\noutput = \"xx\"\n}", onePool, diag.UnknownTensor, `The graph "z" has no output "xx"`},
		"another size":     {"input \"x\" {\ngraph = graph.z\noutput = \"small\"\n}", onePool, diag.ID("MP0583"), `Input "x" of graph "a" is uint8 [20], and output "small" of graph "z" is uint8 [4].`},
		"a pinned input":   {"input \"x\" {\ngraph = graph.z\noutput = \"y\"\n}\nplace \"x\" { pool = pool.p }", onePool, diag.ConflictingPins, "Pin the output instead."},
		"no pool for both": {"input \"x\" {\ngraph = graph.z\noutput = \"y\"\n}", "pool \"p\" {\ndevice = device.d\nholds = [\"output\", \"activation\"]\n}\npool \"q\" {\ndevice = device.d\nholds = [\"input\"]\n}\n", diag.ID("MP0584"), `the output may be in "p", the input in "q"`},
	} {
		t.Run(name, func(t *testing.T) {
			w := world{
				"main.hcl": device + c.pools + graphs("z", "a "+c.block),
				"z.json":   net(t, "x input 10", "y output 20", "small output 4", "1: x -> y small"), "a.json": net(t, "x input 20", "y output 8", "1: x -> y"),
			}
			_, diags := w.plan(t)
			require.Len(t, diags, 1)
			require.Equal(t, c.id, diags[0].ID)
			require.Contains(t, diags[0].Detail, c.says)
		})
	}
}

func TestTheCallerOwnsInputsAndOutputs(t *testing.T) {
	w := world{
		"main.hcl": device + onePool + graphs("z", "a input \"x\" {\ngraph = graph.z\noutput = \"y\"\n}") + "planner { io = \"external\" }",
		"z.json":   net(t, "x input 1000", "h activation 10", "y output 20", "z output 500", "1: x -> h", "2: h -> y", "3: h -> z"),
		"a.json":   net(t, "x input 20", "h activation 30", "v activation 30", "y output 30", "1: x -> h", "2: h -> v", "Identity.3: v -> y"),
	}
	p := w.must(t)
	require.EqualValues(t, 50, pool(t, p, "p").Peak, "x and h of a; what passes between the graphs is planned")
	for _, name := range []string{"x", "z"} {
		row := tensorOf(t, p, "z", name)
		require.Equal(t, []any{"", int64(-1), (*int64)(nil)}, []any{row.Pool, row.Storage, row.Offset}, name)
	}
	require.Equal(t, "p", tensorOf(t, p, "z", "y").Pool)
	require.Empty(t, tensorOf(t, p, "a", "v").Pool, "its view is the caller's output")
}

// weights makes a native graph of one op with constants of the given contents.
func weights(t *testing.T, contents ...string) string {
	t.Helper()
	tensors := []map[string]any{{"name": "x", "role": "input", "dtype": "uint8", "shape": []int64{4}}, {"name": "y", "role": "output", "dtype": "uint8", "shape": []int64{4}}}
	inputs := []string{"x"}
	for i, content := range contents {
		name := fmt.Sprintf("w%d", i)
		tensors = append(tensors, map[string]any{"name": name, "role": "constant", "dtype": "uint8", "shape": []int{len(content)}, "data": base64.StdEncoding.EncodeToString([]byte(content))})
		inputs = append(inputs, name)
	}
	ops := []map[string]any{{"name": "1", "op": "Custom", "inputs": inputs, "outputs": []string{"y"}}}
	text, err := json.Marshal(map[string]any{"format_version": "1.0", "name": "net", "tensors": tensors, "ops": ops})
	require.NoError(t, err)
	return string(text)
}

func TestEqualConstantsAreStoredOnce(t *testing.T) {
	w := world{
		"main.hcl": device + onePool + graphs("a", "b"),
		"a.json":   weights(t, "same weights", "other weight", "same weights"), "b.json": weights(t, "same weights", "longer weights"),
	}
	p := w.must(t)
	require.EqualValues(t, 12+12+14, pool(t, p, "d.constants").Used)
	require.EqualValues(t, 12+12+14, pool(t, p, "d.constants").Peak)
	first := tensorOf(t, p, "a", "w0")
	require.Nil(t, first.Shares)
	for _, of := range []string{"a w2", "b w0"} {
		graph, name, _ := strings.Cut(of, " ")
		row := tensorOf(t, p, graph, name)
		require.Equal(t, &plan.Share{Graph: "a", Tensor: "w0", Because: "content"}, row.Shares, of)
		require.Equal(t, []any{first.Storage, *first.Offset}, []any{row.Storage, *row.Offset}, of)
	}
	require.Nil(t, tensorOf(t, p, "a", "w1").Shares)

	w["main.hcl"] = device + "pool \"p\" {\ndevice = device.d\n}\n" + graphs("a", `b place "w0" { pool = pool.p }`)
	p = w.must(t)
	require.Nil(t, tensorOf(t, p, "b", "w0").Shares, "a pinned constant has bytes of its own")
}

func TestTheCheckerFindsWrongShares(t *testing.T) {
	w := world{
		"main.hcl": device + onePool + graphs("m", "y", "z", "a input \"x\" {\ngraph = graph.z\noutput = \"y\"\n}") + "planner { concurrent = [graph.m, graph.y] }",
		"z.json":   weights(t, "abcd", "abcd", "efgh"), "a.json": weights(t, "abcd"), "m.json": weights(t, "efgh"), "y.json": weights(t, "ijkl"),
	}
	result, diags := w.plan(t)
	require.Empty(t, diags)
	require.Empty(t, check.Verify(result.Plan, result.Graphs))
	for name, c := range map[string]struct {
		spoil func(p *plan.Plan)
		id    diag.ID
	}{
		"another constant": {func(p *plan.Plan) {
			row, to := tensorOf(t, p, "z", "w1"), tensorOf(t, p, "z", "w2")
			row.Storage, row.Offset, row.Shares = to.Storage, to.Offset, &plan.Share{Graph: "m", Tensor: "w0", Because: "content"}
		}, "MP0642"},
		"a place of its own": {func(p *plan.Plan) { *tensorOf(t, p, "a", "x").Offset += 4 }, "MP0642"},
		"nothing":            {func(p *plan.Plan) { tensorOf(t, p, "a", "x").Shares.Tensor = "nothing" }, "MP0642"},
		"no reason":          {func(p *plan.Plan) { tensorOf(t, p, "a", "x").Shares.Because = "luck" }, "MP0642"},
		"a later graph": {func(p *plan.Plan) {
			tensorOf(t, p, "z", "x").Shares = &plan.Share{Graph: "a", Tensor: "y", Because: "input"}
		}, "MP0642"},
		"itself": {func(p *plan.Plan) {
			tensorOf(t, p, "a", "x").Shares = &plan.Share{Graph: "a", Tensor: "x", Because: "input"}
		}, "MP0642"},
		"an output that is overwritten": {func(p *plan.Plan) { *tensorOf(t, p, "a", "y").Offset = *tensorOf(t, p, "z", "y").Offset }, diag.PlanOverlap},
		"bytes of a concurrent graph": {func(p *plan.Plan) {
			*tensorOf(t, p, "m", "y").Offset = *tensorOf(t, p, "y", "x").Offset
			tensorOf(t, p, "m", "x").First, tensorOf(t, p, "m", "x").Last = 0, 1
		}, diag.PlanOverlap},
		"the caller's memory": {func(p *plan.Plan) { row := tensorOf(t, p, "m", "x"); row.Pool, row.Storage, row.Offset = "", -1, nil }, diag.PlanPoolUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := plan.Encode(result.Plan)
			require.NoError(t, err)
			p, ds := plan.Decode(data)
			require.Empty(t, ds)
			c.spoil(p)
			var ids []diag.ID
			for _, d := range check.Verify(p, result.Graphs) {
				ids = append(ids, d.ID)
			}
			assert.Contains(t, ids, c.id)
		})
	}
}

// Random chains that run at the same time never share bytes, and need no more than the sum of what each needs alone.
func TestConcurrentChains(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := world{}
		names := []string{"a", "b", "c"}[:rapid.IntRange(2, 3).Draw(rt, "graphs")]
		alone := int64(0)
		for _, name := range names {
			lines := []string{"t0 input 8"}
			n := rapid.IntRange(1, 5).Draw(rt, "ops")
			for i := 1; i <= n; i++ {
				role := "activation"
				if i == n {
					role = "output"
				}
				reads := fmt.Sprintf("t%d", rapid.IntRange(max(0, i-2), i-1).Draw(rt, "reads"))
				lines = append(lines, fmt.Sprintf("t%d %s %d", i, role, rapid.IntRange(1, 9).Draw(rt, "bytes")), fmt.Sprintf("o%d: %s -> t%d", i, reads, i))
			}
			w[name+".json"] = net(t, lines...)
			one := world{"main.hcl": device + onePool + graphs(name), name + ".json": w[name+".json"]}
			alone += pool(t, planOf(rt, one), "p").Peak
		}
		refs := "graph." + strings.Join(names, ", graph.")
		w["main.hcl"] = device + onePool + graphs(names...) + "planner { concurrent = [" + refs + "] }"
		p := pool(t, planOf(rt, w), "p")
		if p.Peak > alone {
			rt.Fatalf("%d bytes together, %d alone", p.Peak, alone)
		}
	})
}

// planOf plans a world, whose plan the planner has checked.
func planOf(rt *rapid.T, w world) *plan.Plan {
	cfg, diags := config.Load(syntax.Memory(w), "main.hcl", eval.VariableSources{})
	if diags.HasErrors() {
		rt.Fatal(diags[0].Detail)
	}
	result, diags, err := planner.Plan(context.Background(), cfg, planner.Options{Version: "test", Open: w.open})
	if err != nil || diags.HasErrors() {
		rt.Fatal(err, diags)
	}
	if err := result.Close(); err != nil {
		rt.Fatal(err)
	}
	return result.Plan
}
