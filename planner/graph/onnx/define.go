package onnx

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// defineValues adds a tensor for every value that has a definition: inputs, initializers, and the outputs of nodes. It
// returns the nodes that become ops, which are all but the Constant ones.
func (im *importer) defineValues(g *graphProto, nodes []node) []node {
	im.defineInputs(g)
	for i := range g.initializers {
		t := &g.initializers[i]
		what := fmt.Sprintf("initializer %q", t.name)
		im.defineConstant(t.name, im.constantOf(t, what), what)
	}
	for i := range g.sparse {
		s := &g.sparse[i]
		what := fmt.Sprintf("sparse initializer %q", s.values.name)
		im.defineConstant(s.values.name, im.sparseConstant(s, what), what)
	}
	ops := make([]node, 0, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		if n.isConstant() {
			im.defineConstantNode(n)
			continue
		}
		for _, name := range n.outputs {
			if name != "" {
				im.define(graph.Tensor{Name: name, Role: graph.Activation}, "an output of "+n.title())
			}
		}
		ops = append(ops, *n)
	}
	return ops
}

// define adds a tensor, or reports that its name has a definition already. what names the new definition.
func (im *importer) define(t graph.Tensor, what string) (graph.TensorID, bool) {
	if first, taken := im.ids[t.Name]; taken {
		im.report(diag.ONNXDuplicateValue, "the name %q of %s belongs to another %s of the graph already. Rename one of the two.",
			t.Name, what, im.graph.Tensors[first].Role)
		return first, false
	}
	return im.add(t), true
}

// defineInputs adds the graph's inputs but for those that an initializer gives a value: files of old versions list all
// initializers as inputs too.
func (im *importer) defineInputs(g *graphProto) {
	given := make(map[string]bool, len(g.initializers)+len(g.sparse))
	for i := range g.initializers {
		given[g.initializers[i].name] = true
	}
	for i := range g.sparse {
		given[g.sparse[i].values.name] = true
	}
	for i := range g.inputs {
		v := &g.inputs[i]
		if given[v.name] {
			continue
		}
		id, ok := im.define(graph.Tensor{Name: v.name, Role: graph.Input}, "an input")
		if ok {
			im.graph.Inputs = append(im.graph.Inputs, id)
		}
	}
}

// defineConstant adds a constant. A nil one was reported: its name is defined all the same, so that its readers are not
// reported too.
func (im *importer) defineConstant(name string, c *graph.AttrTensor, what string) {
	t := graph.Tensor{Name: name, Role: graph.Constant}
	if c != nil {
		t.DType, t.Shape, t.Data = c.DType, c.Shape, c.Data
	}
	im.define(t, what)
}
