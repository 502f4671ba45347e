package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// resizeBuilders change the number of positions along axes.
var resizeBuilders = map[string]builder{"Resize": buildResize}

// resizes is the program of their kernels.
var resizes = source{file: "walk+resize"}

// buildResize binds Resize in the modes nearest, linear and cubic with every coordinate transformation, on any axes.
func buildResize(b *site) ([]launch, error) {
	in, err := b.need(0)
	if err != nil {
		return nil, err
	}
	out, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	r, err := form.ResizeOf(b.op, in.t, out.t, b.constantNumbers)
	if err != nil {
		return nil, err
	}
	x, err := b.floatsOf(in)
	if err != nil {
		return nil, err
	}
	y, err := b.resultFloats(out, false)
	if err != nil {
		return nil, err
	}
	if r.Mode == "nearest" {
		return b.resizeNearest(r, x, y)
	}
	return b.resizePasses(r, x, y)
}

// constantNumbers returns the values of a constant operand, none when it is absent or empty.
func (b *site) constantNumbers(i int) ([]float64, error) {
	o := b.input(i)
	if o == nil || o.elements() == 0 {
		return nil, nil
	}
	if o.t.Role != graph.Constant {
		return nil, form.RefuseTensor(o.t, "the kernel needs a constant here, and the tensor is computed during the run; plan with the rewrite \"fold\"")
	}
	a, err := b.constant(i)
	if err != nil {
		return nil, err
	}
	values, err := a.Floats()
	if err != nil {
		return nil, form.RefuseTensor(o.t, "%v", err)
	}
	return values, nil
}

// resizeNearest chooses the element of each position in one launch.
func (b *site) resizeNearest(r *form.Resize, x, y *flat) ([]launch, error) {
	strides := rowMajor(extentsOf(x.shape))
	tables := make([][]int32, len(y.shape))
	for i, d := range y.shape {
		for o := range d {
			tables[i] = append(tables[i], int32(int(o)*strides[i]))
		}
	}
	for _, ax := range r.Axes {
		for o := range ax.Out {
			tables[ax.Axis][o] = ax.Index[o] * int32(strides[ax.Axis])
			if ax.Outside[o] {
				tables[ax.Axis][o] = -1
			}
		}
	}
	around, err := b.filled(graph.Float32, float64(r.Extrapolation))
	if err != nil {
		return nil, err
	}
	return one(b.pick(x, around, y, tables))
}

// resizePasses makes the axes one by one, with intermediate results in the workspace.
func (b *site) resizePasses(r *form.Resize, x, y *flat) ([]launch, error) {
	if len(r.Axes) == 0 {
		return one(b.move(x, y))
	}
	var all []launch
	for i := range r.Axes {
		ax := &r.Axes[i]
		shape := x.shape.Clone()
		shape[ax.Axis] = int64(ax.Out)
		to := y
		if i < len(r.Axes)-1 {
			var err error
			if to, err = b.scratch(graph.Float32, shape); err != nil {
				return nil, err
			}
		}
		l, err := b.resizePass(ax, x, to, r.Extrapolation)
		if err != nil {
			return nil, err
		}
		all, x = append(all, l), to
	}
	return all, nil
}

// resizePass makes the positions of one axis.
func (b *site) resizePass(ax *form.ResizeAxis, x, y *flat, around float32) (launch, error) {
	g := axisSplit{1, 1, 1}
	for i, d := range x.shape {
		switch {
		case i < ax.Axis:
			g.outer *= int(d)
		case i > ax.Axis:
			g.inner *= int(d)
		}
	}
	if g.inner == 1 {
		pitch := (ax.Out + chunk - 1) / chunk * chunk
		index, weight, err := b.resizeTables(ax, func(o, k int) int { return k*pitch + o }, pitch*ax.Taps)
		if err != nil {
			return launch{}, err
		}
		w := walk{n: ax.Out, rows: g.outer}
		return b.line(resizes, "resize_rows", w.items(), x, y, index, weight, w.n, w.chunks(), w.items(), ax.In, pitch, ax.Taps, around)
	}
	index, weight, err := b.resizeTables(ax, func(o, k int) int { return o*ax.Taps + k }, ax.Out*ax.Taps)
	if err != nil {
		return launch{}, err
	}
	w := walk{n: g.inner, rows: g.outer * ax.Out}
	return b.line(resizes, "resize_inner", w.items(), x, y, index, weight, w.n, w.chunks(), w.items(), ax.In, ax.Out, ax.Taps, around)
}

// resizeTables are the neighbours of each position and their weights as a kernel reads them: place says where that of a
// position and a tap is, of size entries. The first neighbour of a position outside is -1.
func (b *site) resizeTables(ax *form.ResizeAxis, place func(o, k int) int, size int) (index, weight *flat, err error) {
	indices, weights := make([]int32, size), make([]float32, size)
	for o := range ax.Out {
		for k := range ax.Taps {
			at := place(o, k)
			indices[at], weights[at] = ax.Index[o*ax.Taps+k], ax.Weight[o*ax.Taps+k]
			if ax.Outside[o] && k == 0 {
				indices[at] = -1
			}
		}
	}
	if index, err = b.knownInts(indices); err != nil {
		return nil, nil, err
	}
	weight, err = b.knownFloats(weights)
	return index, weight, err
}
