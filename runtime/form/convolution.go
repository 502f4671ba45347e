package form

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
)

// Convolution is what Conv and ConvTranspose compute: extents, the window, the channel groups and the order of the
// weights.
type Convolution struct {
	In, Out    Picture
	Window     Window
	Transposed bool
	// Groups is the number of channel groups, IC and OC the channels of one of them.
	Groups, IC, OC int
	Filter         Filter
}

// Filter says where weights stand, in any order of axes.
type Filter struct {
	// O and I are the extents of the output and the input channel axis, Window the others.
	O, I   int
	Window Dims
	// Strides in elements.
	SO, SI int
	SW     Dims
}

// ConvolutionOf reads Conv, or with transposed ConvTranspose, of data x and weights w with the result y. output_shape and
// output_padding are in the shape of the result already, the padding follows from it.
func ConvolutionOf(op *graph.Op, x, w, y *device.Tensor, transposed bool) (*Convolution, error) {
	c := &Convolution{Transposed: transposed}
	var err error
	if c.In, err = PictureOf(op, x); err != nil {
		return nil, err
	}
	if c.Out, err = PictureOf(op, y); err != nil {
		return nil, err
	}
	if err := c.weights(op, w); err != nil {
		return nil, err
	}
	if c.Window, err = WindowOf(op, len(x.Shape), c.Filter.Window, c.In.Size, c.Out.Size, transposed); err != nil {
		return nil, err
	}
	if transposed {
		c.padFromShape(op, len(x.Shape)-2)
	}
	return c, nil
}

// weights reads the filter and the groups and checks the channels.
func (c *Convolution) weights(op *graph.Op, w *device.Tensor) error {
	groups := op.Attrs.Int("group", 1)
	if groups < 1 || groups > Limit {
		return Refuse("group %d is not positive", groups)
	}
	c.Groups = int(groups)
	standard := "OI"
	if c.Transposed {
		standard = "IO"
	}
	var err error
	if c.Filter, err = filterOf(op, w, standard); err != nil {
		return err
	}
	if c.In.C%c.Groups != 0 || c.Out.C%c.Groups != 0 || c.In.N != c.Out.N {
		return Refuse("%d input and %d output channels do not divide into %d groups", c.In.C, c.Out.C, c.Groups)
	}
	c.IC, c.OC = c.In.C/c.Groups, c.Out.C/c.Groups
	// A forward filter stores all output channels and the inputs of one group; a transposed one the other way round.
	wantO, wantI := c.Out.C, c.IC
	if c.Transposed {
		wantO, wantI = c.OC, c.In.C
	}
	if f := &c.Filter; f.O != wantO || f.I != wantI {
		return RefuseTensor(w, "weights for %d output and %d input channels do not fit data of %d and %d in %d groups",
			f.O, f.I, c.Out.C, c.In.C, c.Groups)
	}
	return nil
}

// padFromShape derives the padding of a transposed convolution from output_shape, which outranks pads: the total is
// what is missing, the larger half at the start unless auto_pad is SAME_UPPER.
func (c *Convolution) padFromShape(op *graph.Op, axes int) {
	if len(op.Attrs.Ints("output_shape")) == 0 {
		return
	}
	extra := op.Attrs.Ints("output_padding")
	upper := op.Attrs.String("auto_pad", "NOTSET") == "SAME_UPPER"
	for i := Spatial - axes; i < Spatial; i++ {
		w := &c.Window
		total := (c.In.Size[i]-1)*w.Stride[i] + w.Reach(i) - c.Out.Size[i]
		if at := i - (Spatial - axes); at < len(extra) {
			total += int(extra[at])
		}
		// A result larger than the products reach has zeros at its end.
		total = max(total, 0)
		w.Before[i] = total - total/2
		if upper {
			w.Before[i] = total / 2
		}
		w.After[i] = total - w.Before[i]
	}
}

// GroupStride is the distance in the weights from one group to the next, in elements.
func (c *Convolution) GroupStride() int {
	if c.Transposed {
		return c.IC * c.Filter.SI
	}
	return c.OC * c.Filter.SO
}

// Weight is the place of the weight from input channel i to output channel o of group g.
func (c *Convolution) Weight(g, o, i int, k Dims) int {
	f := &c.Filter
	return g*c.GroupStride() + o*f.SO + i*f.SI + k[0]*f.SW[0] + k[1]*f.SW[1] + k[2]*f.SW[2]
}

// filterOf resolves the layout of the weight operand; standard is the op's own, "OI" or "IO" and the window axes.
func filterOf(op *graph.Op, w *device.Tensor, standard string) (Filter, error) {
	f := Filter{Window: Dims{1, 1, 1}}
	if len(w.Shape) < 3 || len(w.Shape) > 2+Spatial {
		return f, RefuseTensor(w, "weights of rank %d are not supported, 3 to 5 are", len(w.Shape))
	}
	layout := op.Attrs.String(graph.AttrKernelLayout, "")
	if layout == "" || (len(layout) != len(w.Shape) && layout == standard+"HW") {
		layout = standard + "DHW"[Spatial+2-len(w.Shape):]
	}
	if !f.axes(layout, w.Shape) {
		return f, RefuseTensor(w, "the kernel layout %q does not fit the shape %v", layout, w.Shape)
	}
	return f, nil
}

// axes sets extents and strides from the letters of a layout, innermost first.
func (f *Filter) axes(layout string, shape graph.Shape) bool {
	if len(layout) != len(shape) {
		return false
	}
	stride, at := 1, Spatial-1
	for k := len(shape) - 1; k >= 0; k-- {
		n := int(shape[k])
		switch layout[k] {
		case 'O':
			f.O, f.SO = n, stride
		case 'I':
			f.I, f.SI = n, stride
		default:
			if at < 0 {
				return false
			}
			f.Window[at], f.SW[at] = n, stride
			at--
		}
		stride *= n
	}
	return f.O > 0 && f.I > 0 && f.Window.Volume() > 0
}
