package planner_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/native"
	"github.com/memplan/memplan/planner/plan"
)

// adreno is a device whose images have sides up to the given number of texels, with a pool of each type. Ops named
// Painter read and write images, ops named Reader read them, and all others are flat.
func adreno(side int) string {
	return fmt.Sprintf(`
device "gpu" {
  driver         = "none"
  base_alignment = 1
  image2d {
    max_width       = %d
    max_height      = %d
    pitch_alignment = 1
  }
  capability {
    op     = ["Painter"]
    data   = ["global", "global.texture"]
    output = ["global.texture"]
  }
}
pool "images" {
  device = device.gpu
  type   = "texture"
  holds  = ["activation"]
}
pool "arena" { device = device.gpu }
graph "g" {
  source = "net.json"
  device = device.gpu
}
scope_rule "paint" {
  match {
    op      = ["Painter", "Conv"]
    operand = ["output"]
    role    = ["activation"]
  }
  scope = "global.texture"
}
`, side, side)
}

// sketch is a graph of activations [1, 4·n, h, w] of float32 in NCHW, written down by the ops alone.
type sketch struct{ graph.Graph }

func (s *sketch) tensor(name string, role graph.Role, shape ...int64) *sketch {
	id := graph.TensorID(len(s.Tensors))
	t := graph.Tensor{Name: name, Role: role, DType: graph.Float32, Shape: shape}
	if len(shape) == 4 {
		t.Layout = "NCHW"
	}
	s.Tensors = append(s.Tensors, t)
	switch role {
	case graph.Input:
		s.Inputs = append(s.Inputs, id)
	case graph.Output:
		s.Outputs = append(s.Outputs, id)
	}
	return s
}

// op adds an op of the type before the dot.
func (s *sketch) op(name string, inputs, outputs string) *sketch {
	kind, _, _ := strings.Cut(name, ".")
	op := graph.Op{Name: name, Op: kind}
	for _, input := range strings.Fields(inputs) {
		op.Inputs = append(op.Inputs, s.ByName(input))
	}
	for _, output := range strings.Fields(outputs) {
		op.Outputs = append(op.Outputs, s.ByName(output))
	}
	s.Ops = append(s.Ops, op)
	return s
}

func (s *sketch) text(t require.TestingT) string {
	var b bytes.Buffer
	s.Name = "net"
	require.NoError(t, native.Write(&b, &s.Graph))
	return b.String()
}

func images(p *plan.Plan) (out []plan.Storage) {
	for _, s := range p.Storages {
		if s.Texel != "" {
			out = append(out, s)
		}
	}
	return out
}

func TestOneTallAndOneWideImageAreNotOneLargeOne(t *testing.T) {
	s := new(sketch).tensor("x", graph.Input, 1).tensor("wide", graph.Activation, 1, 4, 768, 1024).tensor("between", graph.Activation, 1).
		tensor("tall", graph.Activation, 1, 4, 12455, 64).tensor("y", graph.Output, 1).
		op("Painter.1", "x", "wide").op("Flat.1", "wide", "between").op("Painter.2", "between", "tall").op("Flat.2", "tall", "y")
	// A flat reader needs a copy; that one is flat and takes no texels.
	p := world{"main.hcl": adreno(16384), "net.json": s.text(t)}.must(t)
	total := int64(0)
	for _, image := range images(p) {
		total += image.Width * image.Height
	}
	require.Len(t, images(p), 2)
	require.EqualValues(t, 1024*768+64*12455, total)
	require.EqualValues(t, 1583552, total)
	require.EqualValues(t, 1583552*16, pool(t, p, "images").Peak)
	require.Equal(t, "optimal", pool(t, p, "images").Optimality)
}

