package schema

import "github.com/memplan/memplan/lang/addr"

// Scopes is the enumeration of memory scopes. The empty string is another spelling of "global".
var Scopes = []Value{
	{"global", "flat bytes"},
	{"global.texture", "an image: the axes before the last spatial one are rows"},
	{"global.texture-weight", "an image for weights: the output channels are rows"},
	{"global.texture-nhwc", "an image for channels-last tensors"},
}

// DTypes is the enumeration of element types.
var DTypes = []Value{
	{"float32", ""}, {"float16", ""}, {"bfloat16", ""}, {"float64", ""},
	{"int8", ""}, {"int16", ""}, {"int32", ""}, {"int64", ""},
	{"uint8", ""}, {"uint16", ""}, {"uint32", ""}, {"uint64", ""},
	{"bool", ""}, {"complex64", ""}, {"complex128", ""},
}

// Operands is the enumeration of what a tensor is to an operator that touches it.
var Operands = []Value{
	{"output", "it is written"}, {"data", "it is the main input"}, {"weight", "it holds weights"}, {"bias", "it holds the bias"},
	{"index", "it holds indexes, axes or shapes"}, {"other", "anything else"},
}

var scopeRuleBlock = Block{
	Type: "scope_rule", Kind: addr.ScopeRule,
	Label: &Label{Name: "name", Doc: "The name in plans and messages."},
	Doc: "Says which scope and which pools some tensors get. Rules are tried in order of declaration, files by name and then by position; " +
		"the first that matches a tensor decides. A rule gives `scope`, `pools`, `store` or several of them. A scope is an order, or with `penalty` a wish. A tensor that " +
		"cannot be in the scope, for its shape, its element type, the device's limits or the operator that writes it, is `global`, with a warning that says why.",
	Example: `scope_rule "conv_to_texture" {
  match {
    op      = ["Conv"]
    operand = ["data", "weight"]
    dtype   = ["float16", "float32"]
  }
  condition = tensor.bytes >= kib(4)
  scope     = "global.texture"
  pools     = [pool.weights, pool.arena]
}`,
	Attributes: repeated([]Attribute{
		{Name: "condition", Type: Condition, Phase: DuringPlanning, DefaultDoc: "true", Example: "tensor.bytes >= kib(4)",
			Doc: "A further condition over `tensor` and `op`, evaluated for each tensor that `match` lets through."},
		{Name: "scope", Type: Text, DefaultDoc: "left to the policy", Values: Scopes, Example: `"global.texture"`, Doc: "The memory scope of the tensors. An empty string means `global`."},
		{Name: "penalty", Type: Size, DefaultDoc: "none: the scope is an order", Example: `"64KiB"`,
			Doc: "Makes the scope a wish: the policy `mincopy` counts this many bytes for each tensor that does not get it, as if they had been copied. Other policies take a wish for an order where it is possible."},
		{Name: "store", Type: Text, DefaultDoc: "the tensor's own element type", Values: []Value{{"float16", "half the bytes of float32; operators still compute with float32"}}, Example: `"float16"`,
			Doc: "The element type that memory holds of float32 tensors, activations and constants. Values are rounded to it when they are written; those beyond 65504 become infinite."},
		{Name: "pools", Type: References, Refers: addr.Pool, DefaultDoc: "every suitable pool of the graph's device", Example: "[pool.fast, pool.slow]",
			Doc: "The candidate pools in order of preference. The first that has room takes the tensor; what did not fit earlier ones is recorded as a spill. They override the `holds` of the pools."},
	}...),
	Blocks: []Block{{
		Type: "match", Once: true,
		Doc: "Which tensors the rule is for. Every list that is given must match; a list that is left out matches everything.",
		Attributes: []Attribute{
			{Name: "op", Type: Texts, DefaultDoc: "any", Example: `["Conv", "Gemm"]`, Doc: "The ONNX names of operators: one that reads or writes the tensor."},
			{Name: "operand", Type: Texts, DefaultDoc: "any", Values: Operands, Example: `["data", "weight"]`, Doc: "What the tensor is to that operator."},
			{Name: "dtype", Type: Texts, DefaultDoc: "any", Values: DTypes, Example: `["float16", "float32"]`, Doc: "The element types."},
			{Name: "role", Type: Texts, DefaultDoc: "any", Values: Roles, Example: `["activation"]`, Doc: "The roles."},
			{Name: "rank", Type: Wholes, DefaultDoc: "any", Example: "[4, 5]", Doc: "The numbers of axes."},
			{Name: "layout", Type: Texts, DefaultDoc: "any", Example: `["NCHW", "NCHW4c"]`, Doc: "The meanings of the axes."},
			{Name: "graph", Type: Selection, Refers: addr.Graph, DefaultDoc: "any", Glob: true, Example: `[graph.detector, "pose_*"]`,
				Doc: "The graphs: references, or globs for their names."},
			{Name: "device", Type: Selection, Refers: addr.Device, DefaultDoc: "any", Glob: true, Example: "[device.gpu]",
				Doc: "The devices of the graphs: references, or globs for their names."},
			{Name: "tensor", Type: Texts, DefaultDoc: "any", Glob: true, Example: `["block*/**"]`,
				Doc: "Globs for the tensor's name, as a string or a list. `*` matches within a part between slashes, `**` across them, `{a,b}` either."},
		},
	}},
}

