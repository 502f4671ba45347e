package opencl

import (
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/opencl/cl"
)

// poolBuilders are the poolings.
var poolBuilders = map[string]builder{
	"MaxPool": buildMaxPool, "AveragePool": buildAveragePool, "LpPool": buildLpPool,
	"GlobalAveragePool": buildGlobalPool, "GlobalMaxPool": buildGlobalPool, "GlobalLpPool": buildGlobalPool,
}

// pools is the program of the poolings of float32.
var pools = source{file: "lanes+tiles+pool"}

// pooling is a windowed pooling.
type pooling struct {
	b       *site
	x, y    *operand
	in, out form.Picture
	window  form.Window
}

func newPooling(b *site) (*pooling, error) {
	p := &pooling{b: b}
	var err error
	if p.x, err = b.need(0); err != nil {
		return nil, err
	}
	if p.y, err = b.needResult(0); err != nil {
		return nil, err
	}
	if p.in, err = form.PictureOf(b.op, p.x.t); err != nil {
		return nil, err
	}
	if p.out, err = form.PictureOf(b.op, p.y.t); err != nil {
		return nil, err
	}
	if p.in.N != p.out.N || p.in.C != p.out.C {
		return nil, form.RefuseTensor(p.y.t, "the shape %v does not keep images and channels of %v", p.y.shape(), p.x.shape())
	}
	p.window, err = form.WindowOf(b.op, len(p.x.shape()), form.Dims{}, p.in.Size, p.out.Size, false)
	return p, err
}

// buildAveragePool binds AveragePool, in either layout, with dilations. The divisor counts the inputs of a window, with
// count_include_pad also the padding, but never what ceil_mode lets a window cover beyond it.
func buildAveragePool(b *site) ([]launch, error) {
	p, err := newPooling(b)
	if err != nil {
		return nil, err
	}
	return p.launch("average", 0, b.op.Attrs.Int("count_include_pad", 0) != 0)
}

// buildLpPool binds LpPool: the p-th root of the sum of p-th powers of the magnitudes.
func buildLpPool(b *site) ([]launch, error) {
	p, err := newPooling(b)
	if err != nil {
		return nil, err
	}
	power, err := powerOf(b)
	if err != nil {
		return nil, err
	}
	return p.launch("power", power, false)
}

func powerOf(b *site) (int, error) {
	power := b.op.Attrs.Int("p", 2)
	if power < 1 || power > form.Limit {
		return 0, form.Refuse("p is %d, and a norm needs 1 or more", power)
	}
	return int(power), nil
}

// launch makes the launch of a kernel of kernels/pool.cl for float32 elements; kind is the start of its name, padded says
// that divisors count padding.
func (p *pooling) launch(kind string, power int, padded bool) ([]launch, error) {
	x, err := p.b.floatsOf(p.x)
	if err != nil {
		return nil, err
	}
	y, err := p.b.resultFloats(p.y, false)
	if err != nil {
		return nil, err
	}
	if p.in.Last {
		return p.launchLast(kind+"_last", x, y, power, padded)
	}
	return p.launchFirst(kind+"_first", x, y, power, padded)
}

func (p *pooling) launchLast(kernel string, x, y *flat, power int, padded bool) ([]launch, error) {
	values, places, err := axisTables(&p.window, p.in.Size, p.out.Size, false)
	if err != nil {
		return nil, err
	}
	var counts form.Dims
	for axis := range form.Spatial {
		counts[axis] = len(values)
		for o := range p.out.Size[axis] {
			values = append(values, p.counted(axis, o, padded))
		}
	}
	tables, err := p.b.upload(values)
	if err != nil {
		return nil, err
	}
	in, out, k := &p.in, p.out.Size, p.window.Kernel
	global, group := alone(ceilDiv(in.C, 16), out[2], in.N*out[0]*out[1])
	return one(p.b.launch(pools, kernel, global, group, x, y, tables,
		ints8(in.N, in.Size[0], in.Size[1], in.Size[2], in.C, power, x.elements()),
		ints8(out[0], out[1], out[2], counts[0], counts[1], counts[2]),
		ints8(k[0], k[1], k[2], places[0], places[1], places[2])))
}

func (p *pooling) launchFirst(kernel string, x, y *flat, power int, padded bool) ([]launch, error) {
	values, err := tileTable(&p.window, p.in.Size, p.out.Size, false)
	if err != nil {
		return nil, err
	}
	counts, out := len(values), p.out.Size
	for pixel := range ceilDiv(out.Volume(), tileLanes) * tileLanes {
		n := int32(1)
		if pixel < out.Volume() {
			n = p.counted(0, pixel/(out[1]*out[2]), padded) * p.counted(1, pixel/out[2]%out[1], padded) * p.counted(2, pixel%out[2], padded)
		}
		values = append(values, n)
	}
	tables, err := p.b.upload(values)
	if err != nil {
		return nil, err
	}
	planes := p.in.N * p.in.C
	global, group := alone(ceilDiv(out.Volume(), tileLanes), planes, 1)
	return one(p.b.launch(pools, kernel, global, group, x, y, tables,
		ints8(planes, p.in.Pixels(), p.out.Pixels(), p.window.Kernel.Volume(), counts, power, x.elements())))
}

// counted is the number of elements of the window that count at a position of an axis.
func (p *pooling) counted(axis, position int, padded bool) (n int32) {
	w, first, size := &p.window, position*p.window.Stride[axis]-p.window.Before[axis], p.in.Size[axis]
	low, high := 0, size
	if padded {
		low, high = -w.Before[axis], size+w.After[axis]
	}
	for k := range w.Kernel[axis] {
		if i := first + k*w.Dilation[axis]; i >= low && i < high {
			n++
		}
	}
	return n
}

// buildGlobalPool binds the poolings over all pixels, in either layout.
func buildGlobalPool(b *site) ([]launch, error) {
	if e, err := form.ExcitationOf(b.op, len(b.in)); e != nil || err != nil {
		return b.excitation(e, err)
	}
	x, err := b.need(0)
	if err != nil {
		return nil, err
	}
	y, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	in, err := form.GlobalOf(b.op, x.t, y.t)
	if err != nil {
		return nil, err
	}
	kind, power := map[string]string{"GlobalAveragePool": "average", "GlobalMaxPool": "max", "GlobalLpPool": "power"}[b.op.Op], 0
	if kind == "power" {
		if power, err = powerOf(b); err != nil {
			return nil, err
		}
	}
	from, err := b.floatsOf(x)
	if err != nil {
		return nil, err
	}
	to, err := b.resultFloats(y, false)
	if err != nil {
		return nil, err
	}
	return one(b.globalPool(kind, in, from, to, power))
}

// globalPool is the launch of a pooling over all pixels.
func (b *site) globalPool(kind string, in form.Picture, x, y *flat, power int) (launch, error) {
	if in.Last {
		global, group := alone(ceilDiv(in.C, 16), in.N, 1)
		return b.launch(pools, kind+"_global_last", global, group, x, y, ints8(in.N, in.Pixels(), in.C, 0, 0, power))
	}
	planes := in.N * in.C
	return b.launch(pools, kind+"_global_first", cl.Size{planes}, cl.Size{4}, x, y, ints8(planes, in.Pixels(), in.C, 0, 0, power))
}
