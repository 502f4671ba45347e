package host

import (
	"maps"
	"strings"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/texture"
	"github.com/memplan/memplan/runtime/device"
)

// wantsPlain are the ops whose kernels tell channels from other axes, so that they read packed tensors such as "NCHW4c"
// as plain ones. True marks those that find the channels by the attribute data_layout; to the others they are the second
// axis. All further ops treat a packed tensor as the array of its shape.
var wantsPlain = map[string]bool{
	"Conv": true, "ConvTranspose": true,
	"MaxPool": true, "AveragePool": true, "LpPool": true, "GlobalAveragePool": true, "GlobalMaxPool": true, "GlobalLpPool": true,
	"BatchNormalization": false, "InstanceNormalization": false, "GroupNormalization": false, "LRN": false,
}

// plainForm is what to rename in an op whose operands are packed.
type plainForm struct {
	// data and kernel are the packed layouts of the data and of the weights, "" when they are plain.
	data, kernel string
	// any says that the channels may be any axis.
	any bool
}

// formOf finds out whether a step's kernel must see packed operands as plain ones.
func formOf(s *device.Step) plainForm {
	var f plainForm
	anywhere, ok := wantsPlain[s.Op.Op]
	if !ok || s.Op.Domain != "" && s.Op.Domain != "tflite" || len(s.Inputs) == 0 {
		return f
	}
	f.any = anywhere
	f.data = packedLayout(s.Inputs[0], s.Op.Attrs.String(graph.AttrDataLayout, ""))
	if anywhere && strings.HasPrefix(s.Op.Op, "Conv") && len(s.Inputs) > 1 {
		f.kernel = packedLayout(s.Inputs[1], s.Op.Attrs.String(graph.AttrKernelLayout, ""))
	}
	return f
}

// packedLayout is a tensor's own layout or else the op's word for it, "" when it is plain or does not fit the shape.
func packedLayout(t *device.Tensor, attr string) string {
	if t == nil {
		return ""
	}
	layout := t.Layout
	if layout == "" {
		layout = attr
	}
	if _, _, _, ok := texture.Unpack(t.Shape, layout); !ok {
		return ""
	}
	return layout
}

// of returns the plain view of an operand, ok = false when it is plain already. Operands without a layout that end in a
// texel's channels, such as the bias of a fused addition, are packed as the data is.
func (f plainForm) of(t *device.Tensor, weights bool) (*device.Tensor, texture.Order, bool) {
	layout := f.data
	switch {
	case weights:
		layout = f.kernel
	case layout != "" && t.Layout != "":
		layout = t.Layout
	}
	if layout == "" {
		return nil, texture.Order{}, false
	}
	shape, plain, order, ok := texture.Unpack(t.Shape, layout)
	if elements, counted := t.Shape.Elements(); !ok || !counted || elements == 0 || !f.any && strings.IndexByte(plain, 'C') != 1 {
		return nil, texture.Order{}, false
	}
	return plainTensor(t, shape, plain), order, true
}

// rename returns the op with the plain layouts in its attributes.
func (f plainForm) rename(op *graph.Op) *graph.Op {
	if f.data == "" && f.kernel == "" {
		return op
	}
	renamed := *op
	renamed.Attrs = maps.Clone(op.Attrs)
	if renamed.Attrs == nil {
		renamed.Attrs = graph.Attrs{}
	}
	if f.data != "" && f.any {
		renamed.Attrs[graph.AttrDataLayout] = f.data[:len(f.data)-2]
	}
	if f.kernel != "" {
		renamed.Attrs[graph.AttrKernelLayout] = f.kernel[:len(f.kernel)-2]
	}
	return &renamed
}