var plannerBlock = Block{
	Type: "planner", Once: true,
	Doc: "How to plan. Every setting has a default; the plan records those in effect.",
	Example: `planner {
  algorithm = "auto"
  views     = ["reshape"]
}`,
	Attributes: []Attribute{
		{Name: "algorithm", Type: Text, Default: `"auto"`, Example: `"tflite_greedy"`, Doc: "How offsets are found.", Values: []Value{
			{"auto", "the best that is known"},
			{"none", "no sharing: every tensor has its own bytes"},
			{"exact", "a search that proves the least peak of a pool, or comes as near as a large effort does"},
			{"tvm_greedy_by_size", "by size, each on top of what it conflicts with, as TVM's static memory planner does"},
			{"tvm_greedy_by_conflicts", "the same by the number of conflicts"},
			{"tvm_hill_climb", "TVM's search by swaps in that order"},
			{"tvm_graph", "whole storages used in turn, as TVM's graph executor does"},
			{"tflite_greedy", "by size with gap filling, as TensorFlow Lite does"},
			{"greedy", "the best of many orders"},
		}},
		{Name: "order", Type: Text, DefaultDoc: "`memory` for graphs that memplan runs, on drivers `host` and `opencl`; else `source`", Example: `"memory"`, Doc: "The order of execution. A bare graph file keeps its own, and so does a TVM graph, whose compiled code runs in it.", Values: []Value{
			{"source", "the model's own"},
			{"memory", "one of least peak, proved to be so where the effort allows; never worse than the model's own"},
		}},
		{Name: "rewrite", Type: Texts, DefaultDoc: "`[\"fold\", \"fuse\"]` on drivers `host` and `opencl`; else `[\"fold\"]`", Example: `["fold", "fuse"]`,
			Doc: "The rewrites of the graph. An empty list leaves it as it is. A bare graph file has `[\"fold\"]`. Folding a cast of float16 weights to float32 doubles their bytes: the plan says how many it did.", Values: []Value{
				{"fold", "compute what depends on constants only"},
				{"fuse", "let convolutions and matrix products do the batch normalisation, bias, sum and activations that follow them, convolutions and poolings the padding before them, and put activations together that are spelled out in simpler operators, and of tensors that are no images squeeze-and-excitation blocks, and depthwise convolutions with the pointwise ones that read them, the latter on driver `host` where that lowers the sum of the peaks; tensors in between are gone, but for those that `keep` and `place` name"},
				{"depthwise_branches", "let a depthwise convolution, or another in groups, of a concatenation go through the pieces one by one and concatenate the results"},
				{"partial_sums", "let a convolution of a concatenation read the pieces themselves and add up their parts of its sums; no default, since results are rounded in between"},
			}},
		{Name: "views", Type: Texts, DefaultDoc: "`[\"reshape\", \"inplace\", \"concat\"]` on drivers `host` and `opencl`; else `[\"reshape\"]`", Example: `["reshape", "inplace", "concat"]`, Doc: "Which tensors share another's bytes. An empty list shares none. A bare graph file has `[\"reshape\"]`.", Values: []Value{
			{"reshape", "results of reshape-like operators"},
			{"inplace", "results that are written over an operand which is read there for the last time: of elementwise ops, softmaxes, normalisations and scatters; not in images of OpenCL devices, of which a kernel reads one or writes it"},
			{"concat", "pieces of concatenations, paddings, splits and slices that lie where they belong, where that does not raise the peak; with the driver `host` also pieces that are rows with other bytes between them, as the channels of NHWC tensors are"},
			{"diagonal", "results of convolutions, poolings, resizes and casts that are written over the operand from below, row by row, where that lowers the peak; on driver `host` only, whose kernels keep the order, and not for graphs that may run at the same time"},
		}},
		{Name: "scope_policy", Type: Text, Default: `"mincopy"`, Example: `"flat"`, Doc: "What decides the scope of tensors that no rule decides and for which the graph's source asks for none, as TVM graph JSON with storage scopes does. On a device without textures every tensor is `global` whatever the policy.", Values: []Value{
			{"mincopy", "the scopes that copy the fewest bytes over the whole graph, penalties of rules included"},
			{"tvm-relay", "as TVM's Relay does: the squarest image, where all readers can use it"},
			{"tvm-relax", "as TVM's Relax does: the first of weight, nhwc and texture that fits"},
			{"flat", "every tensor is `global`"},
		}},
		{Name: "texture_algorithm", Type: Text, Default: `"auto"`, Example: `"tflite_equality"`, Doc: "How images share storage in texture pools.", Values: []Value{
			{"auto", "the best that is known, never worse than the others"},
			{"none", "no sharing: every image has its own storage"},
			{"tvm_texture", "in order of the tensors, with TVM's rule of when an image grows"},
			{"tflite_equality", "only images of the same sides share, as in TensorFlow Lite"},
		}},
		{Name: "concurrent", Type: References, Refers: addr.Graph, DefaultDoc: "none: one graph after the other", Example: "[graph.detector, graph.tracker]",
			Doc: "Graphs that may run at the same time, two or more, none of which gets an input from another. They never share memory but for constants: a pool needs the sum of what each of them does, at worst."},
		{Name: "io", Type: Text, Default: `"planned"`, Example: `"planned"`, Doc: "Who owns inputs and outputs.", Values: []Value{
			{"planned", "they are placed in pools like everything else"},
			{"external", "the caller: they have no pool, and whoever runs the graph brings their memory, flat and dense. What passes from graph to graph is planned all the same"},
		}},
	},
}
