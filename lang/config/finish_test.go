package config_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

var planned = config.Planned{
	Pools: map[string]config.PoolFacts{
		"arena": {Peak: 3 << 20, Bound: 2 << 20, Capacity: 4 << 20, Used: 5 << 20, Optimality: "best_found"},
		"rest":  {Peak: 1, Capacity: config.Unlimited, Optimality: "optimal"},
	},
	Graphs: map[string]config.GraphFacts{"g": {Tensors: map[string]config.TensorFacts{
		"stage3/add": {Scope: "global", Pool: "arena", Offset: 128, Size: 64, First: 2, Last: 5, Producer: "add"},
		"image":      {Scope: "global.texture", Pool: "rest", Offset: config.NoOffset},
	}}},
}

const finishable = `
variable "secret" {
  default   = "s"
  sensitive = true
}
locals { spare = pool.arena.capacity - pool.arena.peak }
device "d" {}
pool "arena" {
  device = device.d
  size   = "4MiB"
}
pool "rest" { device = device.d }
graph "g" {
  source = "g.onnx"
  device = device.d
}
`

func TestOutputs(t *testing.T) {
	tests := []struct {
		name, text string
		want       cty.Value
	}{
		{"a planned value", "pool.arena.peak", cty.NumberIntVal(3 << 20)},
		{"through a local value", "local.spare", cty.NumberIntVal(1 << 20)},
		{"an unlimited capacity is null", "pool.rest.capacity", cty.NullVal(cty.Number)},
		{"optimality", `"${pool.arena.optimality}/${pool.rest.optimality}"`, cty.StringVal("best_found/optimal")},
		{"a tensor's offset", `graph.g.tensor["stage3/add"].offset + graph.g.tensor["stage3/add"].size`, cty.NumberIntVal(192)},
		{"an image has no offset", `graph.g.tensor["image"].offset`, cty.NullVal(cty.Number)},
		{"a lifetime", `graph.g.tensor["stage3/add"].last - graph.g.tensor["stage3/add"].first`, cty.NumberIntVal(3)},
		{"all tensors of a pool", `[for name, t in graph.g.tensor : name if t.pool == "arena"]`, cty.TupleVal([]cty.Value{cty.StringVal("stage3/add")})},
		{"what is known before", "pool.arena.size + device.d.base_alignment", cty.NumberIntVal(4<<20 + 64)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cfg := mustLoad(t, finishable+"output \"o\" {\n  value = "+test.text+"\n  description = \"d\"\n}\n")
			done, ds := cfg.Finish(planned)
			require.Empty(t, ds)
			require.Len(t, done.Outputs, 1)
			assert.True(t, test.want.RawEquals(done.Outputs[0].Value), "%#v", done.Outputs[0].Value)
			assert.Equal(t, "d", done.Outputs[0].Description)
			assert.False(t, done.Outputs[0].Sensitive)
		})
	}
}

func TestSensitiveOutputs(t *testing.T) {
	cfg := mustLoad(t, finishable+`output "o" { value = "${var.secret}-${pool.rest.peak}" }`)
	done, ds := cfg.Finish(planned)
	require.Empty(t, ds)
	assert.True(t, done.Outputs[0].Sensitive)
	assert.Equal(t, cty.StringVal("s-1"), done.Outputs[0].Value)
}

func TestChecks(t *testing.T) {
	tests := []struct {
		name, condition, message string
		passed                   bool
		says                     string
		id                       diag.ID
	}{
		{"a budget that is met", "pool.arena.peak <= mib(3)", `"no"`, true, "", ""},
		{"a budget that is exceeded is an error", "pool.arena.peak <= mib(2)", `"arena peak is ${format_bytes(pool.arena.peak)}"`, false, "arena peak is 3 MiB", "MP0218"},
		{"a secret is not told", "pool.arena.peak == 0", `"it is ${var.secret}"`, false, "its condition is false.", "MP0218"},
		{"a message that cannot be had hides nothing", "pool.arena.peak == 0", `"at ${graph.g.tensor["nope"].offset}"`, false, "its condition is false.", "MP0218"},
		{"a condition that is null", "pool.arena.peak > 0 ? null : true", `"no"`, false, "", "MP0219"},
		{"a tensor that is not there", `graph.g.tensor["stage3/ad"].offset == 0`, `"no"`, false, "", "MP0132"},
		{"an operation that fails", "pool.rest.capacity > 1", `"no"`, false, "", "MP0123"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cfg := mustLoad(t, finishable+"check \"c\" {\n  assert {\n    condition = "+test.condition+"\n    error_message = "+test.message+"\n  }\n}\n")
			done, ds := cfg.Finish(planned)
			require.Len(t, done.Checks, 1)
			outcome := done.Checks[0].Asserts[0]
			assert.Equal(t, test.passed, outcome.Passed)
			if test.id == "" {
				require.Empty(t, ds)
				return
			}
			require.Len(t, ds, 1, "%v", ds)
			checkForm(t, diag.Diagnostic{Summary: ds[0].Summary, Detail: strings.TrimRight(ds[0].Detail, ".?") + ".", ID: ds[0].ID}) // a message of the configuration ends as it likes
			assert.Equal(t, test.id, ds[0].ID)
			assert.Equal(t, diag.Error, ds[0].Severity)
			assert.NotNil(t, ds[0].Subject)
			if test.says != "" {
				assert.Equal(t, test.says, outcome.Message)
				assert.Contains(t, ds[0].Detail, test.says)
			}
		})
	}
}

