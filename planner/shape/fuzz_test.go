package shape_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/shape"
)

func TestTheTableCoversTheOperators(t *testing.T) {
	onnx, tflite := shape.RuleNames()
	t.Logf("%d operators of ONNX and %d of TFLite have a rule", len(onnx), len(tflite))
	assert.GreaterOrEqual(t, len(onnx), 150)
}

// reader takes small numbers from bytes, 0 at the end.
type reader struct{ rest []byte }

func (r *reader) next(limit int) int {
	if len(r.rest) == 0 {
		return 0
	}
	v := int(r.rest[0]) % limit
	r.rest = r.rest[1:]
	return v
}

// edges are the integers that break arithmetic most often, and small ones.
var edges = []int64{0, 1, 2, 3, 4, -1, -2, 7, 16, 1 << 31, 1 << 62, math.MaxInt64, math.MinInt64, -3, 64, 5}

func (r *reader) integer() int64 { return edges[r.next(len(edges))] }

func (r *reader) integers() []int64 {
	out := make([]int64, r.next(6))
	for i := range out {
		out[i] = r.integer()
	}
	return out
}

// attributes are those that some rule reads.
var attributes = []string{
	"axis", "axes", "perm", "pads", "strides", "dilations", "kernel_shape", "group", "auto_pad", "output_padding", "output_shape",
	"ceil_mode", "keepdims", "num_outputs", "blocksize", "to", "equation", "allowzero", "start", "end", "batch_dims", "hidden_size",
	"direction", "layout", "num_groups", "size", "dtype", "shape", "value", "value_ints", "value_int", "keep_aspect_ratio_policy",
	"coordinate_transformation_mode", "noop_with_empty_axes", "transA", "transB", "pooled_shape", "output_height", "output_dtype",
	"batch_axis", "time_axis", "reduction", graph.AttrDataLayout, graph.AttrKernelLayout,
}

var words = []string{
	"", "SAME_UPPER", "VALID", "ij,jk->ik", "...i,...i", "i", "NHWC", "OHWI", "IHWO", "IOHW", "bidirectional", "not_larger",
	"tf_crop_and_resize", "none", "float32", "C",
}

func (r *reader) attribute() graph.Attr {
	switch r.next(5) {
	case 0, 1:
		return r.integer()
	case 2:
		return r.integers()
	case 3:
		return words[r.next(len(words))]
	}
	return &graph.AttrTensor{DType: graph.DType(r.next(18)), Shape: r.integers(), Data: graph.Bytes(make([]byte, r.next(20)))}
}

// tensor makes an input, a result that an earlier op may have written, or a constant.
func (r *reader) tensor(i int) graph.Tensor {
	t := graph.Tensor{Name: fmt.Sprintf("t%d", i), Role: graph.Activation, DType: graph.DType(r.next(17))}
	switch r.next(4) {
	case 0:
		list := r.integers()
		t = *ints(list...)
		t.Name = fmt.Sprintf("t%d", i)
	case 1:
		t = *reals(float32(r.integer()), float32(r.next(9))/4)
		t.Name = fmt.Sprintf("t%d", i)
	case 2:
		t.Shape, t.Role = r.integers(), graph.Input
	}
	return t
}

// randomGraph makes a graph of a few ops from bytes, with any number of faults.
func randomGraph(content []byte) *graph.Graph {
	r := &reader{rest: content}
	names, _ := shape.RuleNames()
	g := &graph.Graph{Format: []string{"onnx", "tflite"}[r.next(2)]}
	for i := range 3 + r.next(8) {
		g.Tensors = append(g.Tensors, r.tensor(i))
	}
	for i := range 1 + r.next(4) {
		op := graph.Op{Name: fmt.Sprintf("op%d", i), Op: names[r.next(len(names))], Attrs: graph.Attrs{}}
		for range r.next(5) {
			op.Inputs = append(op.Inputs, graph.TensorID(r.next(len(g.Tensors)+2)-1))
		}
		for range r.next(4) {
			op.Attrs[attributes[r.next(len(attributes))]] = r.attribute()
		}
		for range 1 + r.next(3) {
			op.Outputs = append(op.Outputs, graph.TensorID(len(g.Tensors)))
			g.Tensors = append(g.Tensors, graph.Tensor{Name: fmt.Sprintf("t%d", len(g.Tensors)), Role: graph.Activation})
		}
		g.Ops = append(g.Ops, op)
	}
	return g
}

