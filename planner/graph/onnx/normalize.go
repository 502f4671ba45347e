package onnx

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// older is an op in the form of an older operator set, on its way to the newest one.
type older struct {
	im   *importer
	op   *graph.Op
	node *node
}

// rule makes one change of ONNX's history to ops that were written before it.
type rule struct {
	// below is the first operator set that has the new form.
	below int64
	apply func(*older)
}

// always is for what no operator set did: forms that only this importer makes equal.
const always = newestOpset + 1

// rules has the changes of each operator, oldest first. An operator that is not here kept its meaning from set 6 to 21,
// or only gained attributes and inputs whose absence means the old behaviour.
var rules = map[string][]rule{
	"Add":     {{7, (*older).broadcastFromAxis}},
	"And":     {{7, (*older).broadcastFromAxis}},
	"Div":     {{7, (*older).broadcastFromAxis}},
	"Equal":   {{7, (*older).broadcastFromAxis}},
	"Greater": {{7, (*older).broadcastFromAxis}},
	"Less":    {{7, (*older).broadcastFromAxis}},
	"Mul":     {{7, (*older).broadcastFromAxis}},
	"Or":      {{7, (*older).broadcastFromAxis}},
	"Pow":     {{7, (*older).broadcastFromAxis}},
	"Sub":     {{7, (*older).broadcastFromAxis}},
	"Xor":     {{7, (*older).broadcastFromAxis}},
	"Gemm":    {{7, (*older).dropBroadcast}},
	"PRelu":   {{7, (*older).slopeOverChannels}},

	"GRU":  {{7, (*older).dropOutputSequence}},
	"LSTM": {{7, (*older).dropOutputSequence}},
	"RNN":  {{7, (*older).dropOutputSequence}},

	"Slice": {{10, (*older).sliceToInputs}},
	"TopK":  {{10, (*older).topKToInput}},
	"Clip":  {{11, (*older).clipToInputs}},
	"Pad":   {{11, (*older).padToInputs}},
	"Split": {{13, (*older).splitToInput}, {18, (*older).countOutputs}},
	"DFT":   {{20, (*older).dftAxisToInput}},

	"Squeeze":         {{13, (*older).axesToInput}},
	"Unsqueeze":       {{13, (*older).requiredAxesToInput}},
	"ReduceSum":       {{13, (*older).axesToInput}},
	"ReduceL1":        {{18, (*older).axesToInput}},
	"ReduceL2":        {{18, (*older).axesToInput}},
	"ReduceLogSum":    {{18, (*older).axesToInput}},
	"ReduceLogSumExp": {{18, (*older).axesToInput}},
	"ReduceMax":       {{18, (*older).axesToInput}},
	"ReduceMean":      {{18, (*older).axesToInput}},
	"ReduceMin":       {{18, (*older).axesToInput}},
	"ReduceProd":      {{18, (*older).axesToInput}},
	"ReduceSumSquare": {{18, (*older).axesToInput}},

	"Hardmax":    {{13, (*older).flattenFromAxis}, {always, (*older).explicitAxis}},
	"LogSoftmax": {{13, (*older).flattenFromAxis}, {always, (*older).explicitAxis}},
	"Softmax":    {{13, (*older).flattenFromAxis}, {always, (*older).explicitAxis}},

	"Upsample": {{always, (*older).upsampleToResize}},
	"Resize":   {{11, (*older).resizeFromScales}, {always, (*older).dropEmptyInputs}},

	"BatchNormalization": {{always, (*older).inferBatchNormalization}},
	"Dropout":            {{always, (*older).inferDropout}},

	"Scatter":            {{always, (*older).renameScatter}},
	"RoiAlign":           {{16, (*older).roiAlignWithoutOffset}},
	"GridSample":         {{20, (*older).renameGridModes}},
	"GroupNormalization": {{21, (*older).groupsToChannels}},
}

// normalize brings the op from the operator set of its node to the newest one.
func (im *importer) normalize(op *graph.Op, n *node) {
	o := &older{im: im, op: op, node: n}
	for _, r := range rules[op.Op] {
		if n.opset < r.below {
			r.apply(o)
		}
	}
}

// take removes the attribute and returns its value. An attribute of another kind is reported and counts as absent.
func take[T graph.Attr](o *older, name string) (T, bool) {
	value, present := o.op.Attrs[name]
	delete(o.op.Attrs, name)
	typed, ok := value.(T)
	if present && !ok {
		o.im.report(diag.ONNXAttribute, "attribute %q of %s is of kind %T, and must be %T. Export the model again.", name, o.node.title(), value, typed)
	}
	return typed, ok
}

// require is take for an attribute that the old form cannot do without.
func require[T graph.Attr](o *older, name string) (T, bool) {
	if _, present := o.op.Attrs[name]; !present {
		var none T
		o.im.report(diag.ONNXAttribute, "%s lacks the attribute %q, which version %d of its operator set needs. Export the model again.", o.node.title(), name, o.node.opset)
		return none, false
	}
	return take[T](o, name)
}

// drop removes attributes that say nothing any more.
func (o *older) drop(names ...string) {
	for _, name := range names {
		delete(o.op.Attrs, name)
	}
}

// set gives the op an attribute.
func (o *older) set(name string, value graph.Attr) {
	if o.op.Attrs == nil {
		o.op.Attrs = graph.Attrs{}
	}
	o.op.Attrs[name] = value
}

// input returns the input at the position, NoTensor when it is absent.
func (o *older) input(at int) graph.TensorID {
	if at < len(o.op.Inputs) {
		return o.op.Inputs[at]
	}
	return graph.NoTensor
}

// setInput replaces the input at the position; those before it that are missing are absent then.
func (o *older) setInput(at int, id graph.TensorID) {
	for len(o.op.Inputs) <= at {
		o.op.Inputs = append(o.op.Inputs, graph.NoTensor)
	}
	o.op.Inputs[at] = id
}

// constant adds a constant for the op, called "<op>.<name>".
func (o *older) constant(name string, t *graph.AttrTensor) graph.TensorID {
	return o.im.add(graph.Tensor{Name: o.im.freshValue(o.op.Name + "." + name), Role: graph.Constant, DType: t.DType, Shape: t.Shape, Data: t.Data})
}

// tensor returns the input at the position, nil when it is absent.
func (o *older) tensor(at int) *graph.Tensor { return o.im.graph.Tensor(o.input(at)) }

// cannot reports a form whose meaning depends on what the model does not say.
func (o *older) cannot(format string, args ...any) {
	o.im.report(diag.ONNXOldForm, "%s is written for version %d of its operator set and cannot be converted to a newer form: %s. Convert the model with onnx.version_converter after shape inference.",
		o.node.title(), o.node.opset, diag.Format(format, args...))
}

// freshValue returns the base, or the base with a number when a value of that name exists.
func (im *importer) freshValue(base string) string {
	name := base
	for i := 2; ; i++ {
		if _, taken := im.ids[name]; !taken {
			return name
		}
		name = fmt.Sprintf("%s_%d", base, i)
	}
}
