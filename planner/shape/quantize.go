package shape

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// quantize: the zero point gives the element type, else the attribute output_dtype, else it is uint8.
func quantize(n *node) ([]array.Type, error) {
	if err := n.wantScale(); err != nil {
		return nil, err
	}
	d := graph.Uint8
	if stated := n.statedOutput(0).DType; n.op.Domain == "" && n.s.g.Format != "onnx" && stated != graph.InvalidDType {
		d = stated
	}
	if v, err := n.intAttr("output_dtype", 0); err == nil && v != 0 || err != nil {
		if d, err = n.typeAttr("output_dtype", d); err != nil {
			return nil, err
		}
	}
	if n.has(2) {
		d = n.dtype(2)
	}
	return one(d, n.shape(0).Clone()), nil
}

// dequantize: the scale gives the element type.
func dequantize(n *node) ([]array.Type, error) {
	if err := n.wantScale(); err != nil {
		return nil, err
	}
	return one(n.dtype(1), n.shape(0).Clone()), nil
}

// wantScale checks the scale: one number, one for each element of an axis, or, by blocks, one axis for each of the
// input's.
func (n *node) wantScale() error {
	if count, _ := n.shape(1).Elements(); n.rank(1) == 0 || count == 1 || n.rank(1) == n.rank(0) && n.rank(1) > 1 {
		return nil
	}
	axis, err := n.axisAttr("axis", 1, 0)
	if err != nil {
		return err
	}
	return n.wantVector(1, n.shape(0)[axis], "one scale for each element of the axis of "+n.operand(0))
}

// dynamicQuantize: the output is uint8, with its scale and its zero point.
func dynamicQuantize(n *node) ([]array.Type, error) {
	return []array.Type{
		{DType: graph.Uint8, Shape: n.shape(0).Clone()},
		{DType: graph.Float32, Shape: graph.Shape{}},
		{DType: graph.Uint8, Shape: graph.Shape{}},
	}, nil
}
