package config_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

func TestLoadDecodesScopesAndCapabilities(t *testing.T) {
	cfg, ds := config.Load(syntax.Disk{}, "testdata/valid/textures.hcl", eval.VariableSources{})
	require.Empty(t, ds)
	capabilities := cfg.Devices[0].Capabilities
	require.Len(t, capabilities, 2)
	assert.Equal(t, []string{"Conv", "ConvTranspose"}, capabilities[0].Op)
	assert.Equal(t, map[string][]string{
		"data": {"global.texture"}, "weight": {"global", "global.texture-weight"}, "bias": {"global"}, "output": {"global.texture"},
	}, capabilities[0].Scopes)
	assert.Equal(t, []string{"*"}, capabilities[1].Op)

	rule := cfg.Rules[0]
	assert.Equal(t, []int64{4, 5}, rule.Rank)
	assert.Equal(t, []string{"NCHW", "NCHW4c"}, rule.Layout)
	assert.Equal(t, []string{"detector"}, rule.Graph)
	assert.Equal(t, []string{"gpu"}, rule.Device)
	require.NotNil(t, rule.Penalty)
	assert.Equal(t, int64(64<<10), *rule.Penalty)
	globs := cfg.Rules[1]
	assert.Equal(t, []string{"det*", "detector"}, globs.Graph)
	assert.Equal(t, []string{"gpu"}, globs.Device)
	assert.Equal(t, []any{"global", (*int64)(nil)}, []any{globs.Scope, globs.Penalty})
	assert.Equal(t, []string{"tvm-relay", "tvm_texture"}, []string{cfg.Planner.ScopePolicy, cfg.Planner.TextureAlgorithm})
}

func TestConditionsSeeImagesAndAttributes(t *testing.T) {
	cfg, ds := config.Load(syntax.Disk{}, "testdata/valid/textures.hcl", eval.VariableSources{})
	require.Empty(t, ds)
	sides := func(width, height int64) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"width": cty.NumberIntVal(width), "height": cty.NumberIntVal(height)})
	}
	tensor := func(width int64) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{
			"consumers": cty.NumberIntVal(1), "producer": cty.StringVal("conv1"),
			"texture": sides(width, 22), "texture_nhwc": sides(8, 8), "texture_weight": sides(8, 8),
		})
	}
	op := func(attributes map[string]cty.Value) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"attributes": cty.ObjectVal(attributes)})
	}
	strides := cty.ListVal([]cty.Value{cty.NumberIntVal(2)})
	for _, test := range []struct {
		name       string
		width      int64
		attributes map[string]cty.Value
		want       bool
	}{
		{"an attribute that may be left out", 400, map[string]cty.Value{"strides": strides}, true},
		{"an attribute of another value", 400, map[string]cty.Value{"strides": strides, "group": cty.NumberIntVal(2)}, false},
		{"an image beyond the limit", 16385, map[string]cty.Value{"strides": strides}, false},
		{"an attribute that is missing", 400, nil, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			holds, ds := cfg.Rules[0].Eval(tensor(test.width), op(test.attributes))
			require.Empty(t, ds)
			assert.Equal(t, test.want, holds)
		})
	}
}

func TestTheDigestCoversScopesAndCapabilities(t *testing.T) {
	text, err := syntax.Disk{}.ReadFile("testdata/valid/textures.hcl")
	require.NoError(t, err)
	want := mustLoad(t, string(text)).Digest()
	assertDigests(t, string(text), want, []digestCase{
		{"a rank", "rank    = [4, 5]", "rank    = [4]", true},
		{"the order of ranks", "rank    = [4, 5]", "rank    = [5, 4]", false},
		{"a layout", `"NCHW4c"`, `"NHWC4c"`, true},
		{"a graph", `["det*", graph.detector]`, `["det*"]`, true},
		{"a penalty", `"64KiB"`, `"65KiB"`, true},
		{"the spelling of a penalty", `"64KiB"`, `65536`, false},
		{"no penalty", `penalty = "64KiB"`, ``, true},
		{"the scopes of an operand", `["global", "global.texture-weight"]`, `["global"]`, true},
		{"the ops of a capability", `["Conv", "ConvTranspose"]`, `["Conv"]`, true},
		{"the texture algorithm", `"tvm_texture"`, `"none"`, true},
	})
}
