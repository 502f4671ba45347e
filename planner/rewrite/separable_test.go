package rewrite_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/rewrite"
)

// separableBuilder makes x -> depthwise Conv, Clip -> pointwise Conv, sum with z, Relu.
type separableBuilder struct {
	netBuilder
	x, between, z, y graph.TensorID
}

// newSeparable has channels of x and of the result, and a stride.
func newSeparable(c, oc, size, stride int64) *separableBuilder {
	b := &separableBuilder{}
	out := size / stride
	b.x = b.tensor("x", graph.Input, 1, c, size, size)
	b.z = b.tensor("z", graph.Input, 1, oc, out, out)
	first := b.tensor("first", graph.Activation, 1, c, out, out)
	b.between = b.tensor("between", graph.Activation, 1, c, out, out)
	second := b.tensor("second", graph.Activation, 1, oc, out, out)
	sum := b.tensor("sum", graph.Activation, 1, oc, out, out)
	b.y = b.tensor("y", graph.Activation, 1, oc, out, out)
	w := b.constant("w", []int64{c, 1, 3, 3}, make([]float32, 9*c)...)
	v := b.constant("v", []int64{oc, c, 1, 1}, make([]float32, c*oc)...)
	bias := b.constant("bias", []int64{oc}, make([]float32, oc)...)
	b.op("Conv", []graph.TensorID{first}, b.x, w)
	b.Ops[0].Attrs["group"], b.Ops[0].Attrs["pads"], b.Ops[0].Attrs["strides"] = c, []int64{1, 1, 1, 1}, []int64{stride, stride}
	b.op("Clip", []graph.TensorID{b.between}, first)
	b.Ops[1].Attrs["max"] = float32(6)
	b.op("Conv", []graph.TensorID{second}, b.between, v, bias)
	b.op("Add", []graph.TensorID{sum}, second, b.z)
	b.op("Relu", []graph.TensorID{b.y}, sum)
	return b
}

func (b *separableBuilder) fuse(t *testing.T, fixed map[graph.TensorID]bool) (*graph.Graph, []rewrite.Note) {
	fused, _ := rewrite.Fuse(&b.Graph, fixed)
	named := map[graph.TensorID]bool{}
	for id := range fixed {
		named[fused.ByName(b.Tensors[id].Name)] = true
	}
	g, notes := rewrite.Separable(fused, named, nil)
	require.NoError(t, g.Validate())
	return g, notes
}

func TestASeparableConvolutionBecomesOneOp(t *testing.T) {
	b := newSeparable(4, 6, 8, 1)
	b.output(b.y)
	g, notes := b.fuse(t, nil)
	require.Len(t, g.Ops, 1)
	op := g.Ops[0]
	require.Equal(t, []string{"Conv", "Clip", "Conv", "Add", "Relu"}, op.Fused)
	require.Equal(t, 2, op.Separable())
	require.Equal(t, "Conv2", op.Name)
	require.Equal(t, float32(6), op.Attrs["Clip.max"])
	require.EqualValues(t, 4, op.Attrs["group"])
	var operands []string
	for _, id := range op.Inputs {
		name := ""
		if id != graph.NoTensor {
			name = g.Tensors[id].Name
		}
		operands = append(operands, name)
	}
	require.Equal(t, []string{"x", "w", "", "v", "bias", "z"}, operands)
	require.Equal(t, []int{5}, g.Overwrites(&op), "the result may be written over what is added to it")
	require.Empty(t, g.Diagonals(&op))
	require.Equal(t, graph.NoTensor, g.ByName("between"))
	require.Len(t, notes, 1)
	require.Equal(t, rewrite.Note{Rewrite: "fuse", Op: "Conv0", Tensors: []string{"between"}, Because: `"Conv2" computes it a few pixels at a time`}, notes[0])
}

func TestAConvolutionWithAStrideIsTakenWhereThatHoldsNoMore(t *testing.T) {
	for oc, ops := range map[int64]int{4: 1, 5: 2} {
		b := newSeparable(4, oc, 8, 2)
		b.output(b.y)
		g, _ := b.fuse(t, nil)
		require.Len(t, g.Ops, ops, "%d channels of the result", oc)
	}
}

func TestConvolutionsStayApart(t *testing.T) {
	for name, change := range map[string]func(b *separableBuilder) map[graph.TensorID]bool{
		"whose tensor between is an output": func(b *separableBuilder) map[graph.TensorID]bool {
			b.output(b.between)
			return nil
		},
		"whose tensor between has a name in the configuration": func(b *separableBuilder) map[graph.TensorID]bool {
			return map[graph.TensorID]bool{b.between: true}
		},
		"of state": func(b *separableBuilder) map[graph.TensorID]bool {
			b.Tensors[b.x].Role, b.Inputs = graph.State, []graph.TensorID{b.z}
			return nil
		},
		"with a function between that kernels do not have": func(b *separableBuilder) map[graph.TensorID]bool {
			b.Ops[1].Op, b.Ops[1].Attrs = "Tanh", nil
			return nil
		},
		"with padding of the second": func(b *separableBuilder) map[graph.TensorID]bool {
			b.Ops[2].Attrs["pads"] = []int64{1, 1, 0, 0}
			return nil
		},
		"with groups of several channels": func(b *separableBuilder) map[graph.TensorID]bool {
			b.Ops[0].Attrs["group"] = int64(2)
			return nil
		},
		"with limits that cannot be told apart": func(b *separableBuilder) map[graph.TensorID]bool {
			b.Ops[4].Op, b.Ops[4].Attrs = "Clip", graph.Attrs{"max": float32(1)}
			return nil
		},
		"with a limit that the second does not have": func(b *separableBuilder) map[graph.TensorID]bool {
			b.Ops[4].Op, b.Ops[4].Attrs = "Clip", graph.Attrs{}
			return nil
		},
		"with a limit that the first does not have": func(b *separableBuilder) map[graph.TensorID]bool {
			b.Ops[4].Op, b.Ops[4].Attrs = "Clip", graph.Attrs{"min": float32(0), "max": float32(6)}
			return nil
		},
		"with weights that are computed": func(b *separableBuilder) map[graph.TensorID]bool {
			id := b.ByName("v")
			b.Tensors[id].Role, b.Tensors[id].Data = graph.Input, nil
			b.Inputs = append(b.Inputs, id)
			return nil
		},
		"in different layouts": func(b *separableBuilder) map[graph.TensorID]bool {
			b.Ops[2].Attrs[graph.AttrDataLayout] = "NHWC"
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newSeparable(4, 4, 4, 1)
			b.output(b.y)
			g, notes := b.fuse(t, change(b))
			require.Empty(t, notes)
			require.Len(t, g.Ops, 2)
		})
	}
}
