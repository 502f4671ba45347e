package host

import (
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// moments returns the mean and the variance of a row, in float64 and two passes.
func moments(row []float32) (mean, variance float64) {
	for _, v := range row {
		mean += float64(v)
	}
	mean /= float64(len(row))
	for _, v := range row {
		d := float64(v) - mean
		variance += d * d
	}
	return mean, variance / float64(len(row))
}

// buildInstanceNorm binds InstanceNormalization: each channel of each image has its own mean and variance.
func buildInstanceNorm(b *site) (func() error, error) {
	x, _, src, dst, err := b.pair(true)
	if err != nil {
		return nil, err
	}
	if len(x.shape()) < 3 {
		return nil, form.RefuseTensor(x.t, "rank %d is not supported, 3 and more are", len(x.shape()))
	}
	g := around(x.shape(), 1, 2)
	return b.normalizeGroups(src, dst, g, g.n, 1)
}

// buildGroupNorm binds GroupNormalization: the channels of each image are normalised in num_groups groups. Scale and
// shift are given for each channel, or for each group as in the operator's first version.
func buildGroupNorm(b *site) (func() error, error) {
	x, _, src, dst, err := b.pair(true)
	if err != nil {
		return nil, err
	}
	groups := b.op.Attrs.Int("num_groups", 0)
	if len(x.shape()) < 2 || groups < 1 || x.shape()[1]%groups != 0 {
		return nil, form.RefuseTensor(x.t, "the shape %v does not divide into %d groups of channels", x.shape(), groups)
	}
	g := around(x.shape(), 1, 2)
	per := g.n / int(groups)
	parameters := g.n
	if o := b.input(1); o != nil && o.elements() == int(groups) {
		parameters = int(groups)
	}
	return b.normalizeGroups(src, dst, g, parameters, per)
}

// normalizeGroups normalises each run of per channels, then scales and shifts by the inputs 1 and 2, which have one
// value for each of parameters channels or groups.
func (b *site) normalizeGroups(src, dst []float32, g grid, parameters, per int) (func() error, error) {
	scale, err := b.vector(1, parameters, false)
	if err != nil {
		return nil, err
	}
	shift, err := b.vector(2, parameters, false)
	if err != nil {
		return nil, err
	}
	tail, err := b.tail(nil)
	if err != nil {
		return nil, err
	}
	if len(src) == 0 {
		return tail(func() {}), nil
	}
	epsilon := float64(b.op.Attrs.Float("epsilon", 1e-5))
	groups, size := g.n/per, per*g.inner
	body := func(_, lo, hi int) {
		for item := lo; item < hi; item++ {
			from, to := src[item*size:(item+1)*size], dst[item*size:(item+1)*size]
			mean, variance := moments(from)
			norm := 1 / math.Sqrt(variance+epsilon)
			for c := range per {
				at := item%groups*per + c
				if parameters != g.n {
					at /= per
				}
				f := float64(scale[at]) * norm
				affine(to[c*g.inner:(c+1)*g.inner], from[c*g.inner:(c+1)*g.inner], mean, f, float64(shift[at]))
			}
		}
	}
	return tail(func() { b.d.crew.Split(g.outer*groups, grain(4*size), body) }), nil
}

// affine writes (v - mean)·factor + shift.
func affine(dst, src []float32, mean, factor, shift float64) {
	for i, v := range src {
		dst[i] = float32((float64(v)-mean)*factor + shift)
	}
}

// buildLayerNorm binds LayerNormalization over the axes from axis on, with the optional results mean and inverse
// standard deviation. Scale and shift broadcast to the normalised axes.
func buildLayerNorm(b *site) (func() error, error) {
	x, _, src, dst, err := b.pair(true)
	if err != nil {
		return nil, err
	}
	rank := len(x.shape())
	axis, err := b.axis("axis", -1, rank)
	if err != nil {
		return nil, err
	}
	g := around(x.shape(), axis, rank)
	scale, err := b.vector(1, g.n, false)
	if err != nil {
		return nil, err
	}
	shift, err := b.vector(2, g.n, true)
	if err != nil {
		return nil, err
	}
	means, norms, err := b.momentResults(g.outer)
	if err != nil {
		return nil, err
	}
	epsilon := float64(b.op.Attrs.Float("epsilon", 1e-5))
	body := func(_, lo, hi int) {
		for item := lo; item < hi; item++ {
			from, to := src[item*g.n:(item+1)*g.n], dst[item*g.n:(item+1)*g.n]
			mean, variance := moments(from)
			norm := 1 / math.Sqrt(variance+epsilon)
			for i, v := range from {
				r := (float64(v) - mean) * norm * float64(scale[i])
				if shift != nil {
					r += float64(shift[i])
				}
				to[i] = float32(r)
			}
			if means != nil {
				means[item] = float32(mean)
			}
			if norms != nil {
				norms[item] = float32(norm)
			}
		}
	}
	tail, err := b.tail(nil)
	if err != nil {
		return nil, err
	}
	return tail(func() { b.d.crew.Split(g.outer, grain(4*g.n), body) }), nil
}

func (b *site) momentResults(n int) (means, norms []float32, err error) {
	for i, to := range []*[]float32{&means, &norms} {
		o := b.result(i + 1)
		if o == nil {
			continue
		}
		if o.elements() != n {
			return nil, nil, form.RefuseTensor(o.t, "%d elements are given where %d are needed", o.elements(), n)
		}
		if *to, err = b.resultFloats(o, false); err != nil {
			return nil, nil, err
		}
	}
	return means, norms, nil
}

// buildMeanVariance binds MeanVarianceNormalization over any axes.
func buildMeanVariance(b *site) (func() error, error) {
	x, _, src, dst, err := b.pair(true)
	if err != nil {
		return nil, err
	}
	axes := b.op.Attrs.Ints("axes")
	if axes == nil {
		axes = []int64{0, 2, 3}
	}
	groups, count, err := groupOf(x, axes)
	if err != nil {
		return nil, err
	}
	means, squares := make([]float64, count), make([]float64, count)
	n := float64(len(src)) / float64(max(count, 1))
	tail, err := b.tail(nil)
	if err != nil {
		return nil, err
	}
	return tail(func() {
		clear(means)
		clear(squares)
		for i, v := range src {
			means[groups[i]] += float64(v) / n
		}
		for i, v := range src {
			d := float64(v) - means[groups[i]]
			squares[groups[i]] += d * d / n
		}
		for i, v := range src {
			g := groups[i]
			dst[i] = float32((float64(v) - means[g]) / (math.Sqrt(squares[g]) + 1e-9))
		}
	}), nil
}

// groupOf numbers the groups of elements that agree in all axes but the given ones, and returns the group of each.
func groupOf(x *operand, axes []int64) (of []int32, count int, err error) {
	shape := x.shape()
	reduced := make([]bool, len(shape))
	for _, a := range axes {
		at := a
		if at < 0 {
			at += int64(len(shape))
		}
		if at < 0 || at >= int64(len(shape)) {
			return nil, 0, form.RefuseTensor(x.t, "axis %d does not exist in rank %d", a, len(shape))
		}
		reduced[at] = true
	}
	strides := make(graph.Shape, len(shape))
	count = 1
	for i := len(shape) - 1; i >= 0; i-- {
		if !reduced[i] {
			strides[i] = int64(count)
			count *= int(shape[i])
		}
	}
	of = make([]int32, x.elements())
	for i := range of {
		rest, group := int64(i), int64(0)
		for k := len(shape) - 1; k >= 0; k-- {
			group += rest % shape[k] * strides[k]
			rest /= shape[k]
		}
		of[i] = int32(group)
	}
	return of, count, nil
}
