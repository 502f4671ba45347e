package onnx

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// inferBatchNormalization drops what batch normalisation has for training only, and refuses what needs training.
func (o *older) inferBatchNormalization() {
	training, _ := take[int64](o, "training_mode")
	if training != 0 || o.readsExtra() {
		o.reportTraining("it updates its mean and variance")
		return
	}
	o.drop("is_test")
	spatial, given := take[int64](o, "spatial")
	if given && spatial == 0 {
		o.cannot("with spatial = 0 it normalises each position by itself, which ended with version 9")
	}
	o.op.Outputs = o.op.Outputs[:min(1, len(o.op.Outputs))]
}

// readsExtra reports whether a result beside the first is used.
func (o *older) readsExtra() bool {
	for i, out := range o.op.Outputs {
		if i > 0 && o.im.isRead(out) {
			return true
		}
	}
	return false
}

func (o *older) reportTraining(why string) {
	o.im.report(diag.ONNXTrainingOp, "%s, which gives %s, is in training mode: %s. Export the model in evaluation mode, for inference.", o.node.title(), o.node.results(), why)
}

// inferDropout makes Dropout what it is at inference, a copy: Identity, or, when its mask is used, a Dropout that has
// nothing but its data as input.
func (o *older) inferDropout() {
	if o.trains() {
		o.reportTraining("its input training_mode is not a constant false")
		return
	}
	o.op.Attrs = nil
	o.op.Inputs = o.op.Inputs[:min(1, len(o.op.Inputs))]
	if !o.readsExtra() {
		o.op.Op = "Identity"
		o.op.Outputs = o.op.Outputs[:min(1, len(o.op.Outputs))]
	}
}

// trains reports whether the input training_mode, there since set 12, is anything but a constant false.
func (o *older) trains() bool {
	t := o.tensor(2)
	if t == nil {
		return false
	}
	if t.Data == nil || t.Data.Size() != 1 {
		return true
	}
	mode, err := t.Data.Read()
	return err != nil || mode[0] != 0
}

// groupsToChannels repeats scale and bias of GroupNormalization, one value a group before set 21, for each channel.
func (o *older) groupsToChannels() {
	groups := o.op.Attrs.Int("num_groups", 0)
	data := o.tensor(0)
	if data == nil || len(data.Shape) < 2 || data.Shape[1] <= 0 || groups <= 0 || data.Shape[1]%groups != 0 {
		o.cannot("its scale has one value a group, and the number of channels must be known and a multiple of num_groups, %d", groups)
		return
	}
	channels := data.Shape[1]
	if channels == groups {
		return
	}
	for i, name := range []string{"scale", "bias"} {
		o.repeatInput(i+1, name, groups, channels)
	}
}

// repeatInput replaces a constant input of shape [groups] by one of shape [channels].
func (o *older) repeatInput(at int, name string, groups, channels int64) {
	t := o.tensor(at)
	size, ok := graph.Shape{channels}.Bytes(graph.Float64)
	if t == nil || t.Data == nil || !t.Shape.Equal(graph.Shape{groups}) || !ok || size > maxDense {
		o.cannot("its %s must be a constant of shape [%d]", name, groups)
		return
	}
	repeated := &graph.Lazy{Bytes: channels * t.DType.Size(), Compute: repeatItems(t.Data, t.DType.Size(), channels/groups)}
	o.setInput(at, o.constant(name, &graph.AttrTensor{DType: t.DType, Shape: graph.Shape{channels}, Data: repeated}))
}

// repeatItems returns a function that gives each item of data times over.
func repeatItems(data graph.Data, itemSize, times int64) func() ([]byte, error) {
	return func() ([]byte, error) {
		items, err := data.Read()
		if err != nil {
			return nil, err
		}
		out := make([]byte, 0, int64(len(items))*times)
		for ; int64(len(items)) >= itemSize; items = items[itemSize:] {
			for range times {
				out = append(out, items[:itemSize]...)
			}
		}
		return out, nil
	}
}
