package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/builtin"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

func modules(t *testing.T) *config.Config {
	t.Helper()
	cfg, ds := config.Load(syntax.Disk{}, "testdata/valid/modules.hcl", eval.VariableSources{})
	require.Empty(t, ds)
	return cfg
}

func names[T any](list []T, name func(T) string) []string {
	var out []string
	for _, item := range list {
		out = append(out, name(item))
	}
	return out
}

func TestModulesJoinTheConfigurationUnderTheirAddresses(t *testing.T) {
	cfg := modules(t)
	assert.Equal(t, []string{"module.adreno.gpu", "module.phone.gpu", "module.tablet.module.inner.gpu"}, names(cfg.Devices, func(d *config.Device) string { return d.Name }))
	assert.Equal(t, []string{
		"pool.root", "pool.more", "module.phone.pool.arena", "module.phone.pool.images", "module.tablet.pool.more", "module.tablet.module.inner.pool.arena",
		"module.tablet.module.inner.pool.images", "module.adreno.pool.textures", "module.adreno.pool.weights", "module.adreno.pool.arena",
	}, names(cfg.Pools, func(p *config.Pool) string { return p.Address.String() }))
	assert.Equal(t, []string{
		"scope_rule.root", "module.phone.scope_rule.activations", "module.tablet.scope_rule.first", "module.tablet.module.inner.scope_rule.activations",
		"module.adreno.scope_rule.spatial_weights", "module.adreno.scope_rule.weights", "module.adreno.scope_rule.activations_nhwc",
		"module.adreno.scope_rule.activations",
	}, names(cfg.Rules, func(r *config.ScopeRule) string { return r.Address.String() }))
	assert.Equal(t, []string{"module.phone.net", "module.tablet.module.inner.net", "net"}, names(cfg.Graphs, func(g *config.Graph) string { return g.Name }))
	assert.Equal(t, []string{"module.phone.smoke", "module.tablet.module.inner.smoke", "smoke"}, names(cfg.Runs, func(r *config.Run) string { return r.Name }))
	assert.Equal(t, []string{"extra", "half", "nested", "secret"}, names(cfg.Outputs, func(o *config.Output) string { return o.Name }))
	assert.Equal(t, []string{"adreno", "phone", "tablet"}, names(cfg.Modules, func(m *config.Module) string { return m.Name }))
	assert.Contains(t, cfg.Files, "builtin:adreno")
}

func TestReferencesGoThroughModules(t *testing.T) {
	cfg := modules(t)
	byName := map[string]*config.Pool{}
	for _, p := range cfg.Pools {
		byName[p.Name] = p
	}
	phone := cfg.Devices[1]
	assert.Same(t, phone, byName["more"].Device)
	assert.Equal(t, int64(1<<20), byName["more"].Size)
	assert.Same(t, cfg.Devices[2], byName["module.tablet.more"].Device)
	assert.Equal(t, int64(4096), phone.Image2D.MaxWidth)
	assert.Equal(t, "none", cfg.Devices[0].Driver)

	root := cfg.Graphs[2]
	assert.Same(t, phone, root.Device)
	assert.Same(t, byName["module.phone.arena"], root.Places[0].Pool)
	assert.Same(t, cfg.Graphs[0], cfg.Runs[2].Graph)
	assert.Equal(t, []string{"module.phone.net", "module.*", "module.phone.net"}, cfg.Rules[0].Graph)
	assert.Equal(t, []string{"module.tablet.module.inner.gpu", "module.phone.gpu"}, cfg.Rules[0].Device)
	assert.Equal(t, []string{"module.phone.gpu"}, cfg.Rules[1].Device)
}

func TestPathsOfModulesAreRelativeToTheRoot(t *testing.T) {
	cfg := modules(t)
	assert.Equal(t, "testdata/valid", cfg.Dir)
	assert.Equal(t, []string{"../modules/phone/net.onnx", "../modules/phone/net.onnx", "root.onnx"}, names(cfg.Graphs, func(g *config.Graph) string { return g.Source }))
	assert.Equal(t, "../modules/phone/x.npy", cfg.Runs[0].Inputs[0].NPY)
}

