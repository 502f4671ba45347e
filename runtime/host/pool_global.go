package host

import (
	"math"

	"github.com/memplan/memplan/runtime/form"
)

// buildGlobal binds the poolings over all pixels: GlobalAveragePool, GlobalMaxPool, GlobalLpPool, in either layout. Sums
// are taken in float64, so that a large image loses nothing.
func buildGlobal(b *site) (func() error, error) {
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
	reduce, err := globalReduction(b)
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
	pixels := in.Pixels()
	first, step := pixels, 1
	if in.Last {
		first, step = 1, x.pitch(in.C)
	}
	body := func(_, lo, hi int) {
		for item := lo; item < hi; item++ {
			at := item * first
			if in.Last {
				at = item/in.C*pixels*step + item%in.C
			}
			dst[item] = reduce(src[at:], step, pixels)
		}
	}
	return tail(func() { b.d.crew.Split(len(dst), grain(pixels), body) }), nil
}

// globalReduction returns the function of n elements that are step apart.
func globalReduction(b *site) (func(src []float32, step, n int) float32, error) {
	switch b.op.Op {
	case "GlobalAveragePool":
		return func(src []float32, step, n int) float32 {
			sum := 0.0
			for i := range n {
				sum += float64(src[i*step])
			}
			return float32(sum / float64(n))
		}, nil
	case "GlobalMaxPool":
		return func(src []float32, step, n int) float32 {
			best := float32(math.Inf(-1))
			for i := range n {
				if v := src[i*step]; v > best || v != v {
					best = v
				}
			}
			return best
		}, nil
	}
	power := float64(b.op.Attrs.Int("p", 2))
	if power < 1 {
		return nil, form.Refuse("p is %v, and a norm needs 1 or more", power)
	}
	return func(src []float32, step, n int) float32 {
		sum := 0.0
		for i := range n {
			sum += math.Pow(math.Abs(float64(src[i*step])), power)
		}
		return float32(math.Pow(sum, 1/power))
	}, nil
}
