package rewrite_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/rewrite"
)

// blockBuilder makes x -> mean -> Conv, Clip -> Conv, HardSigmoid -> product with x.
type blockBuilder struct {
	netBuilder
	x, mean, hidden, factors, y graph.TensorID
}

func newBlock() *blockBuilder {
	b := &blockBuilder{}
	b.x = b.tensor("x", graph.Input, 1, 4, 3, 3)
	b.mean = b.tensor("mean", graph.Activation, 1, 4, 1, 1)
	squeezed := b.tensor("squeezed", graph.Activation, 1, 2, 1, 1)
	b.hidden = b.tensor("hidden", graph.Activation, 1, 2, 1, 1)
	excited := b.tensor("excited", graph.Activation, 1, 4, 1, 1)
	b.factors = b.tensor("factors", graph.Activation, 1, 4, 1, 1)
	b.y = b.tensor("y", graph.Activation, 1, 4, 3, 3)
	w1 := b.constant("w1", []int64{2, 4, 1, 1}, make([]float32, 8)...)
	w2 := b.constant("w2", []int64{4, 2, 1, 1}, make([]float32, 8)...)
	bias := b.constant("bias", []int64{4}, 1, 2, 3, 4)
	b.op("GlobalAveragePool", []graph.TensorID{b.mean}, b.x)
	b.op("Conv", []graph.TensorID{squeezed}, b.mean, w1)
	b.op("Clip", []graph.TensorID{b.hidden}, squeezed)
	b.Ops[2].Attrs["min"] = float32(0)
	b.op("Conv", []graph.TensorID{excited}, b.hidden, w2, bias)
	b.op("HardSigmoid", []graph.TensorID{b.factors}, excited)
	b.op("Mul", []graph.TensorID{b.y}, b.factors, b.x)
	return b
}

// fuse runs both rewrites.
func (b *blockBuilder) fuse(t *testing.T, fixed map[graph.TensorID]bool) (*graph.Graph, []rewrite.Note) {
	fused, _ := rewrite.Fuse(&b.Graph, fixed)
	named := map[graph.TensorID]bool{}
	for id := range fixed {
		named[fused.ByName(b.Tensors[id].Name)] = true
	}
	excited, notes := rewrite.SqueezeExcite(fused, named, nil)
	require.NoError(t, excited.Validate())
	return excited, notes
}

func TestASqueezeAndExcitationBlockBecomesOneOp(t *testing.T) {
	b := newBlock()
	b.output(b.y)
	g, notes := b.fuse(t, nil)
	require.Len(t, g.Ops, 1)
	op := g.Ops[0]
	require.Equal(t, []string{"GlobalAveragePool", "Conv", "Clip", "Conv", "HardSigmoid", "Mul"}, op.Fused)
	require.Equal(t, "Mul5", op.Name)
	require.Equal(t, graph.Attrs{"Clip.min": float32(0)}, op.Attrs)
	var operands []string
	for _, id := range op.Inputs {
		name := ""
		if id != graph.NoTensor {
			name = g.Tensors[id].Name
		}
		operands = append(operands, name)
	}
	require.Equal(t, []string{"x", "w1", "", "w2", "bias", "x"}, operands)
	require.Equal(t, []int{0}, g.Overwrites(&op), "it scales x in its place")
	for i, gone := range []string{"mean", "hidden", "factors"} {
		require.Equal(t, []string{gone}, notes[i].Tensors)
		require.Equal(t, `with others it is the squeeze-and-excitation "Mul5"`, notes[i].Because)
	}
}

func TestABlockStays(t *testing.T) {
	for name, change := range map[string]func(b *blockBuilder) map[graph.TensorID]bool{
		"with factors that are an output": func(b *blockBuilder) map[graph.TensorID]bool {
			b.output(b.factors)
			return nil
		},
		"with means that the configuration names": func(b *blockBuilder) map[graph.TensorID]bool {
			return map[graph.TensorID]bool{b.mean: true}
		},
		"of state": func(b *blockBuilder) map[graph.TensorID]bool {
			b.Tensors[b.x].Role, b.Inputs = graph.State, nil
			return nil
		},
		"that scales something else": func(b *blockBuilder) map[graph.TensorID]bool {
			z := b.tensor("z", graph.Input, 1, 4, 3, 3)
			b.Ops[5].Inputs[1] = z
			return nil
		},
		"with a function that kernels of blocks do not have": func(b *blockBuilder) map[graph.TensorID]bool {
			b.Ops[4].Op = "Tanh"
			return nil
		},
		"whose functions cannot be told apart": func(b *blockBuilder) map[graph.TensorID]bool {
			b.Ops[4].Op, b.Ops[4].Attrs = "Clip", graph.Attrs{"min": float32(0.5)}
			return nil
		},
		"in groups": func(b *blockBuilder) map[graph.TensorID]bool {
			b.Ops[1].Attrs["group"] = int64(2)
			return nil
		},
		"with padding": func(b *blockBuilder) map[graph.TensorID]bool {
			b.Ops[1].Attrs["pads"] = []int64{0, 0, 1, 1}
			return nil
		},
		"with weights that are computed": func(b *blockBuilder) map[graph.TensorID]bool {
			id := b.ByName("w1")
			b.Tensors[id].Role, b.Tensors[id].Data = graph.Input, nil
			b.Inputs = append(b.Inputs, id)
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBlock()
			b.output(b.y)
			g, notes := b.fuse(t, change(b))
			require.Empty(t, notes)
			require.Len(t, g.Ops, 4)
		})
	}
}
