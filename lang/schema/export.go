package schema

import "github.com/memplan/memplan/lang/addr"

var exportBlock = Block{
	Type: "export", Kind: addr.Export,
	Label: &Label{Name: "name", Doc: "The name in messages."},
	Doc: "A file of another system, or a picture, with the placement. `memplan apply` writes it, `memplan check` compares it with the plan. " +
		"docs/exports.md describes the formats.",
	Example: `export "header" {
  graph  = graph.detector
  format = "c-header"
  path   = "out/detector_memory.h"
}`,
	Attributes: repeated([]Attribute{
		{Name: "graph", Type: Reference, Refers: addr.Graph, Example: "graph.detector", DefaultDoc: "all graphs of the plan; `tvm` and `tflm-offline` need one where there are several",
			Doc: "The graph whose placement is written."},
		{Name: "format", Type: Text, Required: true, Example: `"tvm"`, Doc: "The format of the file.", Values: []Value{
			{"tvm", "the graph JSON of TVM's graph executor, with `storage_id`, `storage_scope` and `offset`"},
			{"c-header", "a C99 header: pool sizes and alignments, an offset macro for each tensor, and a table"},
			{"c-arena", "the header with the arenas themselves and a function that finds a tensor's address"},
			{"tflm-offline", "a copy of the .tflite file with the offsets as `OfflineMemoryAllocation` metadata, which TensorFlow Lite Micro follows"},
			{"usmp", "the pools as `--workspace-pools` arguments of tvmc, one a line"},
			{"csv", "a table of the tensors with their places"},
			{"json", "the plan in its documented format"},
			{"svg", "a picture of the memory maps, the live bytes over the steps and the images"},
			{"html", "the picture as one page that can be searched and zoomed, with the explanation of every tensor"},
		}},
		{Name: "path", Type: Text, Required: true, Example: `"out/detector_graph.json"`, Doc: "The file, relative to the directory of this file. Directories are made."},
		{Name: "offset", Type: Bool, Default: "true", Example: "false",
			Doc: "Whether a file of format `tvm` has the list of offsets. TVM's own runtimes do not read it and need `false`: tensors then share a storage only where they start at the same byte."},
		{Name: "prefix", Type: Text, Example: `"detector"`, DefaultDoc: "the name of the graph, `memplan` for several",
			Doc: "What begins the identifiers of the formats `c-header` and `c-arena`."},
		{Name: "arena", Type: References, Refers: addr.Pool, Example: "[pool.dtcm, pool.sram]", DefaultDoc: "the one pool with anything but constants and state",
			Doc: "The pools that follow each other in the address space and are together the arena of a file of format `tflm-offline`, in that order."},
		{Name: "target", Type: Text, Example: `"c"`, DefaultDoc: "`opencl` for pools of devices with that driver, else `c`",
			Doc: "The target of tvmc that reaches the pools of a file of format `usmp`."},
	}...),
}
