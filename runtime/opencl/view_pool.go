package opencl

import "github.com/memplan/memplan/runtime/form"

// viewPoolBuilders are the poolings on texels.
var viewPoolBuilders = map[string]viewBuilder{
	"MaxPool": viewPool, "AveragePool": viewPool, "GlobalMaxPool": viewGlobalPool, "GlobalAveragePool": viewGlobalPool,
}

// viewPool binds MaxPool and AveragePool without places of maxima.
func viewPool(b *site) ([]launch, bool, error) {
	if b.result(1) != nil {
		return nil, false, nil
	}
	p, err := newPooling(b)
	if err != nil {
		return nil, false, err
	}
	return p.onTexels(b.op.Op == "AveragePool", b.op.Attrs.Int("count_include_pad", 0) != 0)
}

// viewGlobalPool binds the poolings over all pixels as ones with a window of that size.
func viewGlobalPool(b *site) ([]launch, bool, error) {
	x, y := b.input(0), b.result(0)
	if x == nil || y == nil || len(x.shape()) != len(y.shape()) {
		return nil, false, nil
	}
	p := &pooling{b: b, x: x, y: y}
	var err error
	if p.in, err = form.PictureOf(b.op, x.t); err != nil {
		return nil, false, err
	}
	if p.out, err = form.PictureOf(b.op, y.t); err != nil {
		return nil, false, err
	}
	one := form.Dims{1, 1, 1}
	if p.out.Size != one || p.in.Pixels() == 0 || p.in.C != p.out.C || p.in.N != p.out.N {
		return nil, false, nil
	}
	p.window = form.Window{Kernel: p.in.Size, Stride: one, Dilation: one}
	return p.onTexels(b.op.Op == "GlobalAveragePool", false)
}

// onTexels binds the kernel of kernels/view_pool.cl.
func (p *pooling) onTexels(average, padded bool) ([]launch, bool, error) {
	b := p.b
	from, to := b.view(p.x, pictureExtents(p.in), false), b.view(p.y, pictureExtents(p.out), false)
	channels := 1
	if p.out.Last {
		channels = len(p.y.shape()) - 1
	}
	tail, ok := b.viewTail(p.y, channels)
	if from == nil || to == nil || !ok || b.overlaps(p.y, false) {
		return nil, false, nil
	}
	count := pictureExtents(p.out)
	end, err := tail.endOf(b, count)
	if end == nil {
		return nil, false, err
	}
	values, places, err := axisTables(&p.window, p.in.Size, p.out.Size, false)
	if err != nil {
		return nil, false, err
	}
	var counts form.Dims
	for axis := range form.Spatial {
		counts[axis] = len(values)
		for o := range p.out.Size[axis] {
			values = append(values, p.counted(axis, o, padded))
		}
	}
	tables, err := b.upload(values)
	if err != nil {
		return nil, false, err
	}
	program := viewSource("view_pool", from, nil, end.other, to)
	if average {
		program.options += " -DAVERAGE"
	}
	k := p.window.Kernel
	return b.texelLaunch(program, "pool_view", count.size(), []*view{from}, to, end.args, tables, count.numbers(),
		ints8(k[0], k[1], k[2], places[0], places[1], places[2]), ints8(counts[0], counts[1], counts[2]))
}
