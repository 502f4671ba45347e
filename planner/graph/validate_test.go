package graph

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestValidateNamesTheFault(t *testing.T) {
	valid := func() *Graph {
		return &Graph{
			Name: "net",
			Tensors: []Tensor{
				{Name: "x", Role: Input}, {Name: "c", Role: Constant, Data: Bytes{1}}, {Name: "t", Role: Activation},
				{Name: "y", Role: Output}, {Name: "s", Role: State},
			},
			Ops: []Op{
				{Name: "first", Inputs: []TensorID{0, 1, NoTensor}, Outputs: []TensorID{2, NoTensor}},
				{Name: "second", Inputs: []TensorID{2, 4}, Outputs: []TensorID{3, 4}},
			},
			Inputs: []TensorID{0}, Outputs: []TensorID{3},
		}
	}
	assert.NoError(t, valid().Validate())
	for _, c := range []struct {
		name  string
		spoil func(g *Graph)
		says  string
	}{
		{"an empty name", func(g *Graph) { g.Tensors[2].Name = "" }, "tensor 2 has the name"},
		{"a name twice", func(g *Graph) { g.Tensors[2].Name = "x" }, "empty or taken"},
		{"content of an activation", func(g *Graph) { g.Tensors[2].Data = Bytes{} }, "content and role activation"},
		{"a missing graph input", func(g *Graph) { g.Inputs[0] = 9 }, "its input 9 does not exist"},
		{"a missing graph output", func(g *Graph) { g.Outputs[0] = NoTensor }, "its output -1 does not exist"},
		{"a missing operand", func(g *Graph) { g.Ops[0].Inputs[0] = 9 }, "input 9 does not exist"},
		{"a missing result", func(g *Graph) { g.Ops[0].Outputs[0] = -2 }, "output -2 does not exist"},
		{"reading ahead", func(g *Graph) { g.Ops[0], g.Ops[1] = g.Ops[1], g.Ops[0] }, `op "second": it reads "t" before`},
		{"two producers", func(g *Graph) { g.Ops[1].Outputs[0] = 2 }, `produces "t", which has role activation or another`},
		{"writing an input", func(g *Graph) { g.Ops[1].Outputs[0] = 0 }, `produces "x"`},
		{"writing a constant", func(g *Graph) { g.Ops[1].Outputs[0] = 1 }, `produces "c"`},
		{"an output from nowhere", func(g *Graph) { g.Ops = g.Ops[:1] }, `nothing produces its output "y"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := valid()
			c.spoil(g)
			assert.ErrorContains(t, g.Validate(), c.says)
		})
	}
}
