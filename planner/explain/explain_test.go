package explain_test

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/explain"
	"github.com/memplan/memplan/planner/plan"
)

var update = flag.Bool("update", false, "rewrite golden files")

func ptr[T any](v T) *T { return &v }

// detector is a plan with a flat pool and one of images: x is convolved into an image, copied back and reshaped; the
// second graph has a tensor at the bytes of x.
func detector() *plan.Plan {
	shape := []int64{1, 8, 4, 4}
	policy, rule := ptr("mincopy"), ptr("scope_rule.act")
	return &plan.Plan{
		FormatVersion: plan.FormatVersion, Settings: map[string]plan.Setting{},
		Devices: []plan.Device{{Name: "gpu", Driver: "host", BaseAlignment: 64, Image2D: &plan.Image2D{MaxWidth: 16, MaxHeight: 16, PitchAlignment: 1}}},
		Pools:   []plan.Pool{{Name: "arena", Device: "gpu", Type: "flat", Alignment: 64}, {Name: "images", Device: "gpu", Type: "texture", Alignment: 64}},
		Storages: []plan.Storage{
			{ID: 0, Pool: "arena", Offset: ptr(int64(0)), Size: 512}, {ID: 1, Pool: "images", Size: 1024, Width: 8, Height: 8, Texel: "rgba_float32", RowPitch: 128},
			{ID: 2, Pool: "arena", Offset: ptr(int64(512)), Size: 512}, {ID: 3, Pool: "arena", Offset: ptr(int64(256)), Size: 512},
		},
		Graphs: []plan.Graph{{
			Name: "net",
			Steps: []plan.Step{
				{Step: 0, Op: "Conv", Name: "conv", Inputs: []string{"x"}, Outputs: []string{"c"}},
				{Step: 1, Op: "Copy", Name: "c@global", Inputs: []string{"c"}, Outputs: []string{"c@global"}},
				{Step: 2, Op: "Reshape", Name: "flatten", Inputs: []string{"c@global"}, Outputs: []string{"f"}},
				{Step: 3, Op: "Relu", Name: "again", Inputs: []string{"f"}, Outputs: []string{"a"}},
			},
			Tensors: []plan.Tensor{
				{Name: "x", Role: "input", DType: "float32", Shape: shape, Layout: "NCHW", Scope: "global", Pool: "arena", Storage: 0, Offset: ptr(int64(0)), Size: 512, LogicalSize: 512, Alignment: 64, Last: 1,
					Reason: plan.Reason{Policy: policy, Excluded: []plan.Exclusion{{Scope: "global.texture-weight", Because: "width 128 exceeds max_width 16"}}}},
				{Name: "c", Role: "activation", DType: "float32", Shape: shape, Layout: "NCHW", Scope: "global.texture", Pool: "images", Storage: 1, Size: 512, LogicalSize: 512, Alignment: 64, Last: 2, Producer: "conv",
					Reason: plan.Reason{Rule: rule}},
				{Name: "c@global", Role: "activation", DType: "float32", Shape: shape, Layout: "NCHW", Scope: "global", Pool: "arena", Storage: 2, Offset: ptr(int64(512)), Size: 512, LogicalSize: 512, Alignment: 64, First: 1, Last: 4, Producer: "c@global",
					Reason: plan.Reason{Policy: policy, Spill: &plan.Spill{From: []string{"fast"}, Because: "512 bytes did not fit into the 64 bytes of pool fast beside the tensors placed there"}}},
				{Name: "f", Role: "activation", DType: "float32", Shape: []int64{128}, Scope: "global", Pool: "arena", Storage: 2, Offset: ptr(int64(512)), Size: 512, LogicalSize: 512, Alignment: 1, First: 2, Last: 4, Producer: "flatten", Kept: "graph.net.keep",
					ViewOf: ptr("c@global"), Reason: plan.Reason{Policy: policy}},
				{Name: "a", Role: "output", DType: "float32", Shape: []int64{128}, Scope: "global", Size: 512, LogicalSize: 512, Alignment: 1, First: 3, Last: 4, Producer: "again", Reason: plan.Reason{Policy: policy}},
				{Name: "p", Role: "activation", DType: "float32", Shape: shape, Layout: "NCHW", Scope: "global.texture", Pool: "images", Storage: 1, Size: 512, LogicalSize: 512, Alignment: 64, First: 2, Last: 3, Reason: plan.Reason{Policy: ptr("source")}},
			},
			Copies: []plan.Copy{{Tensor: "c", To: "c@global", Step: 1, Bytes: 512, Because: "Reshape flatten reads it in global"}},
		}, {
			Name:    "other",
			Steps:   []plan.Step{{Step: 0, Op: "Relu", Name: "r", Inputs: []string{"x"}, Outputs: []string{}}},
			Tensors: []plan.Tensor{{Name: "x", Role: "constant", DType: "float32", Shape: []int64{128}, Scope: "global", Pool: "arena", Storage: 3, Offset: ptr(int64(256)), Size: 512, LogicalSize: 512, Alignment: 64, Last: 1, Reason: plan.Reason{Pinned: ptr(`graph.other.place["x"]`)}}},
		}},
	}
}

