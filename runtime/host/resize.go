package host

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// buildResize binds Resize in the modes nearest, linear and cubic with every coordinate transformation, on any axes.
func buildResize(b *site) (func() error, error) {
	x, err := b.need(0)
	if err != nil {
		return nil, err
	}
	y, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	if y.elements() == 0 {
		return func() error { return nil }, nil
	}
	r, err := form.ResizeOf(b.op, x.t, y.t, b.constantFloats)
	if err != nil {
		return nil, err
	}
	src, err := b.floats(x)
	if err != nil {
		return nil, err
	}
	dst, err := b.resultFloats(y, false)
	if err != nil {
		return nil, err
	}
	tail, err := b.tail(nil)
	if err != nil {
		return nil, err
	}
	passes := b.resizePasses(r, x.shape(), src, dst)
	return tail(func() {
		for _, pass := range passes {
			pass()
		}
	}), nil
}

// constantFloats returns the values of a constant operand, nil when it is absent or empty.
func (b *site) constantFloats(i int) ([]float64, error) {
	o := b.input(i)
	if o == nil || o.elements() == 0 {
		return nil, nil
	}
	if o.t.Role != graph.Constant {
		return nil, form.RefuseTensor(o.t, "the kernel needs a constant here, and the tensor is computed during the run; plan with the rewrite \"fold\"")
	}
	values, err := o.array().Floats()
	if err != nil {
		return nil, form.RefuseTensor(o.t, "%v", err)
	}
	return values, nil
}

// resizePasses binds the passes to memory: the first reads src, the last writes dst.
func (b *site) resizePasses(r *form.Resize, shape graph.Shape, src, dst []float32) []func() {
	if len(r.Axes) == 0 {
		return []func(){func() { copy(dst, src) }}
	}
	shape = shape.Clone()
	list := make([]func(), len(r.Axes))
	for i := range r.Axes {
		ax := &r.Axes[i]
		g := around(shape, ax.Axis, ax.Axis+1)
		shape[ax.Axis] = int64(ax.Out)
		to := dst
		if i < len(r.Axes)-1 {
			to = b.d.work.floats(g.outer * ax.Out * g.inner)
		}
		list[i] = b.resizePass(ax, g, to, src, r.Extrapolation)
		src = to
	}
	return list
}

// resizePass makes the positions of one axis: a whole row of what lies inside of it at a time.
func (b *site) resizePass(ax *form.ResizeAxis, g grid, dst, src []float32, extrapolation float32) func() {
	body := func(_, lo, hi int) {
		for item := lo; item < hi; item++ {
			o := item % ax.Out
			to := dst[item*g.inner : (item+1)*g.inner]
			if ax.Outside[o] {
				for i := range to {
					to[i] = extrapolation
				}
				continue
			}
			base := item / ax.Out * g.n
			for k := range ax.Taps {
				at := (base + int(ax.Index[o*ax.Taps+k])) * g.inner
				blend(to, src[at:at+g.inner], ax.Weight[o*ax.Taps+k], k == 0)
			}
		}
	}
	return func() { b.d.crew.Split(g.outer*ax.Out, grain(g.inner*ax.Taps), body) }
}

// blend adds a weighted row, or with first starts the sum with it.
func blend(dst, src []float32, weight float32, first bool) {
	if !first {
		addScaled(dst, src, weight)
		return
	}
	if weight == 1 {
		copy(dst, src)
		return
	}
	for i, v := range src {
		dst[i] = v * weight
	}
}
