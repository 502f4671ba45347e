package host

import (
	"math"
	"strings"

	"github.com/memplan/memplan/planner/graph"
)

// spatial is the number of window axes every kernel works with: depth, height, width. Tensors with fewer have leading
// axes of extent 1.
const spatial = 3

// dims holds a number for each window axis, outermost first.
type dims [spatial]int

func (d dims) volume() int { return d[0] * d[1] * d[2] }

// picture is a data tensor [N, C, D, H, W] or [N, D, H, W, C], with missing axes of extent 1.
type picture struct {
	n, c int
	size dims
	// last says that the channels are the innermost axis.
	last bool
}

// pixels is the number of positions of one image.
func (p picture) pixels() int { return p.size.volume() }

// limit is the largest value of an attribute that the kernels take: products of two stay far from 2^63.
const limit = math.MaxInt32

// newPicture reads the shape of a data operand of rank 3 to 5 in the layout that the op's attribute names.
func newPicture(b *site, o *operand) (picture, error) {
	shape := o.shape()
	if len(shape) < 3 || len(shape) > 2+spatial {
		return picture{}, refuseTensor(o.t, "rank %d is not supported, 3 to 5 are", len(shape))
	}
	layout := b.op.Attrs.String(graph.AttrDataLayout, "NCHW")
	if packed := layout + o.t.Layout; strings.ContainsAny(packed, "0123456789") {
		return picture{}, refuseTensor(o.t, "a packed layout (%s) is not supported; repack the tensor with LayoutTransform first", packed)
	}
	at := strings.IndexByte(layout, 'C')
	p := picture{n: int(shape[0]), size: dims{1, 1, 1}, last: at == len(layout)-1}
	if at != 1 && !p.last {
		return picture{}, refuse("the data layout %q is not supported, channels come second or last", layout)
	}
	axes := shape[2:]
	p.c = int(shape[1])
	if p.last {
		axes, p.c = shape[1:len(shape)-1], int(shape[len(shape)-1])
	}
	for i, n := range axes {
		p.size[spatial-len(axes)+i] = int(n)
	}
	return p, nil
}

// window is how a kernel slides over a picture.
type window struct {
	kernel, stride, dilation dims
	// before and after are the padding at the two ends of each axis.
	before, after dims
}

// newWindow reads the attributes of a windowed op on tensors with rank axes. kernel is the extent that the weights
// give; the zero value takes the attribute kernel_shape.
func newWindow(b *site, rank int, kernel dims, in, out dims, transposed bool) (window, error) {
	w := window{kernel: kernel}
	axes := rank - 2
	var err error
	if kernel == (dims{}) {
		if len(b.op.Attrs.Ints("kernel_shape")) != axes {
			return w, refuse("kernel_shape %v does not have %d axes", b.op.Attrs.Ints("kernel_shape"), axes)
		}
		if w.kernel, err = b.axisValues("kernel_shape", 0, axes); err != nil {
			return w, err
		}
	}
	if w.stride, err = b.axisValues("strides", 0, axes); err != nil {
		return w, err
	}
	if w.dilation, err = b.axisValues("dilations", 0, axes); err != nil {
		return w, err
	}
	for i := range spatial {
		if w.kernel[i] < 1 || w.stride[i] < 1 || w.dilation[i] < 1 {
			return w, refuse("kernel %v, strides %v and dilations %v must be positive", w.kernel, w.stride, w.dilation)
		}
	}
	return w, w.pad(b, axes, in, out, transposed)
}

// axisValues returns the values [from, from+axes) of a list attribute, 1 for each when it is absent.
func (b *site) axisValues(name string, from, axes int) (dims, error) {
	d := dims{1, 1, 1}
	list := b.op.Attrs.Ints(name)
	if len(list) == 0 {
		return d, nil
	}
	if len(list) < from+axes {
		return d, refuse("%s %v has fewer than %d values", name, list, from+axes)
	}
	for i, v := range list[from : from+axes] {
		if v < -limit || v > limit {
			return d, refuse("%s %v exceeds %d", name, list, limit)
		}
		d[spatial-axes+i] = int(v)
	}
	return d, nil
}

// pad sets the padding, by the rule that auto_pad names or from pads.
func (w *window) pad(b *site, axes int, in, out dims, transposed bool) error {
	mode := b.op.Attrs.String("auto_pad", "NOTSET")
	switch mode {
	case "VALID":
		return nil
	case "SAME_UPPER", "SAME_LOWER":
		for i := range spatial {
			total := max((out[i]-1)*w.stride[i]+w.reach(i)-in[i], 0)
			if transposed {
				total = max((in[i]-1)*w.stride[i]+w.reach(i)-out[i], 0)
			}
			w.before[i] = total / 2
			if mode == "SAME_LOWER" {
				w.before[i] = total - total/2
			}
			w.after[i] = total - w.before[i]
		}
		return nil
	case "NOTSET", "":
	default:
		return refuse("auto_pad %q is not known", mode)
	}
	if len(b.op.Attrs.Ints("pads")) == 0 {
		return nil
	}
	var err error
	if w.before, err = b.axisValues("pads", 0, axes); err != nil {
		return err
	}
	w.after, err = b.axisValues("pads", axes, axes)
	for i := range spatial - axes {
		w.before[i], w.after[i] = 0, 0
	}
	return err
}

// reach is the extent that the kernel covers along an axis, holes included.
func (w *window) reach(axis int) int { return (w.kernel[axis]-1)*w.dilation[axis] + 1 }

// taps says for each output position and kernel element of one axis which input position they meet: at[o*kernel+k],
// -1 for padding.
type taps struct {
	kernel int
	at     []int32
}

// of returns the input positions of the output position o.
func (t taps) of(o int) []int32 { return t.at[o*t.kernel : (o+1)*t.kernel] }

// newTaps fills the table of an axis; transposed is the gather form of a transposed convolution.
func newTaps(w *window, axis, in, out int, transposed bool) taps {
	t := taps{w.kernel[axis], make([]int32, out*w.kernel[axis])}
	for o := range out {
		row := t.of(o)
		for k := range row {
			row[k] = int32(w.meets(axis, o, k, in, transposed))
		}
	}
	return t
}

// meets is the input position of output o and kernel element k, -1 outside of the input.
func (w *window) meets(axis, o, k, in int, transposed bool) int {
	i := o*w.stride[axis] - w.before[axis] + k*w.dilation[axis]
	if transposed {
		i = o + w.before[axis] - k*w.dilation[axis]
		if i < 0 || i%w.stride[axis] != 0 {
			return -1
		}
		i /= w.stride[axis]
	}
	if i < 0 || i >= in {
		return -1
	}
	return i
}

// newTapTables returns the tables of the three axes. Their size is that of the output's axes times the kernel's.
func newTapTables(w *window, in, out dims, transposed bool) ([spatial]taps, error) {
	var tables [spatial]taps
	for i := range spatial {
		if out[i] > 0 && w.kernel[i] > 1<<28/out[i] {
			return tables, refuse("a kernel of %d over %d positions is too large", w.kernel[i], out[i])
		}
		tables[i] = newTaps(w, i, in[i], out[i], transposed)
	}
	return tables, nil
}
