package schema

import "github.com/memplan/memplan/lang/addr"

// graphInputBlock connects an input of a graph with the output of another.
var graphInputBlock = Block{
	Type:  "input",
	Label: &Label{Name: "tensor", Doc: "The input's name in the model.", Free: true},
	Doc: "Takes an input of this graph from the output of another one on the same device, which then runs before it. Both are the same bytes: nothing is copied, and the " +
		"output keeps its place until the last reader of the input is done. Their shapes and element types are the same. Such a tensor is flat, and whoever runs the graph gives no value for it.",
	Attributes: []Attribute{
		{Name: "graph", Type: Reference, Refers: addr.Graph, Required: true, Example: "graph.backbone", Doc: "The graph that the input comes from."},
		{Name: "output", Type: Text, Required: true, Example: `"features"`, Doc: "The output's name in that graph's model."},
	},
}
