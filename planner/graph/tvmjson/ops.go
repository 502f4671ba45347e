package tvmjson

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/jsontext"
)

// addOps adds an op for each call, in the order of the file.
func (im *importer) addOps() {
	var names namer
	for i := range im.doc.nodes {
		n := &im.doc.nodes[i]
		if n.op.Value == "null" {
			continue
		}
		function, _ := n.attr(AttrFuncName)
		op := parseFunction(function.Value)
		outputs := make([]graph.TensorID, im.outs[i])
		for k := range outputs {
			outputs[k] = graph.TensorID(im.first[i] + k)
		}
		inputs := im.entries(n.inputs)
		if function.Value == "__nop" || function.Value == "__copy" {
			im.checkMove(n, inputs, outputs)
		}
		im.g.Ops = append(im.g.Ops, graph.Op{
			Name: names.unique(n.name.Value), Op: op.name, Domain: Domain, Inputs: inputs, Outputs: outputs, Attrs: attrsOf(n), Fused: op.fused,
		})
	}
}

// attrsOf keeps what the inputs and outputs do not say.
func attrsOf(n *node) graph.Attrs {
	attrs := graph.Attrs{}
	for _, a := range n.attrs {
		if a.name != "num_inputs" && a.name != "num_outputs" {
			attrs[a.name] = a.value.Value
		}
	}
	return attrs
}

// checkMove checks that an alias or copy has one tensor on each side, of the same number of bytes.
func (im *importer) checkMove(n *node, inputs, outputs []graph.TensorID) {
	if len(inputs) != 1 || len(outputs) != 1 {
		im.Report(n.at, diag.TVMLengths, "Node %s passes a tensor on and has %d inputs and %d outputs; it must have one of each. Write the file again with TVM.", jsontext.Quoted(n.name.Value), len(inputs), len(outputs))
		return
	}
	from, to := &im.g.Tensors[inputs[0]], &im.g.Tensors[outputs[0]]
	before, _ := from.Shape.Bytes(from.DType)
	after, _ := to.Shape.Bytes(to.DType)
	if before != after {
		im.Report(n.at, diag.TVMLengths, "Node %s passes the %d bytes of %s on as %d bytes. Write the file again with TVM.", jsontext.Quoted(n.name.Value), before, jsontext.Quoted(from.Name), after)
	}
}
