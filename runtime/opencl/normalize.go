package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// normalizeBuilders make means 0, deviations 1 or norms 1.
var normalizeBuilders = map[string]builder{
	"BatchNormalization": buildBatchNorm, "InstanceNormalization": buildInstanceNorm, "GroupNormalization": buildGroupNorm,
	"LayerNormalization": buildLayerNorm, "MeanVarianceNormalization": buildMeanVariance,
	"LRN": buildLocalNorm, "LpNormalization": buildLaneNorm, "L2Normalization": buildLaneNorm,
}

// normalizations is the program of their kernels.
var normalizations = source{file: "walk+sum16+normalize"}

// vector binds the input i of n values as float32.
func (b *site) vector(i, n int) (*flat, error) {
	o, err := b.need(i)
	if err != nil {
		return nil, err
	}
	if o.elements() != n {
		return nil, form.RefuseTensor(o.t, "%d values are given where %d are needed", o.elements(), n)
	}
	return b.floatsOf(o)
}

// buildBatchNorm binds BatchNormalization in its inference form: each channel, the second axis, is scaled and shifted.
func buildBatchNorm(b *site) ([]launch, error) {
	if b.op.Attrs.Int("training_mode", 0) != 0 {
		return nil, form.Refuse("training_mode 1 is not supported, a run only infers")
	}
	x, y, err := b.paired(true)
	if err != nil {
		return nil, err
	}
	rank := len(x.shape)
	if rank == 0 {
		return nil, form.RefuseTensor(b.in[0].t, "a scalar has no channels")
	}
	channel := min(1, rank-1)
	n := int(x.shape[channel])
	params := []any{}
	for i := 1; i <= 4; i++ {
		p, err := b.vector(i, n)
		if err != nil {
			return nil, err
		}
		params = append(params, p)
	}
	shape := graph.Shape{int64(n)}
	for range rank - channel - 1 {
		shape = append(shape, 1)
	}
	factor, err := b.scratch(graph.Float32, shape)
	if err != nil {
		return nil, err
	}
	shift, err := b.scratch(graph.Float32, shape)
	if err != nil {
		return nil, err
	}
	fold, err := b.line(normalizations, "batch_factors", n, append(params, factor, shift, n, b.op.Attrs.Float("epsilon", 1e-5))...)
	if err != nil {
		return nil, err
	}
	scale, err := b.binary("mul", x, factor, y)
	if err != nil {
		return nil, err
	}
	add, err := b.binary("add", y, shift, y)
	return []launch{fold, scale, add}, err
}

// buildInstanceNorm binds InstanceNormalization: each channel of each image has its own mean and variance.
func buildInstanceNorm(b *site) ([]launch, error) {
	x, y, err := b.paired(true)
	if err != nil {
		return nil, err
	}
	if len(x.shape) < 3 {
		return nil, form.RefuseTensor(b.in[0].t, "rank %d is not supported, 3 and more are", len(x.shape))
	}
	return b.normalizeGroups(x, y, int(x.shape[1]), int(x.shape[1]))
}

// buildGroupNorm binds GroupNormalization: the channels of each image are normalised in num_groups groups. Scale and
// shift are given for each channel, or for each group as in the operator's first version.
func buildGroupNorm(b *site) ([]launch, error) {
	x, y, err := b.paired(true)
	if err != nil {
		return nil, err
	}
	groups := b.op.Attrs.Int("num_groups", 0)
	if len(x.shape) < 2 || groups < 1 || x.shape[1]%groups != 0 {
		return nil, form.RefuseTensor(b.in[0].t, "the shape %v does not divide into %d groups of channels", x.shape, groups)
	}
	parameters := int(x.shape[1])
	if o := b.input(1); o != nil && o.elements() == int(groups) {
		parameters = int(groups)
	}
	return b.normalizeGroups(x, y, int(groups), parameters)
}

// normalizeGroups normalises each group of channels, then scales and shifts by the inputs 1 and 2 of one value for each
// of parameters channels or groups.
func (b *site) normalizeGroups(x, y *flat, groups, parameters int) ([]launch, error) {
	scale, err := b.vector(1, parameters)
	if err != nil {
		return nil, err
	}
	shift, err := b.vector(2, parameters)
	if err != nil {
		return nil, err
	}
	g := around(x.shape, 1, 2)
	rows := g.outer * groups
	return one(b.line(normalizations, "normalize_group", rows, x, y, scale, shift, rows, g.n/groups, g.inner, g.n, g.n/parameters,
		b.op.Attrs.Float("epsilon", 1e-5)))
}