func TestFewerChannelsThanATexelHasStayFlat(t *testing.T) {
	s := new(sketch).tensor("x", graph.Input, 1, 3, 8, 8).tensor("w", graph.Constant, 3, 3, 3, 3).tensor("c", graph.Activation, 1, 3, 6, 6).tensor("y", graph.Output, 1).
		op("Conv.1", "x w", "c").op("Flat.2", "c", "y")
	result, diags := world{"main.hcl": adreno(16384), "net.json": s.text(t)}.plan(t)
	require.Len(t, diags, 1)
	require.Equal(t, "MP0509", string(diags[0].ID))
	require.Contains(t, diags[0].Detail, "channels 3 < 4")
	c := tensor(t, result.Plan, "c")
	require.Equal(t, "global", c.Scope)
	require.Equal(t, []plan.Exclusion{{Scope: "global.texture", Because: "channels 3 < 4, the channels of one texel"}}, c.Reason.Excluded)
}

func TestTheLimitsOfTheDeviceDecideAndAreNamed(t *testing.T) {
	s := new(sketch).tensor("x", graph.Input, 1).tensor("a", graph.Activation, 1, 4, 32, 100).tensor("y", graph.Output, 1).
		op("Painter.1", "x", "a").op("Flat.2", "a", "y")
	for _, c := range []struct {
		side           int
		scope, because string
	}{
		{200, "global.texture", ""},
		{100, "global.texture", ""}, // a side equal to the limit is allowed
		{99, "global", "width 100 exceeds max_width 99"},
	} {
		result, diags := world{"main.hcl": adreno(c.side), "net.json": s.text(t)}.plan(t)
		a := tensor(t, result.Plan, "a")
		require.Equal(t, c.scope, a.Scope)
		if c.because == "" {
			require.Empty(t, diags)
			continue
		}
		require.Len(t, diags, 1)
		require.Contains(t, diags[0].Detail, c.because)
		require.Equal(t, c.because, a.Reason.Excluded[0].Because)
	}
}

func TestFlatReadersShareOneCopyOfAnImage(t *testing.T) {
	s := new(sketch).tensor("x", graph.Input, 1).tensor("a", graph.Activation, 1, 8, 6, 6).tensor("b", graph.Activation, 1).tensor("c", graph.Activation, 1).tensor("y", graph.Output, 1).
		op("Painter.1", "x", "a").op("Flat.1", "a", "b").op("Flat.2", "a", "c").op("Flat.3", "b c", "y")
	p := world{"main.hcl": adreno(16384), "net.json": s.text(t)}.must(t)
	require.Equal(t, []plan.Copy{{Tensor: "a", To: "a@global", Step: 1, Bytes: 8 * 6 * 6 * 4, Because: "Flat Flat.1 reads it in global"}}, p.Graphs[0].Copies)
	require.Equal(t, &plan.Scopes{Policy: "mincopy", CopiedBytes: 8 * 6 * 6 * 4, Exact: true}, p.Graphs[0].Scopes)
	var readers []string
	for _, step := range p.Graphs[0].Steps {
		if slices.Contains(step.Inputs, "a@global") {
			readers = append(readers, step.Name)
		}
	}
	require.Equal(t, []string{"Flat.1", "Flat.2"}, readers)
	copied := tensor(t, p, "a@global")
	require.EqualValues(t, 1, copied.First)
	require.EqualValues(t, 4, copied.Last, "a copy lives until its last reader")
}

func TestAKernelOfAnOpenCLDeviceWritesNoImageThatItReads(t *testing.T) {
	s := new(sketch).tensor("x", graph.Input, 1).tensor("a", graph.Activation, 1, 8, 6, 6).tensor("b", graph.Activation, 1, 8, 6, 6).tensor("y", graph.Output, 1).
		op("Painter.1", "x", "a").op("Relu.1", "a", "b").op("Flat.1", "b", "y")
	config := strings.NewReplacer(`["Painter"]`, `["Painter", "Relu"]`, `["Painter", "Conv"]`, `["Painter", "Relu"]`).Replace(adreno(16384)) +
		`planner { views = ["reshape", "inplace"] }`
	for driver, want := range map[string]int{"none": 1, "host": 1, "opencl": 2} {
		t.Run(driver, func(t *testing.T) {
			p := world{"main.hcl": strings.Replace(config, `"none"`, `"`+driver+`"`, 1), "net.json": s.text(t)}.must(t)
			require.Equal(t, "global.texture", tensor(t, p, "b").Scope)
			require.Len(t, images(p), want)
		})
	}
}

