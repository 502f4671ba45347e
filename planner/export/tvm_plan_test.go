package export_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/export"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

func at(offset int64) *int64 { return &offset }

func named(name string) *string { return &name }

// texturePlan is a graph on a device with textures: the image of "a" is copied to flat memory, whose bytes "c" views from
// inside, and the caller owns "x".
func texturePlan() (*plan.Plan, *graph.Graph) {
	g := &graph.Graph{
		Name: "net", Format: "json",
		Tensors: []graph.Tensor{
			{Name: "x", Role: graph.Input, DType: graph.Float32, Shape: graph.Shape{1, 5, 2, 2}, Layout: "NCHW"},
			{Name: "a", Role: graph.Activation, DType: graph.Float32, Shape: graph.Shape{1, 2, 2, 2, 4}, Layout: "NCHW4c"},
			{Name: "b", Role: graph.Activation, DType: graph.Float32, Shape: graph.Shape{1, 2, 2, 2, 4}, Layout: "NCHW4c"},
			{Name: "c", Role: graph.Output, DType: graph.Float32, Shape: graph.Shape{4}},
		},
		Ops: []graph.Op{
			{Name: "relu", Op: "Relu", Inputs: []graph.TensorID{0}, Outputs: []graph.TensorID{1}},
			{Name: "copy", Op: "Copy", Domain: "memplan", Inputs: []graph.TensorID{1}, Outputs: []graph.TensorID{2}},
			{Name: "", Op: "Slice", Inputs: []graph.TensorID{2, graph.NoTensor}, Outputs: []graph.TensorID{3, graph.NoTensor}},
		},
		Inputs: []graph.TensorID{0}, Outputs: []graph.TensorID{3},
	}
	shape := []int64{1, 2, 2, 2, 4}
	p := &plan.Plan{
		Devices:  []plan.Device{{Name: "gpu", Driver: "opencl"}},
		Pools:    []plan.Pool{{Name: "images", Device: "gpu", Type: "texture"}, {Name: "arena", Device: "gpu", Type: "flat"}},
		Storages: []plan.Storage{{ID: 4, Pool: "images", Texel: "rgba_float32", Size: 128}, {ID: 5, Pool: "arena", Offset: at(64), Size: 128}},
		Graphs: []plan.Graph{{
			Name: "net",
			Steps: []plan.Step{
				{Step: 0, Op: "Relu", Name: "relu", Inputs: []string{"x"}, Outputs: []string{"a"}},
				{Step: 1, Op: "Copy", Name: "copy", Inputs: []string{"a"}, Outputs: []string{"b"}},
				{Step: 2, Op: "Slice", Inputs: []string{"b", ""}, Outputs: []string{"c", ""}},
			},
			Tensors: []plan.Tensor{
				{Name: "x", Role: "input", DType: "float32", Shape: []int64{1, 5, 2, 2}, Layout: "NCHW", Scope: "global"},
				{Name: "a", Role: "activation", DType: "float32", Shape: shape, Layout: "NCHW4c", Scope: "global.texture", Pool: "images", Storage: 4, Size: 128},
				{Name: "b", Role: "activation", DType: "float32", Shape: shape, Layout: "NCHW4c", Scope: "global", Pool: "arena", Storage: 5, Offset: at(64), Size: 128},
				{Name: "c", Role: "output", DType: "float32", Shape: []int64{4}, Scope: "global", Pool: "arena", Storage: 5, Offset: at(80), Size: 16, ViewOf: named("b"), ViewOffset: 16},
			},
			Copies: []plan.Copy{{Tensor: "a", To: "b", Step: 1, Bytes: 128}},
		}},
	}
	return p, g
}

func TestImagesAndMemoryOfTheCallerHaveStoragesOfTheirOwn(t *testing.T) {
	p, g := texturePlan()
	var out bytes.Buffer
	require.NoError(t, export.TVM(&out, p, "net", g, export.TVMOptions{}))
	var f file
	require.NoError(t, json.Unmarshal(out.Bytes(), &f))
	assert.Equal(t, []int64{0, 1, 2, 2}, f.integers(t, "storage_id"))
	assert.Equal(t, []int64{0, 0, 64, 80}, f.integers(t, "offset"))
	assert.Equal(t, []int64{4, 4, 4, 4}, f.integers(t, "device_index"))
	assert.JSONEq(t, `["list_str", ["global", "global.texture", "global", "global"]]`, list(f, "storage_scope"))
	assert.JSONEq(t, `["list_shape", [[1, 5, 2, 2], [1, 2, 2, 2, 4], [1, 2, 2, 2, 4], [4]]]`, list(f, "shape"))
	assert.Equal(t, "__copy", f.Nodes[2].Attrs["func_name"])
	assert.Equal(t, "c", f.Nodes[3].Attrs["func_name"], "an op without a name is called like its result")

	var again bytes.Buffer
	require.NoError(t, export.TVM(&again, p, "net", imported(t, out.String()), export.TVMOptions{}))
	assert.Equal(t, out.String(), again.String())
}

