package form

import (
	"math"
	"strings"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
)

// Spatial is the number of window axes every kernel works with: depth, height, width. Tensors with fewer have leading
// axes of extent 1.
const Spatial = 3

// Dims holds a number for each window axis, outermost first.
type Dims [Spatial]int

func (d Dims) Volume() int { return d[0] * d[1] * d[2] }

// Picture is a data tensor [N, C, D, H, W] or [N, D, H, W, C], with missing axes of extent 1.
type Picture struct {
	N, C int
	Size Dims
	// Last says that the channels are the innermost axis.
	Last bool
}

// Pixels is the number of positions of one image.
func (p Picture) Pixels() int { return p.Size.Volume() }

// GlobalOf reads the data x of a pooling over all pixels. It refuses data without pixels and a result y that has not one
// element for each channel of each image.
func GlobalOf(op *graph.Op, x, y *device.Tensor) (Picture, error) {
	p, err := PictureOf(op, x)
	if err != nil {
		return Picture{}, err
	}
	if n, _ := y.Shape.Elements(); n != int64(p.N)*int64(p.C) {
		return Picture{}, RefuseTensor(y, "%d elements do not take one for each of %d channels", n, p.N*p.C)
	}
	if p.Pixels() == 0 {
		return Picture{}, RefuseTensor(x, "the shape %v has no pixels to reduce", x.Shape)
	}
	return p, nil
}

// Limit is the largest value of an attribute that the kernels take: products of two stay far from 2^63.
const Limit = math.MaxInt32

// PictureOf reads the shape of a data operand of rank 3 to 5 in the layout that the op's attribute names.
func PictureOf(op *graph.Op, t *device.Tensor) (Picture, error) {
	shape := t.Shape
	if len(shape) < 3 || len(shape) > 2+Spatial {
		return Picture{}, RefuseTensor(t, "rank %d is not supported, 3 to 5 are", len(shape))
	}
	layout := op.Attrs.String(graph.AttrDataLayout, "NCHW")
	if packed := layout + t.Layout; strings.ContainsAny(packed, "0123456789") {
		return Picture{}, RefuseTensor(t, "a packed layout (%s) is not supported; repack the tensor with LayoutTransform first", packed)
	}
	at := strings.IndexByte(layout, 'C')
	p := Picture{N: int(shape[0]), Size: Dims{1, 1, 1}, Last: at == len(layout)-1}
	if at != 1 && !p.Last {
		return Picture{}, Refuse("the data layout %q is not supported, channels come second or last", layout)
	}
	axes := shape[2:]
	p.C = int(shape[1])
	if p.Last {
		axes, p.C = shape[1:len(shape)-1], int(shape[len(shape)-1])
	}
	for i, n := range axes {
		p.Size[Spatial-len(axes)+i] = int(n)
	}
	return p, nil
}

// Window is how a kernel slides over a Picture.
type Window struct {
	Kernel, Stride, Dilation Dims
	// Before and After are the padding at the two ends of each axis.
	Before, After Dims
}

// WindowOf reads the attributes of a windowed op on tensors with rank axes. kernel is the extent that the weights
// give; the zero value takes the attribute kernel_shape.
func WindowOf(op *graph.Op, rank int, kernel Dims, in, out Dims, transposed bool) (Window, error) {
	w := Window{Kernel: kernel}
	axes := rank - 2
	var err error
	if kernel == (Dims{}) {
		if len(op.Attrs.Ints("kernel_shape")) != axes {
			return w, Refuse("kernel_shape %v does not have %d axes", op.Attrs.Ints("kernel_shape"), axes)
		}
		if w.Kernel, err = axisValues(op, "kernel_shape", 0, axes); err != nil {
			return w, err
		}
	}
	if w.Stride, err = axisValues(op, "strides", 0, axes); err != nil {
		return w, err
	}
	if w.Dilation, err = axisValues(op, "dilations", 0, axes); err != nil {
		return w, err
	}
	for i := range Spatial {
		if w.Kernel[i] < 1 || w.Stride[i] < 1 || w.Dilation[i] < 1 {
			return w, Refuse("kernel %v, strides %v and dilations %v must be positive", w.Kernel, w.Stride, w.Dilation)
		}
	}
	return w, w.pad(op, axes, in, out, transposed)
}

// axisValues returns the values [from, from+axes) of a list attribute, 1 for each when it is absent.
func axisValues(op *graph.Op, name string, from, axes int) (Dims, error) {
	d := Dims{1, 1, 1}
	list := op.Attrs.Ints(name)
	if len(list) == 0 {
		return d, nil
	}
	if len(list) < from+axes {
		return d, Refuse("%s %v has fewer than %d values", name, list, from+axes)
	}
	for i, v := range list[from : from+axes] {
		if v < -Limit || v > Limit {
			return d, Refuse("%s %v exceeds %d", name, list, Limit)
		}
		d[Spatial-axes+i] = int(v)
	}
	return d, nil
}

// pad sets the padding, by the rule that auto_pad names or from pads.
func (w *Window) pad(op *graph.Op, axes int, in, out Dims, transposed bool) error {
	mode := op.Attrs.String("auto_pad", "NOTSET")
	switch mode {
	case "VALID":
		return nil
	case "SAME_UPPER", "SAME_LOWER":
		for i := range Spatial {
			total := max((out[i]-1)*w.Stride[i]+w.Reach(i)-in[i], 0)
			if transposed {
				total = max((in[i]-1)*w.Stride[i]+w.Reach(i)-out[i], 0)
			}
			w.Before[i] = total / 2
			if mode == "SAME_LOWER" {
				w.Before[i] = total - total/2
			}
			w.After[i] = total - w.Before[i]
		}
		return nil
	case "NOTSET", "":
	default:
		return Refuse("auto_pad %q is not known", mode)
	}
	if len(op.Attrs.Ints("pads")) == 0 {
		return nil
	}
	var err error
	if w.Before, err = axisValues(op, "pads", 0, axes); err != nil {
		return err
	}
	w.After, err = axisValues(op, "pads", axes, axes)
	for i := range Spatial - axes {
		w.Before[i], w.After[i] = 0, 0
	}
	return err
}

// Reach is the extent that the kernel covers along an axis, holes included.
func (w *Window) Reach(axis int) int { return (w.Kernel[axis]-1)*w.Dilation[axis] + 1 }

// Meets is the input position of output o and kernel element k, -1 outside of the input.
func (w *Window) Meets(axis, o, k, in int, transposed bool) int {
	i := o*w.Stride[axis] - w.Before[axis] + k*w.Dilation[axis]
	if transposed {
		i = o + w.Before[axis] - k*w.Dilation[axis]
		if i < 0 || i%w.Stride[axis] != 0 {
			return -1
		}
		i /= w.Stride[axis]
	}
	if i < 0 || i >= in {
		return -1
	}
	return i
}

// Each calls visit for the elements of the window in row-major order, with their number.
func (d Dims) Each(visit func(number int, k Dims)) {
	number := 0
	for z := range d[0] {
		for y := range d[1] {
			for x := range d[2] {
				visit(number, Dims{z, y, x})
				number++
			}
		}
	}
}