// tvmGraph is a graph of TVM's: a convolution of an input, with the given scopes of input, weights and result.
func tvmGraph(scopes ...string) string {
	quoted := `"` + strings.Join(scopes, `", "`) + `"`
	return `{"nodes": [{"op": "null", "name": "data", "inputs": []}, {"op": "null", "name": "p0", "inputs": []},
	  {"op": "tvm_op", "name": "tvmgen_default_fused_nn_conv2d", "attrs": {"func_name": "tvmgen_default_fused_nn_conv2d", "num_inputs": "2", "num_outputs": "1", "flatten_data": "0"}, "inputs": [[0, 0, 0], [1, 0, 0]]}],
	 "arg_nodes": [0, 1], "heads": [[2, 0, 0]], "node_row_ptr": [0, 1, 2, 3],
	 "attrs": {"dltype": ["list_str", ["float32", "float32", "float32"]], "storage_id": ["list_int", [0, 1, 2]],
	  "storage_scope": ["list_str", [` + quoted + `]], "shape": ["list_shape", [[1, 2, 10, 10, 4], [2, 8, 3, 3, 4], [1, 2, 8, 8, 4]]]}}`
}

func TestTheEmptyScopeIsGlobal(t *testing.T) {
	bytesOf := func(text string) string {
		p := world{"main.hcl": adreno(16384), "net.json": text}.plannedFor(t)
		require.NotEmpty(t, p.Graphs[0].Digest)
		p.Graphs[0].Digest = "" // the files differ
		data, err := plan.Encode(p)
		require.NoError(t, err)
		return string(data)
	}
	empty := bytesOf(tvmGraph("", "", ""))
	require.Equal(t, empty, bytesOf(tvmGraph("global", "global", "global")))
	require.Equal(t, empty, bytesOf(tvmGraph("", "global", "")))
	require.Equal(t, bytesOf(tvmGraph("", "global.texture-weight", "")), bytesOf(tvmGraph("global", "global.texture-weight", "global")))
}

// plannedFor plans main.hcl, of which warnings do not matter.
func (w world) plannedFor(t *testing.T) *plan.Plan {
	t.Helper()
	result, diags := w.plan(t)
	require.False(t, diags.HasErrors(), "%v", diags)
	return result.Plan
}

func TestAScopeOfAGraphFileThatDoesNotExistIsAnError(t *testing.T) {
	_, diags := world{"main.hcl": adreno(16384), "net.json": tvmGraph("", "global.textur", "")}.plan(t)
	require.Len(t, diags, 1)
	require.Equal(t, "MP0346", string(diags[0].ID))
	require.Contains(t, diags[0].Detail, `Did you mean "global.texture"?`)
}

func TestScopesOfAGraphFileAreKept(t *testing.T) {
	w := world{"main.hcl": strings.Replace(adreno(16384), `["activation"]`, `["activation", "constant", "input"]`, 1), "net.json": tvmGraph("global.texture", "global.texture-weight", "global")}
	p := w.plannedFor(t)
	require.Equal(t, "global.texture", tensor(t, p, "data").Scope)
	require.Equal(t, "global.texture-weight", tensor(t, p, "p0").Scope)
	require.Equal(t, "source", *tensor(t, p, "p0").Reason.Policy)
	require.Empty(t, p.Graphs[0].Copies)

	w["main.hcl"] += `
scope_rule "flat" {
  match { tensor = ["p0"] }
  scope = "global"
}`
	p = w.plannedFor(t)
	require.Equal(t, "global", tensor(t, p, "p0").Scope)
	require.Equal(t, "scope_rule.flat", *tensor(t, p, "p0").Reason.Rule)
}