func TestASingleFileIsAModule(t *testing.T) {
	cfg, ds := config.Load(syntax.Memory{
		"dir/main.hcl":     "module \"m\" { source = \"./dev/one.hcl\" }\n",
		"dir/dev/one.hcl":  "device \"d\" {}\ngraph \"g\" {\n  source = \"g.onnx\"\n  device = device.d\n  dims = jsondecode(file(\"n.json\"))\n}\n",
		"dir/dev/n.json":   "{\"N\": 2}",
		"dir/dev/two.hcl":  "device \"other\" {}\n",
		"dir/dev/vars.hcl": "N = 3\n",
	}, "dir/main.hcl", eval.VariableSources{})
	require.Empty(t, ds)
	require.Len(t, cfg.Devices, 1)
	assert.Equal(t, "dev/g.onnx", cfg.Graphs[0].Source)
	assert.Equal(t, map[string]config.Dim{"N": {Value: 2}}, cfg.Graphs[0].Dims)
}

func TestFinishSeesThePlanInModules(t *testing.T) {
	pools := map[string]config.PoolFacts{}
	for _, p := range modules(t).Pools {
		pools[p.Name] = config.PoolFacts{Peak: 10}
	}
	pools["module.phone.arena"] = config.PoolFacts{Peak: 200}
	pools["root"] = config.PoolFacts{Peak: 7}
	done, ds := modules(t).Finish(config.Planned{Pools: pools})
	require.Len(t, ds, 1)
	assert.Equal(t, diag.CheckFailed, ds[0].ID)
	assert.Contains(t, ds[0].Detail, `Check "module.phone.budget" failed: module.phone.arena needs 200, half is 100`)
	values := map[string]cty.Value{}
	for _, output := range done.Outputs {
		values[output.Name] = output.Value
		assert.Equal(t, output.Name == "secret", output.Sensitive, output.Name)
	}
	assert.True(t, cty.NumberIntVal(100).RawEquals(values["half"]))
	assert.True(t, cty.NumberIntVal(5).RawEquals(values["nested"]))
	assert.True(t, cty.NumberIntVal(7).RawEquals(values["extra"]))
	assert.Equal(t, []string{"module.phone.budget", "module.tablet.module.inner.budget"}, names(done.Checks, func(c config.CheckResult) string { return c.Name }))
}

func TestConditionsOfModulesSeeTheirOwnVariables(t *testing.T) {
	image := func(width int64) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"texture": cty.ObjectVal(map[string]cty.Value{"width": cty.NumberIntVal(width)})})
	}
	cfg := modules(t)
	for _, test := range []struct {
		rule  int
		width int64
		want  bool
	}{{1, 4096, true}, {1, 4097, false}, {3, 128, true}, {3, 129, false}} {
		holds, ds := cfg.Rules[test.rule].Eval(image(test.width), cty.EmptyObjectVal)
		require.Empty(t, ds)
		assert.Equal(t, test.want, holds, "%s of width %d", cfg.Rules[test.rule].Address, test.width)
	}
}

func TestModuleFaultsNameTheCall(t *testing.T) {
	files := syntax.Memory{
		"main.hcl":                 "module \"m\" {\n  source = \"./m\"\n  size   = 100\n}\n",
		"m/main.memplan.hcl":       "variable \"size\" {}\ndevice \"d\" { base_alignment = var.size }\n",
		"cycle.hcl":                "module \"m\" { source = \"./loop\" }\n",
		"loop/main.memplan.hcl":    "module \"again\" { source = \"../loop\" }\n",
		"planner.hcl":              "module \"m\" { source = \"./planner\" }\n",
		"planner/main.memplan.hcl": "planner { algorithm = \"greedy\" }\n",
		"broken.hcl":               "module \"m\" { source = \"./broken\" }\npool \"p\" { device = module.m.device }\n",
		"broken/main.memplan.hcl":  "device \"d\" {\n",
	}
	for _, test := range []struct{ name, path, file, id, says, related string }{
		{"a value that does not suit", "main.hcl", "m/main.memplan.hcl", "MP0203", `"base_alignment" is 100`, "main.hcl"},
		{"a circle of modules", "cycle.hcl", "loop/main.memplan.hcl", "MP0153", `The module "again" is "loop"`, "cycle.hcl"},
		{"planner settings", "planner.hcl", "planner/main.memplan.hcl", "MP0157", "Move the settings there", "planner.hcl"},
		{"a syntax error", "broken.hcl", "broken/main.memplan.hcl", "MP0101", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			cfg, ds := config.Load(files, test.path, eval.VariableSources{})
			require.Len(t, ds, 1, "%v", ds)
			assert.Equal(t, diag.ID(test.id), ds[0].ID)
			assert.Equal(t, test.file, ds[0].Subject.Filename)
			assert.Contains(t, ds[0].Detail, test.says)
			assert.Contains(t, cfg.Files, test.file)
			if test.related != "" {
				last := ds[0].Related[len(ds[0].Related)-1]
				assert.Equal(t, test.related, last.Range.Filename)
				assert.Contains(t, last.Message, `the module "m" is called here`)
			}
		})
	}
}

