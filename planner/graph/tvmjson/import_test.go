package tvmjson_test

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/native"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/graph/tvmjson"
	"github.com/memplan/memplan/planner/shape"
)

var update = flag.Bool("update", false, "write the golden files anew")

// importText imports a graph that stands alone.
func importText(t *testing.T, text string) (*graph.Graph, diag.Diagnostics) {
	t.Helper()
	f := source.FromBytes("net.json", []byte(text))
	g, diags := tvmjson.Import(f)
	require.NoError(t, f.Close())
	return g, diags
}

// importFile imports a graph with the files beside it.
func importFile(t *testing.T, fsys fs.FS, name string) (*graph.Graph, diag.Diagnostics) {
	t.Helper()
	f, err := source.Open(fsys, name)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return tvmjson.Import(f)
}

func fixture(t *testing.T, name string) *graph.Graph {
	t.Helper()
	g, diags := importFile(t, os.DirFS("testdata"), name)
	require.Empty(t, diags)
	require.NoError(t, g.Validate())
	return g
}

func text(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return string(b)
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
}

func TestFixturesImportAsTheirGoldenGraphs(t *testing.T) {
	if *update {
		require.NoError(t, os.WriteFile("testdata/named_param.params", namedParams(), 0o644))
	}
	files, err := filepath.Glob("testdata/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			g := fixture(t, name)
			assert.Equal(t, "tvm", g.Format)
			assert.Equal(t, strings.TrimSuffix(name, ".json"), g.Name)
			var out bytes.Buffer
			require.NoError(t, native.Write(&out, g))
			golden(t, strings.TrimSuffix(name, ".json")+".golden", out.Bytes())
		})
	}
}

func TestShapeInferenceKeepsTheShapesOfTheFile(t *testing.T) {
	for _, name := range []string{"conv_chain.json", "two_heads.json", "reshape_nop.json", "texture_copy.json"} {
		t.Run(name, func(t *testing.T) {
			g, before := fixture(t, name), fixture(t, name)
			_, diags := shape.Infer(g, nil)
			require.Empty(t, diags)
			assert.Equal(t, before, g)
		})
	}
}

func TestScopesKeepOneSpelling(t *testing.T) {
	g := fixture(t, "texture_copy.json")
	var scopes []string
	for i := range g.Tensors {
		scopes = append(scopes, g.Tensors[i].Scope)
	}
	assert.Equal(t, []string{"global", "global.texture-nhwc", "global.texture-weight", "global.texture-nhwc", "global", "global"}, scopes)
}

func TestEmptyAndGlobalScopesAreTheSameGraph(t *testing.T) {
	plain := text(t, "reshape_nop.json")
	with := func(scope string) string {
		scopes := `"storage_scope": ["list_str", [` + strings.Repeat(`"`+scope+`", `, 6) + `"` + scope + `"]], "shape"`
		return strings.Replace(plain, `"shape"`, scopes, 1)
	}
	want, diags := importText(t, plain)
	require.Empty(t, diags)
	for _, scope := range []string{"", "global"} {
		got, diags := importText(t, with(scope))
		require.Empty(t, diags)
		got.Digest = want.Digest
		assert.Equal(t, want, got, "scope %q", scope)
	}
}

func TestLayoutsComeFromTheAttributesOfNodes(t *testing.T) {
	g := fixture(t, "texture_copy.json")
	layouts := map[string]string{}
	for i := range g.Tensors {
		layouts[g.Tensors[i].Name] = g.Tensors[i].Layout
	}
	assert.Equal(t, map[string]string{
		"image": "NCHW", "tvmgen_default_fused_layout_transform": "NCHW4c", "p0": "OIHW4o",
		"tvmgen_default_fused_nn_conv2d_nn_relu": "NCHW4c", "__copy": "", "tvmgen_default_fused_concatenate": "",
	}, layouts)
}

func TestALayoutOfAnotherRankIsIgnored(t *testing.T) {
	g, diags := importText(t, strings.Replace(text(t, "texture_copy.json"), `"dst_layout": "NCHW4c"`, `"dst_layout": "NCHW"`, 1))
	require.Empty(t, diags)
	assert.Empty(t, g.Tensors[1].Layout)
}