// buildLayerNorm binds LayerNormalization over the axes from axis on, with the optional results mean and inverse
// standard deviation.
func buildLayerNorm(b *site) ([]launch, error) {
	x, y, err := b.paired(true)
	if err != nil {
		return nil, err
	}
	axis, err := b.axis("axis", -1, len(x.shape))
	if err != nil {
		return nil, err
	}
	g := around(x.shape, min(axis, len(x.shape)), len(x.shape))
	scale, err := b.vector(1, g.n)
	if err != nil {
		return nil, err
	}
	// What is not there needs some memory as an argument.
	shift, wanted := scale, 0
	if b.input(2) != nil {
		if shift, err = b.vector(2, g.n); err != nil {
			return nil, err
		}
		wanted = 1
	}
	results := [2]*flat{y, y}
	for i := range results {
		o := b.result(i + 1)
		if o == nil {
			continue
		}
		if o.elements() != g.outer {
			return nil, form.RefuseTensor(o.t, "%d elements are given where %d are needed", o.elements(), g.outer)
		}
		if results[i], err = b.resultFloats(o, false); err != nil {
			return nil, err
		}
		wanted |= 2 << i
	}
	return one(b.line(normalizations, "normalize_layer", g.outer, x, y, scale, shift, results[0], results[1],
		g.outer, g.n, b.op.Attrs.Float("epsilon", 1e-5), wanted))
}

// buildMeanVariance binds MeanVarianceNormalization over any axes.
func buildMeanVariance(b *site) ([]launch, error) {
	x, y, err := b.paired(true)
	if err != nil {
		return nil, err
	}
	axes := b.op.Attrs.Ints("axes")
	if axes == nil {
		axes = []int64{0, 2, 3}
	}
	reduced, err := axisSet(axes, len(x.shape))
	if err != nil {
		return nil, err
	}
	if len(axes) == 0 {
		clear(reduced)
	}
	f := foldingOf(x.shape, reduced)
	if len(f.kept) > maxAxes || len(f.folded) > maxAxes {
		return nil, form.Refuse("the axes %v of %v are more than the kernel walks", axes, x.shape)
	}
	items := volume(f.kept)
	return one(b.line(normalizations, "normalize_axes", items, x, y, items, len(f.kept), packed(f.kept), packed(f.keptSteps),
		volume(f.folded), len(f.folded), packed(f.folded), packed(f.foldedSteps)))
}

// buildLocalNorm binds LRN: each element is divided by a power of the sum of squares over neighbouring channels.
func buildLocalNorm(b *site) ([]launch, error) {
	x, y, err := b.paired(false)
	if err != nil {
		return nil, err
	}
	size := b.op.Attrs.Int("size", 0)
	if len(x.shape) < 2 || size < 1 || size > form.Limit {
		return nil, form.RefuseTensor(b.in[0].t, "size %d is not a number of the channels of %v", size, x.shape)
	}
	g := around(x.shape, 1, 2)
	w := walk{n: g.inner, rows: g.outer * g.n}
	a := b.op.Attrs
	return one(b.line(normalizations, "normalize_local", w.items(), x, y, w.n, w.chunks(), w.items(), g.n, int(size-1)/2, int(size)/2,
		a.Float("alpha", 1e-4)/float32(size), a.Float("beta", 0.75), a.Float("bias", 1)))
}

// buildLaneNorm binds LpNormalization along one axis and TensorFlow Lite's L2Normalization along the last one.
func buildLaneNorm(b *site) ([]launch, error) {
	x, y, err := b.paired(true)
	if err != nil {
		return nil, err
	}
	axis, p, least := int64(-1), int64(2), float32(1e-6)
	if b.op.Op == "LpNormalization" {
		axis, p, least = b.op.Attrs.Int("axis", -1), b.op.Attrs.Int("p", 2), 0
	}
	if p != 1 && p != 2 {
		return nil, form.Refuse("p is %d, and the norms 1 and 2 are known", p)
	}
	at, err := axisOf(axis, len(x.shape))
	if err != nil {
		return nil, err
	}
	g := around(x.shape, at, at+1)
	lanes := g.outer * g.inner
	return one(b.line(normalizations, "normalize_lanes", lanes, x, y, lanes, g.n, g.inner, int(p), least))
}