func TestModulesAreBounded(t *testing.T) {
	deep, wide := syntax.Memory{}, syntax.Memory{"leaf/main.memplan.hcl": "locals { x = 1 }\n"}
	for i := range 40 {
		deep[fmt.Sprintf("m%d/main.memplan.hcl", i)] = fmt.Sprintf("module \"a\" { source = \"../m%d\" }\nmodule \"b\" { source = \"../m%d\" }\n", i+1, i+1)
	}
	var text strings.Builder
	for i := range 257 {
		fmt.Fprintf(&text, "module \"m%d\" { source = \"./leaf\" }\n", i)
	}
	wide["main.hcl"] = text.String()
	_, ds := config.Load(deep, "m0", eval.VariableSources{})
	require.NotEmpty(t, ds)
	assert.Equal(t, diag.ID("MP0154"), ds[0].ID)
	_, ds = config.Load(wide, "main.hcl", eval.VariableSources{})
	require.Len(t, ds, 1)
	assert.Equal(t, diag.TooManyModules, ds[0].ID)
}

func TestTheDigestCoversModules(t *testing.T) {
	load := func(width, comment string) string {
		files := syntax.Memory{
			"main.hcl":           fmt.Sprintf("module \"m\" {\n  source = \"./m\"\n  width = %s\n}\n", width),
			"m/main.memplan.hcl": comment + "variable \"width\" {}\nscope_rule \"r\" {\n  condition = tensor.bytes > var.width\n  scope = \"global\"\n}\n",
		}
		cfg, ds := config.Load(files, "main.hcl", eval.VariableSources{})
		require.Empty(t, ds)
		return cfg.Digest()
	}
	assert.Equal(t, load("1", ""), load("2 - 1", "# a comment\n"))
	assert.NotEqual(t, load("1", ""), load("2", ""))
}

func TestBuiltinModulesLoad(t *testing.T) {
	for _, name := range builtin.Names() {
		t.Run(name, func(t *testing.T) {
			text := fmt.Sprintf("module \"m\" { source = \"builtin:%s\" }\ngraph \"g\" {\n  source = \"g.onnx\"\n  device = module.m.device\n}\n", name)
			cfg, ds := config.Load(syntax.Memory{"main.hcl": text}, "main.hcl", eval.VariableSources{})
			require.Empty(t, ds)
			device := cfg.Graphs[0].Device
			assert.Equal(t, "module.m.gpu", device.Name)
			require.NotNil(t, device.Image2D)
			for _, rule := range cfg.Rules {
				assert.Equal(t, []string{"module.m.gpu"}, rule.Device, "rules of a profile speak of its own device only")
				assert.Nil(t, rule.Penalty)
				assert.True(t, rule.IsBuiltin())
			}
		})
	}
	text := "module \"m\" {\n  source = \"builtin:adreno\"\n  penalty = \"4KiB\"\n  from_buffer = false\n}\n"
	cfg := mustLoad(t, text)
	assert.Equal(t, int64(4096), *cfg.Rules[2].Penalty)
	assert.False(t, cfg.Pools[2].Images)
}
