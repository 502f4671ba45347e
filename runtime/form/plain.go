package form

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

// Plain is what to rename in an op whose operands are packed.
type Plain struct {
	// Data and Kernel are the packed layouts of the data and of the weights, "" when they are plain.
	Data, Kernel string
	// any says that the channels may be any axis.
	any bool
}

// PlainOf finds out whether a step's kernel must see packed operands as plain ones.
func PlainOf(s *device.Step) Plain {
	var f Plain
	anywhere, ok := wantsPlain[s.Op.Op]
	if !ok || s.Op.Domain != "" && s.Op.Domain != "tflite" || len(s.Inputs) == 0 {
		return f
	}
	f.any = anywhere
	f.Data = packedLayout(s.Inputs[0], s.Op.Attrs.String(graph.AttrDataLayout, ""))
	if anywhere && strings.HasPrefix(s.Op.Op, "Conv") && len(s.Inputs) > 1 {
		f.Kernel = packedLayout(s.Inputs[1], s.Op.Attrs.String(graph.AttrKernelLayout, ""))
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

// Of returns the plain view of an operand, ok = false when it is plain already. Operands without a layout that end in a
// texel's channels, such as the bias of a fused addition, are packed as the data is.
func (f Plain) Of(t *device.Tensor, weights bool) (*device.Tensor, texture.Order, bool) {
	layout := f.Data
	switch {
	case weights:
		layout = f.Kernel
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

// Rename returns the op with the plain layouts in its attributes.
func (f Plain) Rename(op *graph.Op) *graph.Op {
	if f.Data == "" && f.Kernel == "" {
		return op
	}
	renamed := *op
	renamed.Attrs = maps.Clone(op.Attrs)
	if renamed.Attrs == nil {
		renamed.Attrs = graph.Attrs{}
	}
	if f.Data != "" && f.any {
		renamed.Attrs[graph.AttrDataLayout] = f.Data[:len(f.Data)-2]
	}
	if f.Kernel != "" {
		renamed.Attrs[graph.AttrKernelLayout] = f.Kernel[:len(f.Kernel)-2]
	}
	return &renamed
}

// plainTensor is a packed tensor as kernels of plain layouts see it.
func plainTensor(t *device.Tensor, shape graph.Shape, layout string) *device.Tensor {
	seen := *t
	seen.Shape, seen.Layout = shape, layout
	return &seen
}

// LayoutOf is the layout that a tensor is packed by in an image. A tensor of rank 4 that nothing labels has the order of
// ONNX.
func LayoutOf(t *device.Tensor) string {
	if t.Layout == "" && len(t.Shape) == 4 {
		return "NCHW"
	}
	return t.Layout
}
