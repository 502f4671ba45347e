package onnx

import "github.com/memplan/memplan/planner/graph"

// broadcastFromAxis keeps the meaning of set 6, in which the second input stood at the axis that an attribute gave.
// Since, it stands at the last axes: those behind it get size 1.
func (o *older) broadcastFromAxis() {
	broadcast, _ := take[int64](o, "broadcast")
	axis, given := take[int64](o, "axis")
	if broadcast == 0 || !given {
		return
	}
	a, b := o.tensor(0), o.tensor(1)
	if a == nil || b == nil || a.Shape == nil || b.Shape == nil {
		o.cannot("its second input stands at axis %d, and the rank of an input is not declared", axis)
		return
	}
	if axis < 0 {
		axis += int64(len(a.Shape))
	}
	behind := int64(len(a.Shape)) - axis - int64(len(b.Shape))
	if axis < 0 || behind < 0 {
		o.cannot("its second input, of shape %s, does not fit at axis %d of the first, of shape %s", b.Shape, axis, a.Shape)
		return
	}
	o.appendAxes(1, int(behind))
}

// slopeOverChannels keeps the meaning of PRelu in set 6, whose slope of shape [C] belonged to axis 1 of the data.
func (o *older) slopeOverChannels() {
	data, slope := o.tensor(0), o.tensor(1)
	if slope != nil && slope.Shape.Equal(graph.Shape{1}) {
		return
	}
	if data == nil || slope == nil || data.Shape == nil || slope.Shape == nil {
		o.cannot("its slope stands at axis 1, and the rank of an input is not declared")
		return
	}
	if len(slope.Shape) == 1 && len(data.Shape) > 2 {
		o.appendAxes(1, len(data.Shape)-2)
	}
}

// appendAxes gives the input at the position count axes of size 1 behind its own. A constant becomes another one of the
// same bytes, anything else is read through an Unsqueeze.
func (o *older) appendAxes(at, count int) {
	t := *o.tensor(at)
	if count == 0 {
		return
	}
	shape := t.Shape.Clone()
	axes := make([]int64, count)
	for i := range axes {
		axes[i] = int64(len(t.Shape) + i)
		shape = append(shape, 1)
	}
	if t.Role == graph.Constant {
		o.setInput(at, o.constant("aligned", &graph.AttrTensor{DType: t.DType, Shape: shape, Data: t.Data}))
		return
	}
	unsqueeze := graph.Op{
		Name:   o.im.opNames.unique(o.op.Name + ".unsqueeze"),
		Op:     "Unsqueeze",
		Inputs: []graph.TensorID{o.input(at), o.constant("axes", intTensor(axes))},
	}
	aligned := graph.Tensor{Name: o.im.freshValue(unsqueeze.Name + ":0"), Role: graph.Activation, DType: t.DType, Shape: shape}
	o.setInput(at, o.im.add(aligned))
	unsqueeze.Outputs = []graph.TensorID{o.input(at)}
	o.im.graph.Ops = append(o.im.graph.Ops, unsqueeze)
}

// dropBroadcast forgets what Gemm of set 6 said of its third input: it is always broadcast since.
func (o *older) dropBroadcast() { o.drop("broadcast") }

// dropOutputSequence forgets what recurrent ops of set 6 said of their first output: naming it is enough since.
func (o *older) dropOutputSequence() { o.drop("output_sequence") }
