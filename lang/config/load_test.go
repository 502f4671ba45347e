package config_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

// load loads a text as a file of its own.
func load(t *testing.T, text string) (*config.Config, diag.Diagnostics) {
	t.Helper()
	return config.Load(syntax.Memory{"test.hcl": text}, "test.hcl", eval.VariableSources{})
}

func mustLoad(t *testing.T, text string) *config.Config {
	t.Helper()
	cfg, ds := load(t, text)
	require.Empty(t, ds)
	return cfg
}

func TestLoadDecodesEverything(t *testing.T) {
	cfg, ds := config.Load(syntax.Disk{}, "testdata/valid/design.hcl", eval.VariableSources{})
	require.Empty(t, ds)
	assert.Equal(t, "testdata/valid", cfg.Dir)
	assert.Contains(t, cfg.Files, "testdata/valid/design.hcl")

	gpu := cfg.Devices[0]
	assert.Equal(t, []any{"gpu", "opencl", int64(128), int64(1 << 30)}, []any{gpu.Name, gpu.Driver, gpu.BaseAlignment, gpu.MaxAlloc})
	assert.Equal(t, []any{int64(16384), int64(16384), int64(2048), int64(64), true},
		[]any{gpu.Image2D.MaxWidth, gpu.Image2D.MaxHeight, gpu.Image2D.MaxLayers, gpu.Image2D.PitchAlignment, gpu.Image2D.FromBuffer})

	weights, arena := cfg.Pools[0], cfg.Pools[1]
	assert.Equal(t, []any{"weights", gpu, "texture", []string{"constant"}, config.Unlimited, int64(128)}, []any{weights.Name, weights.Device, weights.Type, weights.Holds, weights.Size, weights.Alignment})
	assert.Equal(t, []any{"arena", gpu, "flat", []string{"input", "output", "activation", "scratch", "state"}, int64(24 << 20), int64(128)}, []any{arena.Name, arena.Device, arena.Type, arena.Holds, arena.Size, arena.Alignment})
	assert.Contains(t, arena.Attributes, "size")

	rule := cfg.Rules[0]
	assert.Equal(t, []string{"Conv", "Conv2D"}, rule.Op)
	assert.Equal(t, []string{"data", "weight"}, rule.Operand)
	assert.Equal(t, []string{"float16", "float32"}, rule.DType)
	assert.Equal(t, []string{"activation", "constant"}, rule.Role)
	assert.Equal(t, []string{"block*/**"}, rule.Tensor)
	assert.Equal(t, "global.texture", rule.Scope)
	assert.Equal(t, []*config.Pool{weights, arena}, rule.Pools)

	g := cfg.Graphs[0]
	assert.Equal(t, []any{"detector", "models/detector.onnx", gpu, []string{"stage3/add"}}, []any{g.Name, g.Source, g.Device, g.Keep})
	assert.Equal(t, map[string]config.Dim{"N": {Value: 1}, "H": {Value: 8, Max: true}}, g.Dims)
	assert.Equal(t, []any{"logits", arena, int64(0)}, []any{g.Places[0].Tensor, g.Places[0].Pool, g.Places[0].Offset})
	assert.Equal(t, `"models/detector.onnx"`, string(g.SourceRange.SliceBytes(cfg.Files["testdata/valid/design.hcl"].Bytes)))

	assert.Equal(t, []string{"fold"}, cfg.Planner.Rewrite)
	assert.Equal(t, "config", cfg.Planner.Origins["rewrite"])
	assert.Equal(t, []*config.Export{{Name: "runtime", Graph: g, Format: "tvm", Path: "out/detector_graph.json", Range: cfg.Exports[0].Range}}, cfg.Exports)
	run := cfg.Runs[0]
	assert.Equal(t, []any{"smoke", g, int64(7), "boxes.npy", 1e-4, 0.0}, []any{run.Name, run.Graph, *run.Inputs[0].RandomSeed, run.Expects[0].NPY, run.Expects[0].ATol, run.Expects[0].RTol})
	assert.Equal(t, "budget", cfg.Checks[0].Name)
	assert.Equal(t, "arena_peak", cfg.Outputs[0].Name)
	assert.True(t, cty.NumberIntVal(1).RawEquals(cfg.Variables["batch"]))
	assert.Equal(t, cty.StringVal("24MiB"), cfg.Locals["arena"])
	assert.Equal(t, "batch", cfg.Declarations[0].Name)
}

