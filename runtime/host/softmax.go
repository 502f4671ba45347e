package host

import "math"

// buildSoftmax binds Softmax and LogSoftmax along one axis; with the attribute flatten, which older models imply, along
// all axes from it on. It may run in place. Sums are taken in float64.
func buildSoftmax(b *site) (func() error, error) {
	x, _, src, dst, err := b.pair(true)
	if err != nil {
		return nil, err
	}
	rank := len(x.shape())
	def := int64(-1)
	if b.op.Attrs.Int("flatten", 0) != 0 {
		def = 1
	}
	axis, err := b.axis("axis", def, rank)
	if err != nil {
		return nil, err
	}
	g := around(x.shape(), axis, min(axis+1, rank))
	if b.op.Attrs.Int("flatten", 0) != 0 {
		g = around(x.shape(), axis, rank)
	}
	tail, err := b.tail(nil)
	if err != nil {
		return nil, err
	}
	if len(src) == 0 {
		return tail(func() {}), nil
	}
	beta := b.op.Attrs.Float("beta", 1)
	row := softmaxRow
	if b.op.Op == "LogSoftmax" {
		row = logSoftmaxRow
	}
	body := func(_, lo, hi int) {
		for item := lo; item < hi; item++ {
			at := item/max(g.inner, 1)*g.n*g.inner + item%max(g.inner, 1)
			row(dst[at:], src[at:], g.inner, g.n, beta)
		}
	}
	return tail(func() { b.d.crew.Split(g.outer*g.inner, grain(16*g.n), body) }), nil
}

// largestOf is the largest of n elements that are step apart; a NaN is passed over and shows in the sum.
func largestOf(src []float32, step, n int) float32 {
	best := float32(math.Inf(-1))
	for i := range n {
		best = max(best, src[i*step])
	}
	return best
}

func softmaxRow(dst, src []float32, step, n int, beta float32) {
	top := largestOf(src, step, n)
	sum := 0.0
	for i := range n {
		e := math.Exp(float64(beta * (src[i*step] - top)))
		sum += e
		dst[i*step] = float32(e)
	}
	for i := range n {
		dst[i*step] = float32(float64(dst[i*step]) / sum)
	}
}

func logSoftmaxRow(dst, src []float32, step, n int, beta float32) {
	top := largestOf(src, step, n)
	sum := 0.0
	for i := range n {
		sum += math.Exp(float64(beta * (src[i*step] - top)))
	}
	log := math.Log(sum)
	for i := range n {
		dst[i*step] = float32(float64(beta*(src[i*step]-top)) - log)
	}
}
