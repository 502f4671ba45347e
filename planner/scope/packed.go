package scope

import "github.com/memplan/memplan/planner/graph"

// kernelLayouts are the layouts of weights that TVM's texture kernels read, by type of op and layout of the data.
var kernelLayouts = map[string]map[string]map[string]bool{
	"Conv":          {"NCHW4c": words("OIHW4o HWIO4o"), "NHWC4c": words("HWOI4o HWIO4o OIHW4o")},
	"ConvTranspose": {"NCHW4c": words("IOHW4o")},
}

// poolings have texture kernels for one layout.
var poolings = words("AveragePool GlobalAveragePool GlobalMaxPool MaxPool")

// mapped are the ops of which an element of the output depends on elements of the inputs alone, one by one or reduced over
// axes: all that TVM generates a kernel for by itself.
var mapped = words(`Abs Acos Acosh Add And ArgMax ArgMin Asin Asinh Atan Atanh BatchNormalization BitShift Cast CastLike Ceil Celu Clip
	Cos Cosh DepthToSpace DequantizeLinear Div Elu Equal Erf Exp Expand Flatten Floor Gather GatherElements GatherND Gelu Greater
	GreaterOrEqual HardSigmoid HardSwish Identity IsInf IsNaN LayoutTransform LeakyRelu Less LessOrEqual Log Max Min Mish Mod Mul
	Neg Not Or PRelu Pad Pow QuantizeLinear Reciprocal ReduceL1 ReduceL2 ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum Relu
	Reshape Resize Round Selu Sigmoid Sign Sin Sinh Slice Softplus Softsign SpaceToDepth Sqrt Squeeze Sub Sum Tan Tanh
	ThresholdedRelu Tile Transpose Unsqueeze Upsample Where Xor`)

// packs reports whether TVM's Relay has a texture kernel for the op. Of a fused op the first one counts: only it has
// nothing but tensors of the graph as arguments. What takes a list of tensors, such as Concat, has none, and neither has
// what gives several.
func packs(g *graph.Graph, op *graph.Op) bool {
	if !isKnownDomain(op.Domain) || len(op.Outputs) == 0 {
		return false
	}
	switch {
	case kernelLayouts[op.Op] != nil:
		return convolves(g, op)
	case poolings[op.Op]:
		return dataLayout(g, op) == "NCHW4c"
	case mapped[op.Op]:
		out := g.Tensor(op.Outputs[0])
		return len(op.Outputs) == 1 && out != nil && len(out.Shape) == 5 && out.Shape.Known()
	}
	return false
}

// alsoPacks are the ops with texture kernels in TVM's Relax only.
var alsoPacks = words("Concat LayerNormalization LogSoftmax Softmax Split")

// packsInRelax reports whether TVM's Relax has a texture kernel for the op.
func packsInRelax(g *graph.Graph, op *graph.Op) bool {
	if packs(g, op) {
		return true
	}
	if !isKnownDomain(op.Domain) || !alsoPacks[op.Op] || len(op.Outputs) == 0 {
		return false
	}
	out := g.Tensor(op.Outputs[0])
	return out != nil && len(out.Shape) == 5 && out.Shape.Known()
}

func convolves(g *graph.Graph, op *graph.Op) bool {
	data := dataLayout(g, op)
	return kernelLayouts[op.Op][data][weightLayout(g, op)]
}

// dataLayout is what the op or else the tensor says of the data. A tensor in texels that nothing labels counts as the
// layout of activations.
func dataLayout(g *graph.Graph, op *graph.Op) string {
	return layoutOfInput(g, op, 0, graph.AttrDataLayout, "NCHW4c")
}

func weightLayout(g *graph.Graph, op *graph.Op) string {
	usual := "OIHW4o"
	if op.Op == "ConvTranspose" {
		usual = "IOHW4o"
	}
	return layoutOfInput(g, op, 1, graph.AttrKernelLayout, usual)
}

func layoutOfInput(g *graph.Graph, op *graph.Op, input int, attr, usual string) string {
	if layout := op.Attrs.String(attr, ""); len(layout) == len(usual) {
		return layout
	}
	if input >= len(op.Inputs) {
		return ""
	}
	t := g.Tensor(op.Inputs[input])
	switch {
	case t == nil || len(t.Shape) != 5 || t.Shape[4] != 4:
		return ""
	case t.Layout != "":
		return t.Layout
	}
	return usual
}

// keptFlat reports whether Relay keeps the operand in flat memory although the op takes textures: the constant weight of a
// convolution that is not of float16 and of which no spatial axis is 1 is read faster there.
func keptFlat(g *graph.Graph, op *graph.Op, input int) bool {
	if op.Op != "Conv" || input != 1 {
		return false
	}
	t := g.Tensor(op.Inputs[1])
	if t == nil || t.Role != graph.Constant || len(t.Shape) != 5 || t.DType == graph.Float16 {
		return false
	}
	height, width := t.Shape[2], t.Shape[3]
	if layout := weightLayout(g, op); layout == "HWOI4o" || layout == "HWIO4o" {
		height, width = t.Shape[0], t.Shape[1]
	}
	return height != 1 && width != 1
}
