package host

import (
	"math"

	"github.com/memplan/memplan/runtime/form"
)

// buildBatchNorm binds BatchNormalization in its inference form: each channel, the second axis, is scaled and shifted.
func buildBatchNorm(b *site) (func() error, error) {
	if b.op.Attrs.Int("training_mode", 0) != 0 {
		return nil, form.Refuse("training_mode 1 is not supported, a run only infers")
	}
	x, _, src, dst, err := b.pair(true)
	if err != nil {
		return nil, err
	}
	rank := len(x.shape())
	channel := min(1, rank-1)
	if rank == 0 {
		return nil, form.RefuseTensor(x.t, "a scalar has no channels")
	}
	g := around(x.shape(), channel, channel+1)
	var params [4][]float32
	for i := range params {
		if params[i], err = b.vector(i+1, g.n, false); err != nil {
			return nil, err
		}
	}
	epsilon := float64(b.op.Attrs.Float("epsilon", 1e-5))
	factor, shift := b.d.work.floats(g.n), b.d.work.floats(g.n)
	tail, err := b.tail(nil)
	if err != nil {
		return nil, err
	}
	body := func(_, lo, hi int) {
		for item := lo; item < hi; item++ {
			f, s := factor[item%g.n], shift[item%g.n]
			from, to := src[item*g.inner:(item+1)*g.inner], dst[item*g.inner:(item+1)*g.inner]
			for i, v := range from {
				to[i] = float32(v*f) + s
			}
		}
	}
	return tail(func() {
		for c := range factor {
			f := float64(params[0][c]) / math.Sqrt(float64(params[3][c])+epsilon)
			factor[c], shift[c] = float32(f), float32(float64(params[1][c])-float64(params[2][c])*f)
		}
		b.d.crew.Split(g.outer*g.n, grain(g.inner), body)
	}), nil
}
