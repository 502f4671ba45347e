package schema

import "github.com/memplan/memplan/lang/addr"

var graphBlock = Block{
	Type: "graph", Kind: addr.Graph,
	Label: &Label{Name: "name", Doc: "The name in `graph.name`."},
	Doc: "A network to plan. Refer to it as `graph.name`. The graphs of one plan run one after the other, in order of name but each after those that its inputs come from, and share the pools: " +
		"a pool is as large as the largest of them needs, and what a graph leaves in it a later one may overwrite. Those listed in `concurrent` of the `planner` block share nothing but constants. " +
		"Constants and state of all graphs are live always; constants of equal content are stored once, in one graph and over all graphs of a device.",
	Example: `graph "detector" {
  source = "models/detector.onnx"
  device = device.gpu
  dims   = { N = var.batch }
  keep   = ["stage3/add"]

  place "logits" {
    pool   = pool.arena
    offset = 0
  }
}`,
	Attributes: repeated([]Attribute{
		{Name: "source", Type: Text, Required: true, Example: `"models/detector.onnx"`,
			Doc: "The path of the model, relative to the directory of this file: ONNX, TFLite, TVM graph JSON, memplan's own JSON, or a CSV of intervals."},
		{Name: "device", Type: Reference, Refers: addr.Device, Required: true, Example: "device.gpu", Doc: "The device that the graph is planned for."},
		{Name: "dims", Type: Dimensions, DefaultDoc: "none", Example: "{ N = 1, H = { max = 512 } }",
			Doc: "Values of the model's symbolic dimensions, 1 or more. `{ max = 8 }` plans for a bound: sizes are those of the largest case."},
		{Name: "keep", Type: Texts, DefaultDoc: "none", Example: `["stage3/add"]`,
			Doc: "Tensors that are to live to the end of this graph's run, by name. A graph that runs later may overwrite them. The plan records it of each tensor as `kept`."},
		{Name: "keep_inputs", Type: Bool, Default: "false", Example: "true",
			Doc: "Whether the inputs keep what the caller wrote into them to the end of this graph's run, so that it need not be written again. Without it, their bytes are free for others after the last op that reads them."},
	}...),
	Blocks: withConditions(Block{
		Type:  "place",
		Label: &Label{Name: "tensor", Doc: "The tensor's name in the model.", Free: true},
		Doc:   "Pins one tensor to a pool, or to an offset in it. A pin goes before rules and before the `holds` of the pool.",
		Attributes: []Attribute{
			{Name: "pool", Type: Reference, Refers: addr.Pool, Required: true, Example: "pool.arena", Doc: "The pool, on the graph's device."},
			{Name: "offset", Type: Size, DefaultDoc: "any", Example: "0", Doc: "The offset in bytes from the pool's start, a multiple of the pool's alignment. Flat pools only."},
		},
	}, graphInputBlock),
}

var runBlock = Block{
	Type: "run", Kind: addr.Run,
	Label: &Label{Name: "name", Doc: "The name in results."},
	Doc:   "A run of a graph with exactly the planned placements, for `memplan run`. The graphs that its inputs come from run before it.",
	Example: `run "smoke" {
  graph = graph.detector

  input "image" {
    random_seed = 7
  }
  expect "boxes" {
    npy  = "boxes.npy"
    atol = 1e-4
  }
}`,
	Attributes: repeated(
		Attribute{Name: "graph", Type: Reference, Refers: addr.Graph, Required: true, Example: "graph.detector", Doc: "The graph to run."},
	),
	Blocks: []Block{
		{
			Type:  "input",
			Label: &Label{Name: "tensor", Doc: "The input's name in the model.", Free: true},
			Doc:   "What an input is filled with: `npy` or `random_seed`. An input that comes from another graph gets its value from there, and that graph's own inputs are given here as well.",
			Attributes: []Attribute{
				{Name: "graph", Type: Reference, Refers: addr.Graph, DefaultDoc: "the graph of the run", Example: "graph.backbone", Doc: "The graph that has the input, where it is another one that runs before."},
				{Name: "npy", Type: Text, DefaultDoc: "none", Example: `"in.npy"`, Doc: "A NumPy file, relative to the directory of this file."},
				{Name: "random_seed", Type: Whole, DefaultDoc: "none", Min: 0, Example: "7", Doc: "The seed of random numbers, which are the same on every machine."},
			},
		},
		{
			Type:  "expect",
			Label: &Label{Name: "tensor", Doc: "The output's name in the model.", Free: true},
			Doc:   "Compares an output with a file. Elements agree when |got - want| <= atol + rtol * |want|.",
			Attributes: []Attribute{
				{Name: "npy", Type: Text, Required: true, Example: `"boxes.npy"`, Doc: "A NumPy file, relative to the directory of this file."},
				{Name: "atol", Type: Real, Default: "0", Example: "1e-4", Doc: "The absolute difference allowed."},
				{Name: "rtol", Type: Real, Default: "0", Example: "1e-3", Doc: "The relative difference allowed."},
			},
		},
	},
}
