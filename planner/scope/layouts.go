package scope

import "github.com/memplan/memplan/planner/graph"

// keepsAxes are the ops whose results have the axes of their data.
var keepsAxes = words(`Add AveragePool BatchNormalization Cast Clip Concat Copy Div Dropout Elu Exp GlobalAveragePool GlobalMaxPool
	HardSigmoid HardSwish Identity LRN LeakyRelu Max MaxPool Min Mul Neg PRelu Pad Relu Resize Sigmoid Slice Split Sqrt Sub Tanh`)

// layoutsOf returns for each tensor the layout to pack it in. What is not labelled has that of its neighbours in ops that
// keep the axes; where they have none, rank 4 counts as "NCHW", the order of ONNX.
func layoutsOf(g *graph.Graph) []string {
	out := make([]string, len(g.Tensors))
	for i := range g.Tensors {
		out[i] = g.Tensors[i].Layout
	}
	for step := range g.Ops {
		share(g, out, &g.Ops[step])
	}
	for step := len(g.Ops) - 1; step >= 0; step-- {
		share(g, out, &g.Ops[step])
	}
	for i := range g.Tensors {
		if out[i] == "" && len(g.Tensors[i].Shape) == 4 {
			out[i] = "NCHW"
		}
	}
	return out
}

// share gives the first layout among the op's operands of rank 4 to those that lack one.
func share(g *graph.Graph, layouts []string, op *graph.Op) {
	if !keepsAxes[op.Op] {
		return
	}
	found := ""
	for _, ids := range [][]graph.TensorID{op.Inputs, op.Outputs} {
		for _, id := range ids {
			if t := g.Tensor(id); t != nil && len(t.Shape) == 4 && found == "" {
				found = layouts[id]
			}
		}
	}
	for _, ids := range [][]graph.TensorID{op.Inputs, op.Outputs} {
		for _, id := range ids {
			if t := g.Tensor(id); t != nil && len(t.Shape) == 4 && layouts[id] == "" {
				layouts[id] = found
			}
		}
	}
}
