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
	return tail(b.resizer(r, x.shape(), src, dst, y)), nil
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

// resizer makes the result position by position of the first axis that changes: that axis first, then, within what lies inside
// of the position, the others.
type resizer struct {
	*form.Resize
	// grids are the shapes that the passes read, around their axes; those after the first are inside of one position.
	grids []grid
	// between holds for each worker the results of all passes but the last, of one position.
	between [][][]float32
	src     []float32
}

func (b *site) resizer(r *form.Resize, shape graph.Shape, src, dst []float32, y *operand) func() {
	if len(r.Axes) == 0 && y.strided() {
		return func() { y.lane().scatter(floatArray(shape, src).Data, 0) }
	}
	if len(r.Axes) == 0 {
		return func() { copy(dst, src) }
	}
	s := &resizer{Resize: r, src: src}
	shape = shape.Clone()
	outer, work := 1, 0
	for i := range r.Axes {
		ax := &r.Axes[i]
		g := around(shape, ax.Axis, ax.Axis+1)
		shape[ax.Axis] = int64(ax.Out)
		if i == 0 {
			outer = g.outer * ax.Out
		}
		g.outer /= max(1, outer)
		s.grids = append(s.grids, g)
		work += max(1, g.outer) * g.inner * ax.Taps
	}
	width := y.elements() / outer
	s.between = make([][][]float32, b.d.crew.workers)
	for worker := range s.between {
		for i, g := range s.grids[:len(s.grids)-1] {
			n := g.inner
			if i > 0 {
				n *= g.outer * r.Axes[i].Out
			}
			s.between[worker] = append(s.between[worker], b.d.work.floats(n))
		}
	}
	var part window[float32]
	first := 0
	body := func(worker, lo, hi int) {
		for item := first + lo; item < first+hi; item++ {
			s.position(s.between[worker], part.of(item*width, width), item)
		}
	}
	return inRows(b, dst, &part, rows{outer, width, 1}, func(lo, hi int) {
		first = lo
		b.d.crew.Split(hi-lo, grain(work), body)
	})
}

// position computes what lies inside of one position of the first axis, with the positions of all axes before it counted.
func (s *resizer) position(between [][]float32, dst []float32, item int) {
	src := s.src
	for i := range s.Axes {
		ax, g, to := &s.Axes[i], s.grids[i], dst
		if i < len(between) {
			to = between[i]
		}
		if i == 0 {
			s.line(ax, to, src[item/ax.Out*g.n*g.inner:], g.inner, item%ax.Out)
		} else {
			for line := range g.outer * ax.Out {
				s.line(ax, to[line*g.inner:(line+1)*g.inner], src[line/ax.Out*g.n*g.inner:], g.inner, line%ax.Out)
			}
		}
		src = to
	}
}

// line makes position o of an axis from the n elements inside of each position of src.
func (s *resizer) line(ax *form.ResizeAxis, to, src []float32, n, o int) {
	if ax.Outside[o] {
		for i := range to {
			to[i] = s.Extrapolation
		}
		return
	}
	for k := range ax.Taps {
		at := int(ax.Index[o*ax.Taps+k]) * n
		blend(to, src[at:at+n], ax.Weight[o*ax.Taps+k], k == 0)
	}
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
