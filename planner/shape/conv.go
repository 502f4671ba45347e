package shape

import (
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// kernelLayout finds the axes of output channels, input channels and space in the weights of a convolution.
type kernelLayout struct{ rank, out, in int }

// kernelLayoutOf returns the layout of weight input i, from the attribute kernel_layout; without it output and input
// channels are the axes given.
func (n *node) kernelLayoutOf(i, out, in int) (kernelLayout, error) {
	l := kernelLayout{rank: n.rank(i), out: out, in: in}
	layout, err := n.stringAttr(graph.AttrKernelLayout, "")
	if err != nil || layout == "" {
		return l, err
	}
	l.out, l.in = strings.Index(layout, "O"), strings.Index(layout, "I")
	if layout == "OIHW" || layout == "IOHW" {
		return l, nil // whatever the number of spatial axes
	}
	if len(layout) != l.rank || strings.Count(layout, "O") != 1 || strings.Count(layout, "I") != 1 {
		return l, n.fault(diag.InvalidAttribute, "has the %s %q, which must have one letter for each axis of %s, one O and one I. Correct the attribute.",
			graph.AttrKernelLayout, layout, n.operand(i))
	}
	return l, nil
}

// extents returns the spatial extents of a weight of this layout.
func (l kernelLayout) extents(s graph.Shape) []int64 {
	var out []int64
	for axis, e := range s {
		if axis != l.out && axis != l.in {
			out = append(out, e)
		}
	}
	return out
}

// convOperands are the positions of the operands of a convolution.
type convOperands struct{ data, weight, bias int }

// conv: [N, C, D...] by [O, C/group, K...] gives [N, O, D'...].
func conv(n *node) ([]array.Type, error) {
	return n.convolution(convOperands{0, 1, 2}, n.dtype(0))
}

// convInteger: as conv, without bias, accumulated in int32.
func convInteger(n *node) ([]array.Type, error) {
	return n.convolution(convOperands{0, 1, -1}, graph.Int32)
}

// qlinearConv: as conv, each operand with scale and zero point; the output's zero point gives its type.
func qlinearConv(n *node) ([]array.Type, error) {
	return n.convolution(convOperands{0, 3, 8}, n.dtype(7))
}

// deformConv: as conv, with offsets as third input.
func deformConv(n *node) ([]array.Type, error) {
	return n.convolution(convOperands{0, 1, 3}, n.dtype(0))
}

func (n *node) convolution(ops convOperands, d graph.DType) ([]array.Type, error) {
	data, weight, w, err := n.convLayouts(ops, 0, 1)
	if err != nil {
		return nil, err
	}
	group, err := n.group()
	if err != nil {
		return nil, err
	}
	x, k := n.shape(ops.data), n.shape(ops.weight)
	channels, filters := x[data.channel], k[weight.out]
	if channels%group != 0 || filters%group != 0 {
		return nil, n.fault(diag.GroupMismatch, "has %d groups, which must divide the %d channels of %s, axis %d, and the %d of %s, axis %d. Correct the group attribute.",
			group, channels, n.operand(ops.data), data.channel, filters, n.operand(ops.weight), weight.out)
	}
	if channels/group != k[weight.in] {
		return nil, n.fault(diag.ExtentMismatch, "reads %s, which has %d channels on axis %d in %d groups, so %d each; its weights %s have %d on axis %d. Correct one of the two.",
			n.operand(ops.data), channels, data.channel, group, channels/group, n.operand(ops.weight), k[weight.in], weight.in)
	}
	if err := n.wantBias(ops.bias, filters); err != nil {
		return nil, err
	}
	space, err := n.slide(w, ops.data, data)
	if err != nil {
		return nil, err
	}
	return one(d, data.shape(x[0], filters, space)), nil
}

// convLayouts reads the layouts of data and weights, which must agree in the number of axes, and the window.
func (n *node) convLayouts(ops convOperands, out, in int) (data dataLayout, weight kernelLayout, w window, err error) {
	if data, err = n.layoutOf(ops.data); err != nil {
		return data, weight, w, err
	}
	if err = n.wantMinRank(ops.data, 3); err != nil {
		return data, weight, w, err
	}
	if err = n.wantRank(ops.weight, n.rank(ops.data)); err != nil {
		return data, weight, w, err
	}
	if weight, err = n.kernelLayoutOf(ops.weight, out, in); err != nil {
		return data, weight, w, err
	}
	kernel := weight.extents(n.shape(ops.weight))
	for i, k := range kernel {
		if k < 1 {
			return data, weight, w, n.fault(diag.InvalidOperandValue, "reads the weights %s, whose kernel has %d elements on spatial axis %d. Correct the weights.",
				n.operand(ops.weight), k, i)
		}
	}
	w, err = n.windowOf(len(kernel), kernel)
	return data, weight, w, err
}

func (n *node) group() (int64, error) {
	group, err := n.intAttr("group", 1)
	if err == nil && group < 1 {
		err = n.fault(diag.InvalidAttribute, "has the group %d, the least is 1. Correct the attribute.", group)
	}
	return group, err
}

// wantBias checks the optional bias at input i: one number, or one for each channel.
func (n *node) wantBias(i int, channels int64) error {
	if i < 0 {
		return nil
	}
	return n.wantVector(i, channels, "one bias for each output channel")
}

// convTranspose: [N, C, D...] by [C, O/group, K...] gives [N, O, D'...].
func convTranspose(n *node) ([]array.Type, error) {
	ops := convOperands{0, 1, 2}
	data, weight, w, err := n.convLayouts(ops, 1, 0)
	if err != nil {
		return nil, err
	}
	group, err := n.group()
	if err != nil {
		return nil, err
	}
	x, k := n.shape(0), n.shape(1)
	channels := x[data.channel]
	if channels%group != 0 {
		return nil, n.fault(diag.GroupMismatch, "has %d groups, which must divide the %d channels of %s, axis %d. Correct the group attribute.", group, channels, n.operand(0), data.channel)
	}
	if k[weight.in] != channels {
		return nil, n.fault(diag.ExtentMismatch, "reads %s, which has %d channels on axis %d; its weights %s have %d on axis %d. Correct one of the two.",
			n.operand(0), channels, data.channel, n.operand(1), k[weight.in], weight.in)
	}
	var c checked
	filters := c.mul(k[weight.out], group)
	if c.overflow {
		return nil, n.overflows(data.channel, x)
	}
	if err := n.wantBias(2, filters); err != nil {
		return nil, err
	}
	space, err := n.unslide(w, data)
	if err != nil {
		return nil, err
	}
	return one(n.dtype(0), data.shape(x[0], filters, space)), nil
}

// unslide returns the spatial extents of the output of a transposed window: those of output_shape, or else the smallest
// that the window slides over to give the input, with output_padding more at the end.
func (n *node) unslide(w window, l dataLayout) ([]int64, error) {
	space := l.extents(n.shape(0))
	if given, err := n.statedSpace(l, len(space)); err != nil || given != nil {
		return given, err
	}
	extra, err := n.listAttr("output_padding", len(space), 0, 0)
	if err != nil {
		return nil, err
	}
	out := make([]int64, len(space))
	for k, axis := range l.space() {
		var c checked
		if w.autoPad != "" {
			out[k] = c.mul(space[k], w.strides[k])
		} else {
			full := c.add(c.mul(w.strides[k], c.sub(space[k], 1)), c.add(extra[k], w.span(&c, k)))
			out[k] = c.sub(full, c.add(w.begin[k], w.end[k]))
		}
		if c.overflow {
			return nil, n.overflows(axis, n.shape(0))
		}
		if out[k] < 1 {
			return nil, n.fault(diag.WindowTooLarge, "takes padding %d + %d from axis %d of the result of %s, which leaves %d elements. Correct the pads.",
				w.begin[k], w.end[k], axis, n.operand(0), out[k])
		}
	}
	return out, nil
}

// statedSpace returns the spatial extents of the attribute output_shape, nil when it is absent. Some exporters write
// batch and channels too.
func (n *node) statedSpace(l dataLayout, axes int) ([]int64, error) {
	given, err := n.intsAttr("output_shape")
	if err != nil || given == nil {
		return nil, err
	}
	if len(given) == l.rank {
		if given, err = n.listAttr("output_shape", l.rank, 1, 0); err != nil {
			return nil, err
		}
		return l.extents(graph.Shape(given)), nil
	}
	return n.listAttr("output_shape", axes, 1, 0)
}
