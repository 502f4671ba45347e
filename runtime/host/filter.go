package host

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// filter reads the weights of a convolution in any order of axes.
type filter struct {
	operand *operand
	data    []float32
	// constant says that data has its content when the step is prepared.
	constant bool
	// o and i are the extents of the output and the input channel axis, window the others.
	o, i   int
	window form.Dims
	// Strides in elements.
	so, si int
	sw     form.Dims
}

// newFilter resolves the layout of the weight operand; standard is the op's own, "OI" or "IO" and the window axes.
func newFilter(b *site, o *operand, standard string) (*filter, error) {
	shape := o.shape()
	if len(shape) < 3 || len(shape) > 2+form.Spatial {
		return nil, form.RefuseTensor(o.t, "weights of rank %d are not supported, 3 to 5 are", len(shape))
	}
	layout := b.op.Attrs.String(graph.AttrKernelLayout, "")
	if layout == "" || (len(layout) != len(shape) && layout == standard+"HW") {
		layout = standard + "DHW"[form.Spatial+2-len(shape):]
	}
	data, err := b.floats(o)
	if err != nil {
		return nil, err
	}
	f := &filter{operand: o, data: data, constant: o.t.Role == graph.Constant, window: form.Dims{1, 1, 1}}
	if !f.axes(layout, shape) {
		return nil, form.RefuseTensor(o.t, "the kernel layout %q does not fit the shape %v", layout, shape)
	}
	return f, nil
}

// axes sets extents and strides from the letters of a layout, innermost first.
func (f *filter) axes(layout string, shape graph.Shape) bool {
	if len(layout) != len(shape) {
		return false
	}
	stride, at := 1, form.Spatial-1
	for k := len(shape) - 1; k >= 0; k-- {
		n := int(shape[k])
		switch layout[k] {
		case 'O':
			f.o, f.so = n, stride
		case 'I':
			f.i, f.si = n, stride
		default:
			if at < 0 {
				return false
			}
			f.window[at], f.sw[at] = n, stride
			at--
		}
		stride *= n
	}
	return f.o > 0 && f.i > 0 && f.window.Volume() > 0
}

// at returns one weight.
func (f *filter) at(o, i int, k form.Dims) float32 {
	return f.data[o*f.so+i*f.si+k[0]*f.sw[0]+k[1]*f.sw[1]+k[2]*f.sw[2]]
}

// repack runs pack once when the weights are constant, else before each run.
func (b *site) repack(f *filter, pack func()) {
	if f.constant {
		pack()
		f.operand.spent = true
		return
	}
	b.before = append(b.before, pack)
}