func TestATensorThatIsNotThereIsSuggested(t *testing.T) {
	cfg := mustLoad(t, finishable+`output "o" { value = graph.g.tensor["stage3/ad"].offset }`)
	done, ds := cfg.Finish(planned)
	require.Len(t, ds, 1)
	assert.Contains(t, ds[0].Detail, `Did you mean "stage3/add"?`)
	assert.False(t, done.Outputs[0].Value.IsKnown())
}

func TestATensorWhoseNameIsAValueIsSuggestedAsWell(t *testing.T) {
	for _, text := range []string{`graph.g.tensor[local.wanted].size`, `graph.g.tensor["${local.wanted}"].size`, `max(1, graph.g.tensor[local.wanted].size)`} {
		cfg := mustLoad(t, finishable+"locals { wanted = \"stage2/add\" }\noutput \"o\" {\n  value = "+text+"\n}\n")
		_, ds := cfg.Finish(planned)
		require.Len(t, ds, 1, text)
		assert.Equal(t, diag.UnknownPlannedTensor, ds[0].ID)
		assert.Contains(t, ds[0].Detail, `Did you mean "stage3/add"?`)
	}
}

func TestTryTakesAnotherValueForATensorThatIsNotThere(t *testing.T) {
	cfg := mustLoad(t, finishable+`output "o" { value = try(graph.g.tensor["gone"].size, 7) }`)
	done, ds := cfg.Finish(planned)
	require.Empty(t, ds)
	assert.True(t, cty.NumberIntVal(7).RawEquals(done.Outputs[0].Value))
}

func TestWithoutFactsAnOutputIsUnknownAndACheckUndecided(t *testing.T) {
	cfg := mustLoad(t, finishable+"output \"o\" { value = pool.arena.peak }\ncheck \"c\" {\n  assert {\n    condition = pool.arena.peak > 1\n    error_message = \"m\"\n  }\n}\n")
	done, ds := cfg.Finish(config.Planned{})
	require.Len(t, ds, 1)
	assert.Equal(t, diag.CheckUndecided, ds[0].ID)
	assert.False(t, done.Outputs[0].Value.IsKnown())
}

func TestEvalContextServesAConsole(t *testing.T) {
	cfg := mustLoad(t, finishable)
	evaluate := func(text string, p *config.Planned) cty.Value {
		expr, diags := hclsyntax.ParseExpression([]byte(text), "console", hcl.InitialPos)
		require.False(t, diags.HasErrors())
		v, diags := expr.Value(cfg.EvalContext(p))
		require.False(t, diags.HasErrors(), diags.Error())
		return v
	}
	assert.False(t, evaluate("pool.arena.peak", nil).IsKnown())
	assert.False(t, evaluate("pool.arena.peak", nil).IsMarked())
	assert.Equal(t, cty.StringVal("3 MiB"), evaluate("format_bytes(pool.arena.peak)", &planned))
	assert.True(t, cty.NumberIntVal(1<<20).RawEquals(evaluate("local.spare", &planned)))
	assert.Equal(t, cty.StringVal("device.d"), evaluate("device.d.address", nil))
}

func TestPostconditions(t *testing.T) {
	cfg, ds := config.Load(syntax.Disk{}, "testdata/valid/conditions.hcl", eval.VariableSources{})
	require.Empty(t, ds)
	facts := func(arena, a, b, offset int64) config.Planned {
		return config.Planned{
			Pools:  map[string]config.PoolFacts{"arena": {Peak: arena}, `bank["a"]`: {Peak: a}, `bank["b"]`: {Peak: b}},
			Graphs: map[string]config.GraphFacts{"net": {Tensors: map[string]config.TensorFacts{"x": {Offset: offset}}}},
		}
	}
	done, ds := cfg.Finish(facts(4096, 99, 199, 0))
	assert.Empty(t, ds)
	assert.True(t, done.Outputs[0].Sensitive)
	_, ds = cfg.Finish(facts(4097, 100, 150, 64))
	var details []string
	for _, d := range ds {
		assert.Equal(t, diag.ID("MP0241"), d.ID)
		details = append(details, d.Detail)
	}
	assert.Equal(t, []string{"pool.arena: The arena needs 4097.", `pool.bank["a"]: bank["a"] needs 100.`, "graph.net: x is at 64."}, details)
}

func TestMovedAddresses(t *testing.T) {
	cfg, ds := config.Load(syntax.Disk{}, "testdata/valid/moved.hcl", eval.VariableSources{})
	require.Empty(t, ds)
	for from, to := range map[string]string{
		"pool.oldest": "pool.arena", "pool.slow": `pool.bank["fast"]`, "pool.section[1]": "pool.part[1]", "module.handset.pool.images": `module.phone["a"].pool.images`,
		`pool.bank["quick"]`: `module.phone["a"].pool.arena`, "graph.detector": "graph.net", "device.cpu": "device.chip", "pool.arena": "", "module.handsets.pool.x": "",
	} {
		a, ok := addr.ParseString(from)
		require.True(t, ok, from)
		got, moved := cfg.Moved(a)
		if to == "" {
			assert.False(t, moved, from)
			continue
		}
		assert.True(t, moved, from)
		assert.Equal(t, to, got.String())
	}
}
