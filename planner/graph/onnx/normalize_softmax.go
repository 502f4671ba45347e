package onnx

import "github.com/memplan/memplan/planner/graph"

// flattenFromAxis keeps the meaning of Softmax and its like before set 13: the axes from axis on are taken together.
// It is that of later sets when axis is the last one; else the op says so. See [graph.AttrFlatten].
func (o *older) flattenFromAxis() {
	axis, ok := take[int64](o, "axis")
	if !ok {
		axis = 1
	}
	o.set("axis", axis)
	if axis == -1 {
		return
	}
	if t := o.tensor(0); t == nil || t.Shape == nil || axis != int64(len(t.Shape))-1 {
		o.set(graph.AttrFlatten, int64(1))
	}
}

// explicitAxis writes the axis down, since the default differs between sets.
func (o *older) explicitAxis() {
	if _, given := o.op.Attrs["axis"]; !given {
		o.set("axis", int64(-1))
	}
}