func TestLoadDefaults(t *testing.T) {
	cfg := mustLoad(t, "device \"d\" {\n  image2d {\n    max_width  = 1\n    max_height = 2\n  }\n}\npool \"p\" { device = device.d }\n")
	d := cfg.Devices[0]
	assert.Equal(t, []any{"host", int64(64), int64(0), int64(1), false, int64(0)}, []any{d.Driver, d.BaseAlignment, d.MaxAlloc, d.Image2D.PitchAlignment, d.Image2D.FromBuffer, d.Image2D.MaxLayers})
	p := cfg.Planner
	assert.Equal(t, []any{"auto", "", "mincopy", "planned"}, []any{p.Algorithm, p.Order, p.ScopePolicy, p.IO})
	assert.Nil(t, p.Views)
	assert.Nil(t, p.Rewrite)
	assert.Equal(t, map[string]string{"algorithm": "default", "order": "default", "rewrite": "default", "views": "default", "scope_policy": "default", "texture_algorithm": "default", "io": "default", "concurrent": "default"}, p.Origins)
}

func TestReferencesThroughLocalValues(t *testing.T) {
	cfg, ds := config.Load(syntax.Disk{}, "testdata/valid/references.hcl", eval.VariableSources{})
	require.Empty(t, ds)
	slow, fast := cfg.Pools[0], cfg.Pools[1]
	assert.Equal(t, []any{"slow", int64(131072 + 64), int64(128)}, []any{slow.Name, slow.Size, slow.Alignment})
	assert.Equal(t, []any{"fast", int64(65536), int64(64)}, []any{fast.Name, fast.Size, fast.Alignment})
	assert.Equal(t, []*config.Pool{fast, slow}, cfg.Rules[0].Pools)
	assert.Equal(t, []*config.Pool{slow}, cfg.Rules[1].Pools)
	assert.Same(t, slow, cfg.Graphs[0].Places[0].Pool)
	assert.Equal(t, config.NoOffset, cfg.Graphs[0].Places[0].Offset)
	assert.Equal(t, "./g.onnx", cfg.Graphs[0].Source)
}

func TestSizesAreExact(t *testing.T) {
	cfg, ds := config.Load(syntax.Disk{}, "testdata/valid/sizes.hcl", eval.VariableSources{})
	require.Empty(t, ds)
	got := map[string]int64{}
	for _, p := range cfg.Pools {
		got[p.Name] = p.Size
	}
	assert.Equal(t, map[string]int64{
		"number": 64, "text": 64, "binary": 1536, "decimal": 1500, "largest": 9223372036854775807, "function": 1572864, "unlimited": config.Unlimited,
	}, got)
	assert.Equal(t, int64(1000), cfg.Devices[0].MaxAlloc)
}

func TestADirectoryIsOneConfiguration(t *testing.T) {
	files := syntax.Memory{
		"c/2.memplan.hcl":    "pool \"second\" { device = device.d }\npool \"third\" { device = device.d }\n",
		"c/1.memplan.hcl":    "pool \"first\" {\n  device = device.d\n  size   = var.size\n}\n",
		"c/3.memplan.hcl":    "device \"d\" {}\nvariable \"size\" { type = string }\n",
		"c/other.hcl":        "this is not read",
		"c/memplan.vars.hcl": "size = \"1KiB\"\nunused = 1\n",
	}
	cfg, ds := config.Load(files, "c", eval.VariableSources{})
	require.Len(t, ds, 1)
	assert.Equal(t, diag.ID("MP0144"), ds[0].ID)
	var names []string
	for _, p := range cfg.Pools {
		names = append(names, p.Name)
	}
	assert.Equal(t, []string{"first", "second", "third"}, names)
	assert.Equal(t, int64(1024), cfg.Pools[0].Size)
	cfg, ds = config.Load(files, "c", eval.VariableSources{Arguments: []eval.Argument{{Name: "size", Value: "2KiB"}}})
	require.False(t, ds.HasErrors())
	assert.Equal(t, int64(2048), cfg.Pools[0].Size)
}