func TestEveryTensorIsExplainedInWords(t *testing.T) {
	p := detector()
	text := ""
	for _, name := range []string{"x", "c", "c@global", "f", "a", "p"} {
		found, ds := explain.Tensor(p, "", name)
		require.Empty(t, ds)
		for _, e := range found {
			text += e.Text() + "\n"
		}
	}
	golden(t, "testdata/detector.txt", text)
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

func TestTheSameNameInTwoGraphsIsExplainedTwice(t *testing.T) {
	found, ds := explain.Tensor(detector(), "", "x")
	require.Empty(t, ds)
	require.Len(t, found, 2)
	found, ds = explain.Tensor(detector(), "other", "x")
	require.Empty(t, ds)
	require.Len(t, found, 1)
	assert.Equal(t, "other", found[0].Graph)
}

func TestNamesThatAreNotThereGetASuggestion(t *testing.T) {
	for _, c := range []struct{ name, graph, tensor, id, detail string }{
		{"a tensor of any graph", "", "c@globl", "MP0709", `No graph of the plan has a tensor "c@globl". Did you mean "c@global"?`},
		{"a tensor of one graph", "net", "C", "MP0709", `The graph "net" has no tensor "C". Did you mean "c"?`},
		{"a graph", "nett", "x", "MP0710", `The plan has no graph "nett". Did you mean "net"? Its graphs are "net" and "other".`},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, ds := explain.Tensor(detector(), c.graph, c.tensor)
			require.Nil(t, found)
			require.Len(t, ds, 1)
			assert.Equal(t, c.id, string(ds[0].ID))
			assert.Contains(t, ds[0].Detail, c.detail)
		})
	}
}

func TestNamesOfOthersCannotSteerTheTerminal(t *testing.T) {
	p := detector()
	p.Graphs[0].Tensors[0].Reason.Excluded[0].Because = "\x1b[2J*gone*"
	found, _ := explain.Tensor(p, "net", "x")
	assert.NotContains(t, found[0].Text(), "\x1b")
}

func TestAnExplanationIsWholeAsJSON(t *testing.T) {
	found, _ := explain.Tensor(detector(), "net", "c")
	data, err := json.Marshal(found[0])
	require.NoError(t, err)
	assert.NotContains(t, string(data), `"consumers":null`)
	assert.Contains(t, string(data), `"image":{"width":4,"height":8,"storage_width":8,"storage_height":8,"storage_size":1024,"texel":"rgba_float32","row_pitch":128}`)
	assert.Contains(t, string(data), `"sharers":[{"graph":"net","tensor":"p","first":2,"last":3,"from":null,"to":null}]`)
}
