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

func poolNames(pools []*config.Pool) []string {
	return names(pools, func(p *config.Pool) string { return p.Name })
}

func TestInstancesOfBlocks(t *testing.T) {
	cfg, ds := config.Load(syntax.Disk{}, "testdata/valid/repeated.hcl", eval.VariableSources{})
	require.Empty(t, ds)

	assert.Equal(t, []string{`chip["a"]`, `chip["b"]`, "module.pair[0].gpu", "module.pair[1].gpu", `module.phone["large"].gpu`, `module.phone["small"].gpu`},
		names(cfg.Devices, func(d *config.Device) string { return d.Name }))
	assert.Nil(t, cfg.Devices[0].Image2D)
	assert.Equal(t, int64(4096), cfg.Devices[1].Image2D.MaxWidth)

	own := cfg.Pools[:6]
	assert.Equal(t, []string{`bank["fast"]`, `bank["slow"]`, "part[0]", "part[1]", "part[2]", "rest"}, poolNames(own))
	sizes := make([]int64, len(own))
	for i, p := range own {
		sizes[i] = p.Size
	}
	assert.Equal(t, []int64{64 << 10, 1 << 20, 1 << 10, 2 << 10, 3 << 10, 70 << 10}, sizes)

	assert.Equal(t, []string{`graph.net["one"]`, `graph.net["two"]`}, []string{cfg.Graphs[5].Address.String(), cfg.Graphs[6].Address.String()})
	one := cfg.Graphs[5]
	assert.Equal(t, map[string]config.Dim{"N": {Value: 1}}, one.Dims)
	assert.Equal(t, []string{"one/x", "one/y"}, names(one.Places, func(p *config.Place) string { return p.Tensor }))
	assert.Equal(t, int64(128), one.Places[1].Offset)

	assert.Equal(t, []string{`spread["fast"]`, `spread["slow"]`, "counted[0]", "counted[1]"}, names(cfg.Rules[:4], func(r *config.ScopeRule) string { return r.Name }))
	assert.Equal(t, []string{`bank["fast"]`, `bank["slow"]`}, poolNames(cfg.Rules[0].Pools))
	assert.Equal(t, []string{"part[2]", "part[1]", "part[0]"}, poolNames(cfg.Rules[3].Pools))
	assert.Equal(t, []string{`net\["one"\]`, `net[[]"two"]`}, cfg.Rules[0].Graph, "names are patterns that match them alone")

	assert.Equal(t, []string{`all["one"]`, `all["two"]`}, names(cfg.Exports, func(e *config.Export) string { return e.Name }))
	assert.Same(t, one, cfg.Exports[0].Graph)
	assert.Len(t, cfg.Checks[0].Asserts, 2)
}

func TestPlannedValuesOfInstances(t *testing.T) {
	cfg, ds := config.Load(syntax.Disk{}, "testdata/valid/repeated.hcl", eval.VariableSources{})
	require.Empty(t, ds)
	facts := config.Planned{Pools: map[string]config.PoolFacts{}, Graphs: map[string]config.GraphFacts{}}
	for i, p := range cfg.Pools {
		facts.Pools[p.Name] = config.PoolFacts{Peak: int64(i)*10 + 200, Optimality: "optimal"}
	}
	for i, g := range cfg.Graphs {
		facts.Graphs[g.Name] = config.GraphFacts{Tensors: map[string]config.TensorFacts{"x": {Offset: int64(i)}}}
	}
	for name := range facts.Pools {
		if name == "module.pair[0].arena" {
			facts.Pools[name] = config.PoolFacts{Peak: 50}
		}
	}
	done, ds := cfg.Finish(facts)
	for _, d := range ds {
		assert.Equal(t, "MP0218", string(d.ID), d.Detail)
	}
	values := map[string]cty.Value{}
	for _, output := range done.Outputs {
		values[output.Name] = output.Value
	}
	assert.Equal(t, cty.NumberIntVal(200), values["peaks"].GetAttr("fast"))
	assert.Equal(t, cty.NumberIntVal(240), values["parts"].Index(cty.NumberIntVal(2)))
	assert.True(t, cty.NumberIntVal(230+25).RawEquals(values["one"]))
	assert.Equal(t, cty.NumberIntVal(5), values["tensor"])
	assert.Equal(t, cty.NumberIntVal(6), values["tensors"].GetAttr("two"))
	assert.True(t, cfg.EvalContext(&facts).Variables["pool"].GetAttr("part").Type().IsTupleType())
}

func TestGraphsRunAfterThoseTheyNeed(t *testing.T) {
	cfg, ds := config.Load(syntax.Disk{}, "testdata/valid/graphs.hcl", eval.VariableSources{})
	require.Empty(t, ds)
	graphName := func(g *config.Graph) string { return g.Name }
	assert.Equal(t, []string{"m_alone", "z_backbone", `head["one"]`, `head["two"]`, "a_last"}, names(cfg.Graphs, graphName))
	assert.Equal(t, []string{`head["one"]`, `head["two"]`}, names(cfg.Planner.Concurrent, graphName))
	last := cfg.Graphs[4]
	assert.Equal(t, []any{"x", cfg.Graphs[3], "y"}, []any{last.Inputs[0].Tensor, last.Inputs[0].Graph, last.Inputs[0].Output})
	assert.Equal(t, []string{"z_backbone", `head["two"]`}, names(cfg.Upstream(last), graphName))
	assert.Equal(t, []*config.Graph{cfg.Graphs[1], last}, []*config.Graph{cfg.Runs[0].Inputs[0].Graph, cfg.Runs[0].Inputs[1].Graph})
}