func TestASyntaxErrorSilencesWhatFollowsFromIt(t *testing.T) {
	files := syntax.Memory{
		"c/1.memplan.hcl": "device \"d\" {\n",
		"c/2.memplan.hcl": "pool \"p\" { device = device.other }\n",
	}
	cfg, ds := config.Load(files, "c", eval.VariableSources{})
	require.Len(t, ds, 1)
	assert.Equal(t, diag.ID("MP0101"), ds[0].ID)
	assert.Len(t, cfg.Pools, 1, "an editor still sees what there is")
	assert.Empty(t, cfg.Digest())
}

// refusing fails for every file.
type refusing struct{}

func (refusing) ReadFile(string) ([]byte, error) { return nil, errors.New("refused") }
func (refusing) ReadDir(string) ([]string, error) {
	return nil, &fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}
}

func TestLoadReportsPaths(t *testing.T) {
	tests := []struct {
		name   string
		reader syntax.Reader
		path   string
		id     diag.ID
	}{
		{"a missing path", syntax.Memory{}, "nope.hcl", "MP0114"},
		{"a file that cannot be read", refusing{}, "x", "MP0115"},
		{"a directory without configuration", syntax.Memory{"d/config.hcl": ""}, "d", "MP0116"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cfg, ds := config.Load(test.reader, test.path, eval.VariableSources{})
			require.NotNil(t, cfg)
			require.Len(t, ds, 1)
			assert.Equal(t, test.id, ds[0].ID)
			assert.Nil(t, ds[0].Subject)
		})
	}
}

func TestDuplicatesPointAtTheFirst(t *testing.T) {
	_, ds := load(t, "device \"d\" {}\n\ndevice \"d\" {}\n")
	require.Len(t, ds, 1)
	require.Len(t, ds[0].Related, 1)
	assert.Equal(t, 3, ds[0].Subject.Start.Line)
	assert.Equal(t, 1, ds[0].Related[0].Range.Start.Line)
}

func TestVariablesOfEveryType(t *testing.T) {
	text := `
variable "object" {
  type    = object({ n = optional(number, 5), s = string })
  default = { s = "x" }
}
variable "list" {
  type    = list(number)
  default = ["1", 2]
}
variable "limit" {
  type    = string
  default = null
}
device "d" {}
pool "p" {
  device = device.d
  size   = var.limit
}
graph "g" {
  source = "g.onnx"
  device = device.d
  dims   = { N = var.object.n, M = { max = var.list[1] } }
}
`
	cfg := mustLoad(t, text)
	assert.Equal(t, map[string]config.Dim{"N": {Value: 5}, "M": {Value: 2, Max: true}}, cfg.Graphs[0].Dims)
	assert.Equal(t, config.Unlimited, cfg.Pools[0].Size)
}

func TestFunctionsReadThroughTheReader(t *testing.T) {
	files := syntax.Memory{
		"c/config.hcl": "device \"d\" {}\npool \"p\" {\n  device = device.d\n  size   = jsondecode(file(\"sizes.json\")).arena\n}\n",
		"c/sizes.json": `{"arena": "3KiB"}`,
	}
	cfg, ds := config.Load(files, "c/config.hcl", eval.VariableSources{})
	require.Empty(t, ds)
	assert.Equal(t, int64(3072), cfg.Pools[0].Size)
}
