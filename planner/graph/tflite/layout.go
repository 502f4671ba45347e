package tflite

import (
	"github.com/memplan/memplan/planner/graph"
)

// layout notes the meaning of a tensor's four axes, unless it is known already.
func (c *call) layout(id graph.TensorID, layout string) {
	if t := &c.im.g.Tensors[id]; len(t.Shape) == 4 && t.Layout == "" {
		t.Layout = layout
	}
}

// keepsAxes are ops whose results of rank four have the axes of their operands of rank four.
var keepsAxes = map[string]bool{
	"Add": true, "Sub": true, "Mul": true, "Div": true, "Pow": true, "Max": true, "Min": true, "Sum": true,
	"Abs": true, "Ceil": true, "Cos": true, "Exp": true, "Floor": true, "Log": true, "Neg": true, "Round": true,
	"Sign": true, "Sin": true, "Sqrt": true, "Rsqrt": true, "Square": true, "SquaredDifference": true,
	"Relu": true, "Clip": true, "Sigmoid": true, "Tanh": true, "HardSwish": true, "Elu": true, "LeakyRelu": true,
	"PRelu": true, "Gelu": true, "Softmax": true, "LogSoftmax": true, "Where": true, "L2Normalization": true,
	"Pad": true, "Concat": true, "Slice": true, "Split": true, "Identity": true, "Cast": true,
	"QuantizeLinear": true, "DequantizeLinear": true, "Quantize": true,
	"ReduceMean": true, "ReduceSum": true, "ReduceMax": true, "ReduceMin": true, "ReduceProd": true,
}

// setLayouts carries the layouts found at convolutions and pools on through ops that keep the axes: once forwards and
// once backwards.
func (im *importer) setLayouts() {
	ops := im.g.Ops
	for i := range ops {
		im.shareLayout(&ops[i])
	}
	for i := len(ops) - 1; i >= 0; i-- {
		im.shareLayout(&ops[i])
	}
}

// shareLayout gives the first layout found among the op's operands of rank four to the others. Inputs come first.
func (im *importer) shareLayout(op *graph.Op) {
	if !keepsAxes[op.Op] {
		return
	}
	operands := make([]*graph.Tensor, 0, len(op.Inputs)+len(op.Outputs))
	layout := ""
	for _, list := range [][]graph.TensorID{op.Inputs, op.Outputs} {
		for _, id := range list {
			t := im.g.Tensor(id)
			if t == nil || len(t.Shape) != 4 {
				continue
			}
			operands = append(operands, t)
			if layout == "" {
				layout = t.Layout
			}
		}
	}
	for _, t := range operands {
		if t.Layout == "" {
			t.Layout = layout
		}
	}
}
