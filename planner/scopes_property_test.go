package planner_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// drawing is a graph of ops of which some have kernels for images; every tensor has the same shape.
type drawing struct {
	t   *rapid.T
	ops []drawnOp
}

type drawnOp struct {
	name, inputs, output string
}

// draw draws the ops; [drawing.ordered] makes a graph of them.
func draw(t *rapid.T) *drawing {
	d := &drawing{t: t}
	names := []string{"x0", "x1"}
	for i := range rapid.IntRange(1, 9).Draw(t, "ops") {
		kind := rapid.SampledFrom([]string{"Conv", "Relu", "Add", "Flat"}).Draw(t, "kind")
		pick := rapid.SampledFrom(names)
		op := drawnOp{name: fmt.Sprintf("%s.%d", kind, i), inputs: pick.Draw(t, "input"), output: fmt.Sprintf("t%d", i)}
		switch kind {
		case "Conv":
			op.inputs += " w"
		case "Add":
			op.inputs += " " + pick.Draw(t, "other")
		}
		d.ops, names = append(d.ops, op), append(names, op.output)
	}
	return d
}

// ordered is the graph with its ops as they were drawn, or shuffled into another order that respects what they read.
func (d *drawing) ordered(shuffle bool) string {
	s := new(sketch).tensor("x0", graph.Input, 1, 8, 8, 8).tensor("x1", graph.Input, 1, 8, 8, 8).tensor("w", graph.Constant, 8, 8, 1, 1)
	s.Tensors[2].Layout = "OIHW"
	known := map[string]bool{"x0": true, "x1": true, "w": true}
	for i := range d.ops {
		role := graph.Activation
		if i == len(d.ops)-1 {
			role = graph.Output
		}
		s.tensor(d.ops[i].output, role, 1, 8, 8, 8)
	}
	rest := slices.Clone(d.ops)
	for len(rest) > 0 {
		var ready []int
		for i := range rest {
			if !slices.ContainsFunc(strings.Fields(rest[i].inputs), func(name string) bool { return !known[name] }) {
				ready = append(ready, i)
			}
		}
		i := ready[0]
		if shuffle {
			i = rapid.SampledFrom(ready).Draw(d.t, "next")
		}
		s.op(rest[i].name, rest[i].inputs, rest[i].output)
		known[rest[i].output] = true
		rest = slices.Delete(rest, i, i+1)
	}
	return s.text(d.t)
}

// ruleBlocks are rules that may match; those of silentBlocks never do.
var ruleBlocks = []string{
	"scope_rule \"conv\" {\n match {\n op = [\"Conv\"]\n operand = [\"output\"]\n role = [\"activation\"]\n }\n scope = \"global.texture\"\n}\n",
	"scope_rule \"weights\" {\n match {\n operand = [\"weight\"]\n }\n scope = \"global.texture-weight\"\n}\n",
	"scope_rule \"wish\" {\n match {\n op = [\"Relu\"]\n operand = [\"output\"]\n }\n scope = \"global.texture-nhwc\"\n penalty = 1024\n}\n",
	"scope_rule \"odd\" {\n match {\n tensor = [\"t1\", \"t3\", \"t5\"]\n }\n condition = tensor.consumers > 1\n scope = \"global.texture\"\n penalty = 3000\n}\n",
}

var silentBlocks = []string{
	"scope_rule \"silent1\" {\n match {\n tensor = [\"nobody/**\"]\n }\n scope = \"global.texture\"\n}\n",
	"scope_rule \"silent2\" {\n match {\n dtype = [\"complex128\"]\n }\n scope = \"global\"\n}\n",
	"scope_rule \"silent3\" {\n condition = tensor.bytes < 0\n scope = \"global.texture-weight\"\n}\n",
}

const imageDevice = "device \"gpu\" {\n driver = \"none\"\n image2d {\n max_width = 4096\n max_height = 4096\n }\n}\n"

