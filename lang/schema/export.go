package schema

import "github.com/memplan/memplan/lang/addr"

var exportBlock = Block{
	Type: "export", Kind: addr.Export,
	Label: &Label{Name: "name", Doc: "The name in messages."},
	Doc:   "A file of another system with the placement of a graph. `memplan apply` writes it, `memplan check` compares it with the plan.",
	Example: `export "runtime" {
  graph  = graph.detector
  format = "tvm"
  path   = "out/detector_graph.json"
}`,
	Attributes: repeated([]Attribute{
		{Name: "graph", Type: Reference, Refers: addr.Graph, Required: true, Example: "graph.detector", Doc: "The graph whose placement is written."},
		{Name: "format", Type: Text, Required: true, Example: `"tvm"`, Doc: "The format of the file.", Values: []Value{
			{"tvm", "the graph JSON of TVM's graph executor, with `storage_id`, `storage_scope` and `offset`"},
		}},
		{Name: "path", Type: Text, Required: true, Example: `"out/detector_graph.json"`, Doc: "The file, relative to the directory of this file. Directories are made."},
		{Name: "offset", Type: Bool, Default: "true", Example: "false",
			Doc: "Whether a file of format `tvm` has the list of offsets. TVM's own runtimes do not read it and need `false`: tensors then share a storage only where they start at the same byte."},
	}...),
}