// checkInferred requires of a graph without errors that each tensor has a type whose size fits.
func checkInferred(t require.TestingT, g *graph.Graph, result *shape.Result, diags diag.Diagnostics) {
	for _, d := range diags {
		require.NotContains(t, d.Detail, "%!", d.ID)
	}
	if !diags.HasErrors() {
		for i := range g.Tensors {
			_, ok := g.Tensors[i].Shape.Bytes(g.Tensors[i].DType)
			require.True(t, ok, "%s: %s %s", g.Tensors[i].Name, g.Tensors[i].DType, g.Tensors[i].Shape)
		}
	}
	for id, value := range result.Known {
		require.Equal(t, g.Tensor(id).DType, value.DType)
		require.True(t, g.Tensor(id).Shape.Equal(value.Shape))
	}
}

func FuzzInfer(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 3, 1, 2, 4, 1, 2, 3, 3, 1, 0, 4, 1, 2, 3, 4, 1, 40, 2, 1, 2, 1, 7, 2, 2, 1, 1})
	f.Add([]byte("some bytes that pick tensors, operators, attributes and their values for a graph of a few ops"))
	f.Fuzz(func(t *testing.T, content []byte) {
		g := randomGraph(content)
		result, diags := shape.Infer(g, dims{"N": {Value: 2, Max: true}})
		checkInferred(t, g, result, diags)
	})
}

func TestAnyGraphIsInferredOrRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := randomGraph(rapid.SliceOfN(rapid.Byte(), 0, 80).Draw(t, "content"))
		result, diags := shape.Infer(g, nil)
		checkInferred(t, g, result, diags)
	})
}

func TestInferringTwiceChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := randomGraph(rapid.SliceOfN(rapid.Byte(), 0, 80).Draw(t, "content"))
		if _, diags := shape.Infer(g, nil); diags.HasErrors() {
			return
		}
		before := append([]graph.Tensor{}, g.Tensors...)
		_, diags := shape.Infer(g, nil)
		require.Empty(t, diags)
		for i := range before {
			require.Equal(t, before[i].Shape, g.Tensors[i].Shape)
		}
	})
}

// hostileCase draws an op with operands that are often nearly right.
func hostileCase(t *rapid.T) opCase {
	names, _ := shape.RuleNames()
	c := opCase{op: rapid.SampledFrom(names).Draw(t, "op"), attrs: graph.Attrs{}, outputs: rapid.IntRange(1, 3).Draw(t, "outputs")}
	extent := rapid.OneOf(rapid.Int64Range(0, 4), rapid.SampledFrom([]int64{8, 16, 1 << 31, 1 << 62, math.MaxInt64}))
	value := rapid.OneOf(rapid.Int64Range(-4, 4), rapid.SampledFrom(edges))
	rank := rapid.IntRange(0, 5).Draw(t, "rank")
	for range rapid.IntRange(0, 9).Draw(t, "inputs") {
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			c.in = append(c.in, ints(rapid.SliceOfN(value, 0, 2*rank).Draw(t, "values")...))
		case 1:
			c.in = append(c.in, reals(rapid.SliceOfN(rapid.Float32(), rank, rank).Draw(t, "reals")...))
		case 2:
			c.in = append(c.in, number(value.Draw(t, "number")))
		case 3:
			c.in = append(c.in, typed(graph.Int64, rapid.SliceOfN(extent, 0, 4).Draw(t, "indices")...))
		default:
			c.in = append(c.in, data(rapid.SliceOfN(extent, rank, rank).Draw(t, "extents")...))
		}
	}
	for range rapid.IntRange(0, 4).Draw(t, "attributes") {
		var v graph.Attr
		switch rapid.IntRange(0, 2).Draw(t, "form") {
		case 0:
			v = value.Draw(t, "integer")
		case 1:
			v = rapid.SliceOfN(value, 0, 2*rank).Draw(t, "list")
		case 2:
			v = rapid.SampledFrom(words).Draw(t, "word")
		}
		c.attrs[rapid.SampledFrom(attributes).Draw(t, "attribute")] = v
	}
	return c
}

func TestNoRuleTrustsItsOperands(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := hostileCase(t).graphOf()
		result, diags := shape.Infer(g, nil)
		checkInferred(t, g, result, diags)
	})
}
