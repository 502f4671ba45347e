package host

import (
	"math"

	"github.com/memplan/memplan/runtime/form"
)

// buildLRN binds LRN: each element is divided by a power of the sum of squares over neighbouring channels.
func buildLRN(b *site) (func() error, error) {
	x, _, src, dst, err := b.pair(false)
	if err != nil {
		return nil, err
	}
	if len(x.shape()) < 2 {
		return nil, form.RefuseTensor(x.t, "rank %d has no channels", len(x.shape()))
	}
	size := b.op.Attrs.Int("size", 0)
	if size < 1 || size > form.Limit {
		return nil, form.Refuse("size %d is not a number of channels", size)
	}
	alpha, beta := float64(b.op.Attrs.Float("alpha", 1e-4)), float64(b.op.Attrs.Float("beta", 0.75))
	bias := float64(b.op.Attrs.Float("bias", 1))
	before, after := int(size-1)/2, int(size)/2
	g := around(x.shape(), 1, 2)
	body := func(_, lo, hi int) {
		for item := lo; item < hi; item++ {
			n, c := item/g.n, item%g.n
			for i := range g.inner {
				sum := 0.0
				for k := max(c-before, 0); k <= min(c+after, g.n-1); k++ {
					v := float64(src[(n*g.n+k)*g.inner+i])
					sum += v * v
				}
				at := item*g.inner + i
				dst[at] = float32(float64(src[at]) / math.Pow(bias+alpha/float64(size)*sum, beta))
			}
		}
	}
	tail, err := b.tail(nil)
	if err != nil {
		return nil, err
	}
	return tail(func() { b.d.crew.Split(g.outer*g.n, grain(g.inner*int(size)), body) }), nil
}

// buildLpNorm binds LpNormalization along one axis: the first or second norm becomes 1. A row of zeros stays so.
func buildLpNorm(b *site) (func() error, error) {
	p := b.op.Attrs.Int("p", 2)
	if p != 1 && p != 2 {
		return nil, form.Refuse("p is %d, and the norms 1 and 2 are known", p)
	}
	return b.normalizeRows(b.op.Attrs.Int("axis", -1), func(sum float64) float64 {
		if sum == 0 {
			return 1
		}
		if p == 2 {
			return math.Sqrt(sum)
		}
		return sum
	}, p == 2)
}

// buildL2Norm binds TensorFlow Lite's L2Normalization: the last axis gets the norm 1, divided by 1e-6 at least.
func buildL2Norm(b *site) (func() error, error) {
	return b.normalizeRows(-1, func(sum float64) float64 { return max(math.Sqrt(sum), 1e-6) }, true)
}

// normalizeRows divides each row along an axis by a function of the sum of its magnitudes or squares.
func (b *site) normalizeRows(axis int64, divisor func(sum float64) float64, squares bool) (func() error, error) {
	x, _, src, dst, err := b.pair(true)
	if err != nil {
		return nil, err
	}
	rank := int64(len(x.shape()))
	if axis < -rank || axis >= rank {
		return nil, form.Refuse("axis %d does not exist in rank %d", axis, rank)
	}
	at := int((axis + rank) % rank)
	g := around(x.shape(), at, at+1)
	body := func(_, lo, hi int) {
		for item := lo; item < hi; item++ {
			from := item/max(g.inner, 1)*g.n*g.inner + item%max(g.inner, 1)
			sum := 0.0
			for i := range g.n {
				v := float64(src[from+i*g.inner])
				if squares {
					sum += v * v
				} else {
					sum += math.Abs(v)
				}
			}
			d := divisor(sum)
			for i := range g.n {
				dst[from+i*g.inner] = float32(float64(src[from+i*g.inner]) / d)
			}
		}
	}
	tail, err := b.tail(nil)
	if err != nil {
		return nil, err
	}
	return tail(func() { b.d.crew.Split(g.outer*g.inner, grain(4*g.n), body) }), nil
}