func TestElementTypesOfTVMAreRead(t *testing.T) {
	for name, want := range map[string]graph.DType{"uint1": graph.Bool, "bool": graph.Bool, "int": graph.Int32, "float": graph.Float32, "bfloat16": graph.BFloat16, "int8x1": graph.Int8} {
		g, diags := importText(t, strings.Replace(text(t, "two_heads.json"), `"int8"`, `"`+name+`"`, 1))
		require.Empty(t, diags)
		assert.Equal(t, want, g.Tensors[0].DType, name)
	}
}

func TestIsRecognisesGraphsOfTVM(t *testing.T) {
	for name, c := range map[string]struct {
		content string
		want    bool
	}{
		"a graph":                              {`{"nodes": [], "arg_nodes": []}`, true},
		"fields in another order":              {` {"heads": [[0, 1]], "arg_nodes": [1], "x": "}\"{", "nodes": 1`, true},
		"a graph that breaks off in its nodes": {`{"nodes": [{"op": "nu`, true},
		"a native graph":                       {`{"format_version": "1.0", "tensors": []}`, false},
		"the names one level down":             {`{"a": {"nodes": [], "arg_nodes": []}}`, false},
		"the names as values":                  {`{"a": "nodes", "b": "arg_nodes"}`, false},
		"nodes alone":                          {`{"nodes": []}`, false},
		"an array":                             {`["nodes", "arg_nodes"]`, false},
		"nothing":                              {"", false},
		"an open string":                       {`{"nodes`, false},
		"an open escape":                       {`{"a\`, false},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, tvmjson.Is([]byte(c.content))) })
	}
	for _, name := range []string{"conv_chain.json", "two_heads.json", "reshape_nop.json", "texture_copy.json"} {
		assert.True(t, tvmjson.Is([]byte(text(t, name))), name)
	}
}

func TestArgumentsAreToldApartByParameters(t *testing.T) {
	g := fixture(t, "named_graph.json")
	require.Len(t, g.Inputs, 1)
	assert.Equal(t, "data", g.Tensors[g.Inputs[0]].Name)
	weight := g.Tensors[g.ByName("fc_weight")]
	assert.Equal(t, graph.Constant, weight.Role)
	content, err := weight.Data.Read()
	require.NoError(t, err)
	assert.Len(t, content, 24)
}

func TestArgumentsAreToldApartByNameWithoutParameters(t *testing.T) {
	g, diags := importText(t, text(t, "named_graph.json"))
	require.Empty(t, diags)
	var inputs []string
	for _, id := range g.Inputs {
		inputs = append(inputs, g.Tensors[id].Name)
	}
	assert.Equal(t, []string{"fc_weight", "fc_bias", "data"}, inputs, "in the order of arg_nodes")

	g = fixture(t, "conv_chain.json")
	assert.Equal(t, graph.Constant, g.Tensors[g.ByName("p2")].Role)
	assert.Nil(t, g.Tensors[g.ByName("p2")].Data)
	assert.Equal(t, []graph.TensorID{g.ByName("image")}, g.Inputs)
}

func TestAnArgumentThatArgNodesLeavesOutIsOne(t *testing.T) {
	g, diags := importText(t, strings.Replace(text(t, "named_graph.json"), `"arg_nodes": [1, 2, 0]`, `"arg_nodes": [2]`, 1))
	require.Empty(t, diags)
	assert.Equal(t, []graph.TensorID{2, 0, 1}, g.Inputs)
}

func TestAttributesThatAreNoStringsAreSkipped(t *testing.T) {
	g, diags := importText(t, strings.Replace(text(t, "named_graph.json"), `"flatten_data": "0"`, `"flatten_data": {"a": [1]}`, 1))
	require.Empty(t, diags)
	assert.Equal(t, graph.Attrs{"func_name": "fused_nn_dense_nn_bias_add"}, g.Ops[0].Attrs)
}

func TestParametersAreFoundUnderEitherName(t *testing.T) {
	content := text(t, "named_graph.json")
	for _, c := range []struct{ graph, params string }{{"net.json", "net.params"}, {"deploy_graph.json", "deploy_param.params"}, {"a/b_graph.json", "a/b.params"}} {
		fsys := fstest.MapFS{c.graph: {Data: []byte(content)}, c.params: {Data: namedParams()}}
		g, diags := importFile(t, fsys, c.graph)
		require.Empty(t, diags)
		assert.Len(t, g.Inputs, 1, c.params)
	}
}