func list(f file, name string) string {
	b, err := json.Marshal(f.Attrs[name])
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func TestAnImageOfPlainChannelsIsPackedByItsLayout(t *testing.T) {
	for layout, want := range map[string]string{"OIHW": "[2, 5, 5, 5, 4]", "NHWC": "[5, 5, 5, 2, 4]", "NCHW": "[5, 2, 5, 5, 4]", "": "[5, 2, 5, 5, 4]", "WHEN": "[5, 5, 5, 5]"} {
		p, g := texturePlan()
		p.Graphs[0].Tensors[1].Layout, p.Graphs[0].Tensors[1].Shape, g.Tensors[1].Shape = layout, []int64{5, 5, 5, 5}, graph.Shape{5, 5, 5, 5}
		var out bytes.Buffer
		require.NoError(t, export.TVM(&out, p, "net", g, export.TVMOptions{}))
		assert.Contains(t, out.String(), "[1, 5, 2, 2], "+want+", [1, 2, 2, 2, 4]", layout)
		if layout != "WHEN" {
			assert.Contains(t, out.String(), `"name": "b", "attrs": {"flatten_data": "0", "func_name": "copy",`, "bytes alone do not pack channels")
		}
	}
}

func TestDevicesThatTVMDoesNotNumberAreLeftOut(t *testing.T) {
	p, g := texturePlan()
	p.Devices[0].Driver = "none"
	var out bytes.Buffer
	require.NoError(t, export.TVM(&out, p, "net", g, export.TVMOptions{}))
	assert.NotContains(t, out.String(), "device_index")
}

func TestPlansThatTVMCannotHoldAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change func(p *plan.Plan, g *graph.Graph)
		opts   export.TVMOptions
		want   string
	}{
		"a view from inside without offsets": {func(*plan.Plan, *graph.Graph) {}, export.TVMOptions{NoOffset: true}, `"c" starts 16 bytes behind the start of "b"`},
		"another graph":                      {func(p *plan.Plan, _ *graph.Graph) { p.Graphs[0].Name = "other" }, export.TVMOptions{}, "no graph of that name"},
		"a step more":                        {func(_ *plan.Plan, g *graph.Graph) { g.Ops = g.Ops[:2] }, export.TVMOptions{}, "3 steps and the graph 2 ops"},
		"a result more":                      {func(p *plan.Plan, _ *graph.Graph) { p.Graphs[0].Steps[0].Outputs = []string{"a", "b"} }, export.TVMOptions{}, "has 2 results and the op \"relu\" has 1"},
		"another shape":                      {func(p *plan.Plan, _ *graph.Graph) { p.Graphs[0].Tensors[1].Shape = []int64{7} }, export.TVMOptions{}, `"a" as float32 [7]`},
		"another name":                       {func(_ *plan.Plan, g *graph.Graph) { g.Tensors[1].Name = "z" }, export.TVMOptions{}, `where the graph has "z"`},
		"a tensor without a place":           {func(p *plan.Plan, _ *graph.Graph) { p.Graphs[0].Tensors = p.Graphs[0].Tensors[:3] }, export.TVMOptions{}, `does not place the tensor "c"`},
		"an input without a place":           {func(p *plan.Plan, _ *graph.Graph) { p.Graphs[0].Tensors = p.Graphs[0].Tensors[1:] }, export.TVMOptions{}, `does not place the tensor "x"`},
		"a storage that is missing":          {func(p *plan.Plan, _ *graph.Graph) { p.Storages = p.Storages[:1] }, export.TVMOptions{}, "does not have the storage 5"},
		"flat memory without an offset":      {func(p *plan.Plan, _ *graph.Graph) { p.Graphs[0].Tensors[2].Offset = nil }, export.TVMOptions{}, `gives the tensor "b" no offset`},
		"state that an op writes":            {func(_ *plan.Plan, g *graph.Graph) { g.Tensors[1].Role = graph.State }, export.TVMOptions{}, `writes the state "a"`},
		"an element type TVM does not have": {func(p *plan.Plan, g *graph.Graph) {
			p.Graphs[0].Tensors[0].DType, g.Tensors[0].DType = "complex64", graph.Complex64
		}, export.TVMOptions{},
			"complex64, which TVM does not know"},
		"a name with a control character": {func(p *plan.Plan, g *graph.Graph) { p.Graphs[0].Tensors[0].Name, g.Tensors[0].Name = "x\x01", "x\x01" }, export.TVMOptions{}, "control character"},
		"a name that is not UTF-8":        {func(p *plan.Plan, g *graph.Graph) { p.Graphs[0].Tensors[0].Name, g.Tensors[0].Name = "x\xff", "x\xff" }, export.TVMOptions{}, "not UTF-8"},
		"an op that reads too early":      {func(_ *plan.Plan, g *graph.Graph) { g.Ops[0].Inputs[0] = 2 }, export.TVMOptions{}, `reads "b" before`},
	} {
		t.Run(name, func(t *testing.T) {
			p, g := texturePlan()
			c.change(p, g)
			var out bytes.Buffer
			err := export.TVM(&out, p, "net", g, c.opts)
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.want)
			assert.Contains(t, err.Error(), `exporting graph "net" to TVM`)
			assert.Empty(t, out.Bytes(), "nothing is written of a graph that cannot be")
		})
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

var errFull = errors.New("the disk is full")

func TestAFailingWriterIsReported(t *testing.T) {
	p, g := texturePlan()
	require.ErrorIs(t, export.TVM(fullDisk{}, p, "net", g, export.TVMOptions{}), errFull)
}

func TestNamesAreWrittenAsTVMReadsThem(t *testing.T) {
	p, g := texturePlan()
	const odd = "x\\ \"é\"\t<&>\u2028\n"
	p.Graphs[0].Tensors[0].Name, g.Tensors[0].Name = odd, odd
	var out bytes.Buffer
	require.NoError(t, export.TVM(&out, p, "net", g, export.TVMOptions{}))
	assert.NotContains(t, out.String(), `\u`)
	assert.Equal(t, odd, imported(t, out.String()).Tensors[0].Name)
}
