package host

import "github.com/memplan/memplan/runtime/form"

// grid is a tensor seen as [outer][n][inner] around one axis or a run of axes.
type grid struct{ outer, n, inner int }

// around splits a shape at the axes [from, to).
func around(shape []int64, from, to int) grid {
	g := grid{1, 1, 1}
	for i, n := range shape {
		switch {
		case i < from:
			g.outer *= int(n)
		case i < to:
			g.n *= int(n)
		default:
			g.inner *= int(n)
		}
	}
	return g
}

// axis resolves an axis attribute that may count from the end. A scalar has the axis 0, of extent 1.
func (b *site) axis(name string, def int64, rank int) (int, error) {
	axis := b.op.Attrs.Int(name, def)
	count := int64(max(rank, 1))
	if axis < -count || axis >= count {
		return 0, form.Refuse("axis %d does not exist in rank %d", axis, rank)
	}
	return int((axis + count) % count), nil
}

// pair binds the first input and the first output as float32 of one size.
func (b *site) pair(aliased bool) (x, y *operand, src, dst []float32, err error) {
	if x, err = b.need(0); err != nil {
		return
	}
	if y, err = b.needResult(0); err != nil {
		return
	}
	if x.elements() != y.elements() {
		err = form.RefuseTensor(y.t, "the shape %v does not have the elements of %v", y.shape(), x.shape())
		return
	}
	if src, err = b.floats(x); err != nil {
		return
	}
	dst, err = b.resultFloats(y, aliased)
	return
}

// vector binds an input of n float32 values; nil when it is absent and may be.
func (b *site) vector(i, n int, optional bool) ([]float32, error) {
	o := b.input(i)
	if o == nil && optional {
		return nil, nil
	}
	o, err := b.need(i)
	if err != nil {
		return nil, err
	}
	if o.elements() != n {
		return nil, form.RefuseTensor(o.t, "%d values are given where %d are needed", o.elements(), n)
	}
	return b.floats(o)
}