var otherBlocks = []string{
	imageDevice,
	"pool \"arena\" { device = device.gpu }\n",
	"graph \"g\" {\n source = \"net.json\"\n device = device.gpu\n}\n",
	"planner { scope_policy = \"POLICY\" }\n",
}

const imagePool = "pool \"images\" {\n device = device.gpu\n type = \"texture\"\n holds = [\"input\", \"output\", \"activation\", \"constant\"]\n}\n"

// scopesOf plans a graph and lists the scope of each tensor by name, copies among them.
func scopesOf(t *rapid.T, net string, blocks []string) map[string]string {
	text := strings.Join(blocks, "")
	cfg, diags := config.Load(syntax.Memory{"main.hcl": text}, "main.hcl", eval.VariableSources{})
	require.Empty(t, diags, "%s", text)
	result, diags, err := planner.Plan(context.Background(), cfg, planner.Options{Version: "test", Open: world{"net.json": net}.open})
	require.NoError(t, err)
	require.False(t, diags.HasErrors(), "%v", diags)
	defer func() { require.NoError(t, result.Close()) }()
	requireSeparateImages(t, result.Plan)
	out := map[string]string{}
	for i := range result.Plan.Graphs[0].Tensors {
		out[result.Plan.Graphs[0].Tensors[i].Name] = result.Plan.Graphs[0].Tensors[i].Scope
	}
	return out
}

// requireSeparateImages holds image storages against their definition, by nothing but the plan: large enough for all their
// tensors, within the device's sides, and with one tensor at a time.
func requireSeparateImages(t require.TestingT, p *plan.Plan) {
	g, limits := &p.Graphs[0], p.Devices[0].Image2D
	for _, s := range images(p) {
		require.LessOrEqual(t, s.Width, limits.MaxWidth)
		require.LessOrEqual(t, s.Height, limits.MaxHeight)
		require.GreaterOrEqual(t, s.Size, s.RowPitch*s.Height)
		var held []*plan.Tensor
		for i := range g.Tensors {
			o := &g.Tensors[i]
			if o.Storage != s.ID || o.ViewOf != nil {
				continue
			}
			require.LessOrEqual(t, o.LogicalSize, s.Size)
			for _, earlier := range held {
				require.True(t, earlier.Last <= o.First || o.Last <= earlier.First, "%s and %s live in image %d at once", earlier.Name, o.Name, s.ID)
			}
			held = append(held, o)
		}
		require.NotEmpty(t, held)
	}
}

func TestScopesDependOnNothingButTheGraphAndTheRulesThatMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		policy := rapid.SampledFrom([]string{"mincopy", "tvm-relay", "tvm-relax", "flat"}).Draw(t, "policy")
		var others, rules []string
		for _, block := range otherBlocks {
			others = append(others, strings.ReplaceAll(block, "POLICY", policy))
		}
		for _, rule := range ruleBlocks {
			if rapid.Bool().Draw(t, "rule") {
				rules = append(rules, rule)
			}
		}
		pools := []string{imagePool}
		want := scopesOf(t, d.ordered(false), slices.Concat(others, pools, rules))

		require.Equal(t, want, scopesOf(t, d.ordered(true), slices.Concat(others, pools, rules)), "another order of the ops")

		noisy := slices.Clone(rules)
		for _, block := range silentBlocks {
			noisy = slices.Insert(noisy, rapid.IntRange(0, len(noisy)).Draw(t, "place"), block)
		}
		require.Equal(t, want, scopesOf(t, d.ordered(false), slices.Concat(others, pools, noisy)), "rules that do not match")

		// Rules keep their order among themselves; all other blocks stand anywhere.
		mixed := slices.Clone(rules)
		for _, block := range slices.Concat(others, pools) {
			mixed = slices.Insert(mixed, rapid.IntRange(0, len(mixed)).Draw(t, "place"), block)
		}
		require.Equal(t, want, scopesOf(t, d.ordered(false), mixed), "another order of the blocks")
	})
}
