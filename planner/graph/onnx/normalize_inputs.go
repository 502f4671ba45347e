package onnx

import "github.com/memplan/memplan/planner/graph"

// intsToInput moves a list attribute to the input at the position.
func (o *older) intsToInput(name string, at int) {
	values, ok := take[[]int64](o, name)
	if ok && o.input(at) == graph.NoTensor {
		o.setInput(at, o.constant(name, intTensor(values)))
	}
}

// axesToInput moves the axes of a reduction or Squeeze. An empty list meant all axes, as an absent input does.
func (o *older) axesToInput() {
	if len(o.op.Attrs.Ints("axes")) == 0 {
		_, _ = take[[]int64](o, "axes")
		return
	}
	o.intsToInput("axes", 1)
}

// requiredAxesToInput moves the axes of Unsqueeze.
func (o *older) requiredAxesToInput() {
	if axes, ok := require[[]int64](o, "axes"); ok {
		o.setInput(1, o.constant("axes", intTensor(axes)))
	}
}

// sliceToInputs moves starts, ends and axes.
func (o *older) sliceToInputs() {
	starts, ok := require[[]int64](o, "starts")
	ends, both := require[[]int64](o, "ends")
	if !ok || !both {
		return
	}
	o.setInput(1, o.constant("starts", intTensor(starts)))
	o.setInput(2, o.constant("ends", intTensor(ends)))
	o.intsToInput("axes", 3)
}

// topKToInput moves k, a list of one element since.
func (o *older) topKToInput() {
	if k, ok := require[int64](o, "k"); ok {
		o.setInput(1, o.constant("k", intTensor([]int64{k})))
	}
}

// splitToInput moves the sizes of the parts.
func (o *older) splitToInput() { o.intsToInput("split", 1) }

// countOutputs says into how many equal parts an op without sizes splits. Before, the number of outputs said it.
func (o *older) countOutputs() {
	if o.input(1) == graph.NoTensor {
		o.set("num_outputs", int64(len(o.node.outputs)))
	}
}

// clipToInputs moves the bounds, which have the type of the data since.
func (o *older) clipToInputs() {
	for i, name := range []string{"min", "max"} {
		if bound, ok := take[float32](o, name); ok {
			o.setInput(i+1, o.constant(name, o.scalarLikeData(bound)))
		}
	}
}

// padToInputs moves pads and the value to pad with, which is 0 when absent.
func (o *older) padToInputs() {
	pads, ok := require[[]int64](o, "pads")
	if !ok {
		return
	}
	o.setInput(1, o.constant("pads", intTensor(pads)))
	if value, ok := take[float32](o, "value"); ok && value != 0 {
		o.setInput(2, o.constant("value", o.scalarLikeData(value)))
	}
}

// dftAxisToInput moves the axis, whose default was 1.
func (o *older) dftAxisToInput() {
	axis, ok := take[int64](o, "axis")
	if !ok {
		axis = 1
	}
	o.setInput(2, o.constant("axis", scalarOf(intTensor([]int64{axis}))))
}
