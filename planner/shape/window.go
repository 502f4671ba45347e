package shape

import (
	"fmt"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// dataLayout finds the axes of batch, channels and space in the data of convolutions and pooling.
type dataLayout struct{ rank, channel int }

// layoutOf returns the layout of input i, from the attribute data_layout: channels follow the batch axis or come last.
func (n *node) layoutOf(i int) (dataLayout, error) {
	layout, err := n.stringAttr(graph.AttrDataLayout, "")
	if err != nil {
		return dataLayout{}, err
	}
	l := dataLayout{rank: n.rank(i), channel: 1}
	switch {
	case layout == "", strings.HasPrefix(layout, "NC"):
	case strings.HasPrefix(layout, "N") && strings.HasSuffix(layout, "C"):
		l.channel = l.rank - 1
	default:
		return dataLayout{}, n.fault(diag.InvalidAttribute, "has the %s %q; known are those like \"NCHW\" and \"NHWC\". Correct the attribute.", graph.AttrDataLayout, layout)
	}
	return l, n.wantMinRank(i, 2)
}

// space returns the spatial axes, in order.
func (l dataLayout) space() []int {
	axes := make([]int, 0, l.rank-2)
	for axis := 1; axis < l.rank; axis++ {
		if axis != l.channel {
			axes = append(axes, axis)
		}
	}
	return axes
}

// extents returns the spatial extents of a shape of this layout.
func (l dataLayout) extents(s graph.Shape) []int64 {
	var out []int64
	for _, axis := range l.space() {
		out = append(out, s[axis])
	}
	return out
}

// shape puts batch, channels and spatial extents together.
func (l dataLayout) shape(batch, channels int64, space []int64) graph.Shape {
	out := make(graph.Shape, l.rank)
	out[0], out[l.channel] = batch, channels
	for i, axis := range l.space() {
		out[axis] = space[i]
	}
	return out
}

// window is how a kernel moves over the spatial axes; every list has one value per axis.
type window struct {
	kernel, strides, dilations []int64
	// begin and end are the padding before and after.
	begin, end []int64
	autoPad    string
	// up says that a last, partial window counts (ceil_mode).
	up bool
}

// windowOf reads the attributes of a window with the kernel's extents; they are checked against kernel_shape, which
// replaces them when kernel is nil.
func (n *node) windowOf(axes int, kernel []int64) (window, error) {
	w := window{kernel: kernel}
	given, err := n.intsAttr("kernel_shape")
	if err != nil {
		return w, err
	}
	if given != nil || kernel == nil {
		if given, err = n.listAttr("kernel_shape", axes, 1, 0); err != nil {
			return w, err
		}
		if err := n.matchKernel(kernel, given); err != nil {
			return w, err
		}
		w.kernel = given
	}
	if w.strides, err = n.listAttr("strides", axes, 1, 1); err != nil {
		return w, err
	}
	if w.dilations, err = n.listAttr("dilations", axes, 1, 1); err != nil {
		return w, err
	}
	if w.up, err = n.flagAttr("ceil_mode", false); err != nil {
		return w, err
	}
	return w, n.readPads(&w, axes)
}

func (n *node) matchKernel(kernel, given []int64) error {
	for i, k := range given {
		if k < 1 {
			return n.fault(diag.InvalidAttribute, "lacks the attribute kernel_shape. Correct the op.")
		}
		if kernel != nil && kernel[i] != k {
			return n.fault(diag.ExtentMismatch, "has %d in kernel_shape, position %d, where its weights have %d. Correct the attribute.", k, i, kernel[i])
		}
	}
	return nil
}

// readPads reads auto_pad and pads: all values before, then all after.
func (n *node) readPads(w *window, axes int) error {
	auto, err := n.stringAttr("auto_pad", "NOTSET")
	if err != nil {
		return err
	}
	pads, err := n.listAttr("pads", 2*axes, 0, 0)
	if err != nil {
		return err
	}
	switch auto {
	case "", "NOTSET":
	case "VALID":
		pads = repeat(0, 2*axes)
	case "SAME_UPPER", "SAME_LOWER":
		w.autoPad = auto
	default:
		return n.fault(diag.InvalidAttribute, "has the auto_pad %q; known are NOTSET, SAME_UPPER, SAME_LOWER and VALID. Correct the attribute.", auto)
	}
	w.begin, w.end = pads[:axes], pads[axes:]
	return nil
}

// span is the number of input elements from the first to the last that one window reads.
func (w window) span(c *checked, i int) int64 {
	return c.add(c.mul(w.dilations[i], c.sub(w.kernel[i], 1)), 1)
}

// slide returns the spatial extents of the output of a window over input i.
func (n *node) slide(w window, i int, l dataLayout) ([]int64, error) {
	space := l.extents(n.shape(i))
	out := make([]int64, len(space))
	for k, axis := range l.space() {
		var c checked
		span := w.span(&c, k)
		padded := c.add(c.add(space[k], w.begin[k]), w.end[k])
		if c.overflow {
			return nil, n.overflows(axis, n.shape(i))
		}
		if w.autoPad != "" {
			out[k] = divideUp(space[k], w.strides[k])
		} else if padded >= span {
			out[k] = w.positions(k, padded-span, space[k])
		}
		if out[k] < 1 {
			return nil, n.fault(diag.WindowTooLarge, "moves a window of %d elements%s over axis %d of %s, which has %d with padding %d + %d: nothing is left. Give a larger input, or correct kernel and pads.",
				span, w.dilationText(k), axis, n.operand(i), space[k], w.begin[k], w.end[k])
		}
	}
	return out, nil
}

// positions counts the places of a window that can move by free elements; extent is the unpadded input. A partial
// window counts with ceil_mode, if it does not start in the padding at the end.
func (w window) positions(k int, free, extent int64) int64 {
	stride := w.strides[k]
	if !w.up {
		return free/stride + 1
	}
	count := divideUp(free, stride) + 1
	if count-1 >= divideUp(extent+w.begin[k], stride) {
		count--
	}
	return count
}

func (w window) dilationText(k int) string {
	if w.dilations[k] == 1 {
		return ""
	}
	return fmt.Sprintf(" (kernel %d, dilation %d)", w.kernel[k], w.dilations[k])
}
