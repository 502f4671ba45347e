package onnx

import "github.com/memplan/memplan/planner/graph"

// setLayouts writes the meaning of the axes on the tensors of two-dimensional convolutions and poolings, whose ops fix
// it. Elsewhere it stays open.
func setLayouts(g *graph.Graph) {
	for i := range g.Ops {
		op := &g.Ops[i]
		if op.Domain != "" {
			continue
		}
		weight := weightLayouts[op.Op]
		switch {
		case weight != "" && len(op.Inputs) > 1 && rankOf(g, op.Inputs[1]) == 4:
			setLayout(g, op.Inputs[1], weight)
		case pools2D(g, op):
		default:
			continue
		}
		if len(op.Inputs) > 0 {
			setLayout(g, op.Inputs[0], "NCHW")
		}
		if len(op.Outputs) > 0 {
			setLayout(g, op.Outputs[0], "NCHW")
		}
	}
}

// weightLayouts has the axes of the weights of each convolution.
var weightLayouts = map[string]string{"Conv": "OIHW", "ConvInteger": "OIHW", "ConvTranspose": "IOHW"}

// pools2D reports whether the op is a pooling over two axes.
func pools2D(g *graph.Graph, op *graph.Op) bool {
	switch op.Op {
	case "MaxPool", "AveragePool", "LpPool":
		return len(op.Attrs.Ints("kernel_shape")) == 2
	case "GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool":
		return len(op.Inputs) > 0 && rankOf(g, op.Inputs[0]) == 4
	}
	return false
}

func rankOf(g *graph.Graph, id graph.TensorID) int {
	if t := g.Tensor(id); t != nil {
		return len(t.Shape)
	}
	return 0
}

func setLayout(g *graph.Graph, id graph.TensorID, layout string) {
	if t := g.Tensor(id); t != nil && t.Layout == "" {
		t.Layout = layout
	}
}
