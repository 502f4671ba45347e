package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/export"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/graph/tvmjson"
	"github.com/memplan/memplan/planner/plan"
)

var update = flag.Bool("update", false, "write the golden files anew")

// fixtures are graphs of TVM and one of memplan's own, planned as bare files.
var fixtures = []string{
	"../graph/tvmjson/testdata/conv_chain.json", "../graph/tvmjson/testdata/two_heads.json", "../graph/tvmjson/testdata/reshape_nop.json",
	"../graph/tvmjson/testdata/texture_copy.json", "testdata/views.json",
}

var modes = map[string]export.TVMOptions{"offsets": {}, "storages": {NoOffset: true}}

// planned is a bare graph file with its plan.
type planned struct {
	plan *plan.Plan
	name string
	g    *graph.Graph
}

func planText(t require.TestingT, name string, content []byte, set func(*config.Planner)) planned {
	cfg := config.Bare(name, nil)
	if set != nil {
		set(&cfg.Planner)
	}
	result, diags, err := planner.Plan(context.Background(), cfg, planner.Options{
		Open: func(string) (*source.File, error) { return source.FromBytes(name, content), nil }, Version: "test",
	})
	require.NoError(t, err)
	for i := range diags {
		require.Equal(t, diag.TextureUnavailable, diags[i].ID, "the host without a configuration has no textures: %s", diags[i].Detail)
	}
	return planned{result.Plan, result.Plan.Graphs[0].Name, result.Graphs[0]}
}

func planFile(t *testing.T, file string) planned {
	t.Helper()
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	return planText(t, filepath.Base(file), content, nil)
}

func exported(t require.TestingT, p planned, g *graph.Graph, opts export.TVMOptions) string {
	var out bytes.Buffer
	require.NoError(t, export.TVM(&out, p.plan, p.name, g, opts))
	return out.String()
}

func imported(t require.TestingT, text string) *graph.Graph {
	require.True(t, tvmjson.Is([]byte(text)))
	g, diags := tvmjson.Import(source.FromBytes("export.json", []byte(text)))
	require.Empty(t, diags)
	return g
}

func TestExportsAreTheirGoldenFiles(t *testing.T) {
	for _, file := range fixtures {
		p := planFile(t, file)
		for mode, opts := range modes {
			name := strings.TrimSuffix(filepath.Base(file), ".json") + "_" + mode + ".golden"
			t.Run(name, func(t *testing.T) {
				got := exported(t, p, p.g, opts)
				golden := filepath.Join("testdata", name)
				if *update {
					require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
				}
				want, err := os.ReadFile(golden)
				require.NoError(t, err)
				assert.Equal(t, string(want), got)
			})
		}
	}
}

func TestExportsImportAndExportAsTheSameBytes(t *testing.T) {
	for _, file := range fixtures {
		p := planFile(t, file)
		for mode, opts := range modes {
			t.Run(filepath.Base(file)+" "+mode, func(t *testing.T) {
				first := exported(t, p, p.g, opts)
				assert.Equal(t, first, exported(t, p, imported(t, first), opts))
				assert.True(t, json.Valid([]byte(first)))
				requireSound(t, first)
			})
		}
	}
}

func TestAnExportPlansLikeItsSource(t *testing.T) {
	for _, file := range fixtures[:4] {
		p := planFile(t, file)
		again := planText(t, "again.json", []byte(exported(t, p, p.g, export.TVMOptions{})), nil)
		assert.Equal(t, p.plan.Pools[0].Peak, again.plan.Pools[0].Peak, file)
	}
}

func TestAnAliasThatCannotShareIsACopy(t *testing.T) {
	content, err := os.ReadFile("../graph/tvmjson/testdata/reshape_nop.json")
	require.NoError(t, err)
	p := planText(t, "reshape_nop.json", content, func(settings *config.Planner) { settings.Views = []string{} })
	text := exported(t, p, p.g, export.TVMOptions{})
	assert.NotContains(t, text, `"__nop"`)
	assert.Equal(t, 2, strings.Count(text, `"__copy"`))
	assert.Equal(t, text, exported(t, p, imported(t, text), export.TVMOptions{}))
	requireSound(t, text)
}

func TestFunctionsOfReshapesBecomeAliases(t *testing.T) {
	p := planFile(t, "../graph/tvmjson/testdata/conv_chain.json")
	text := exported(t, p, p.g, export.TVMOptions{})
	assert.Contains(t, text, `{"op": "tvm_op", "name": "tvmgen_default_fused_nn_batch_flatten", "attrs": {"flatten_data": "0", "func_name": "__nop", "num_inputs": "1", "num_outputs": "1"}`)
}

func TestTensorsThatShareNothingHaveStoragesOfTheirOwn(t *testing.T) {
	content, err := os.ReadFile("../graph/tvmjson/testdata/conv_chain.json")
	require.NoError(t, err)
	p := planText(t, "conv_chain.json", content, func(settings *config.Planner) { settings.Algorithm = "none"; settings.Views = []string{} })
	text := exported(t, p, p.g, export.TVMOptions{NoOffset: true})
	var file file
	require.NoError(t, json.Unmarshal([]byte(text), &file))
	ids := map[int64]bool{}
	for _, id := range file.integers(t, "storage_id") {
		ids[id] = true
	}
	assert.Len(t, ids, len(p.g.Tensors))
}
