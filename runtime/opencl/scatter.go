package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// scatterBuilders copy data and then change the elements that indices name, in the order of the indices.
var scatterBuilders = map[string]builder{
	"Scatter": buildScatterElements, "ScatterElements": buildScatterElements, "ScatterND": buildScatterSlices, "ScatterNd": buildScatterNew,
}

// combinations are the reductions by attribute value.
var combinations = map[string]string{"none": "REPLACE", "add": "SUM", "mul": "PRODUCT", "max": "MAXIMUM", "min": "MINIMUM"}

// scattering is the variant of the scattering kernels.
func (b *site) scattering(reduction string, dtype, index graph.DType) (source, error) {
	combine := combinations[reduction]
	if combine == "" {
		return source{}, form.Refuse("reduction %q is not known", reduction)
	}
	s := numeric("walk+gather", dtype)
	if reduction == "none" {
		s = source{"walk+gather", moving(dtype).options}
	}
	s.options += " -DK=" + clTypes[index] + " -DCOMBINE=" + combine
	return s, nil
}

// scattered binds data, indices, updates and result, and copies the data. Elements that are combined are numbers.
func (b *site) scattered(reduction string) (k, x, y *flat, copied []launch, err error) {
	var in [3]*operand
	for i := range in {
		if in[i], err = b.need(i); err != nil {
			return
		}
	}
	out, err := b.needResult(0)
	if err != nil {
		return
	}
	if err = movable(out, in[0], in[2]); err != nil {
		return
	}
	if !out.shape().Equal(in[0].shape()) {
		err = form.RefuseTensor(out.t, "the result has shape %v where %v was planned", in[0].shape(), out.shape())
		return
	}
	bind, bindResult := b.elementsOf, b.movedResult
	if reduction != "none" {
		if kindOf(out.t.DType)&numbers == 0 {
			err = form.RefuseTensor(out.t, "elements of type %v are not combined", out.t.DType)
			return
		}
		bind, bindResult = b.numbersOf, b.resultNumbers
	}
	if k, err = b.indexes(1); err != nil {
		return
	}
	data, err := bind(in[0])
	if err != nil {
		return
	}
	if x, err = bind(in[2]); err != nil {
		return
	}
	if y, err = bindResult(out, !overlap(in[1], out) && !overlap(in[2], out)); err != nil {
		return
	}
	if data.mem != y.mem || data.at != y.at {
		var l launch
		l, err = b.move(data, y)
		copied = []launch{l}
	}
	return
}

// buildScatterElements binds ScatterElements.
func buildScatterElements(b *site) ([]launch, error) {
	reduction := b.op.Attrs.String("reduction", "none")
	k, x, y, all, err := b.scattered(reduction)
	if err != nil {
		return nil, err
	}
	axis, err := b.elementAxis(y.shape, k.shape)
	if err != nil {
		return nil, err
	}
	if !x.shape.Equal(k.shape) {
		return nil, form.RefuseTensor(b.in[2].t, "updates of shape %v do not go with indices of shape %v", x.shape, k.shape)
	}
	from, err := b.scattering(reduction, y.dtype, k.dtype)
	if err != nil || k.elements() == 0 {
		return all, err
	}
	fault, err := b.fault(indexReason)
	if err != nil {
		return nil, err
	}
	extents := extentsOf(k.shape)
	ks, ys := rowMajor(extents), rowMajor(extentsOf(y.shape))
	kstep, ystep, times := ks[axis], ys[axis], extents[axis]
	// The walk has every axis but the one of the indices, and no rows: each item is one position.
	rest := append(append([]int{}, extents[:axis]...), extents[axis+1:]...)
	dims, s := mergeAxes(rest, [][]int{without(ks, axis), without(ys, axis)})
	if len(dims) > maxAxes {
		return nil, form.Refuse("%d axes that do not merge are more than the kernel walks, %d", len(dims), maxAxes)
	}
	var packed [3][maxAxes]int32
	for k, list := range [][]int{dims, s[0], s[1]} {
		for i, v := range list {
			packed[k][i] = int32(v)
		}
	}
	items := volume(dims)
	l, err := b.line(from, "scatter_elements", items, x, k, y, items, len(dims), packed[0], packed[1], packed[2],
		times, kstep, int(y.shape[axis]), ystep, fault)
	return append(all, l), err
}

// without is a list without one of its elements.
func without(list []int, at int) []int {
	return append(append([]int{}, list[:at]...), list[at+1:]...)
}

// buildScatterSlices binds ScatterND.
func buildScatterSlices(b *site) ([]launch, error) {
	reduction := b.op.Attrs.String("reduction", "none")
	k, x, y, all, err := b.scattered(reduction)
	if err != nil {
		return nil, err
	}
	return b.scatterSlices(reduction, k, x, y, all)
}

// scatterSlices adds the launch that scatters the slices x to y.
func (b *site) scatterSlices(reduction string, k, x, y *flat, all []launch) ([]launch, error) {
	depth, extents, err := tuples(y.shape, k.shape, 0)
	if err != nil {
		return nil, err
	}
	last := len(k.shape) - 1
	if want := append(k.shape[:last].Clone(), y.shape[depth:]...); !x.shape.Equal(want) {
		return nil, form.Refuse("updates have shape %v where %v is needed", x.shape, want)
	}
	from, err := b.scattering(reduction, y.dtype, k.dtype)
	if err != nil || x.elements() == 0 {
		return all, err
	}
	fault, err := b.fault(indexReason)
	if err != nil {
		return nil, err
	}
	n := volume(extentsOf(y.shape[depth:]))
	count := volume(extentsOf(k.shape[:last]))
	l, err := b.line(from, "scatter_slices", (n+chunk-1)/chunk, x, k, y, n, count, depth, extents, fault)
	return append(all, l), err
}

// buildScatterNew binds TensorFlow Lite's ScatterNd, which adds slices to zeros. The shape is the result's.
func buildScatterNew(b *site) ([]launch, error) {
	out, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	updates, err := b.need(1)
	if err != nil {
		return nil, err
	}
	if b.quantised() || kindOf(out.t.DType)&numbers == 0 || updates.t.DType != out.t.DType {
		return nil, form.RefuseTensor(out.t, "elements of type %v are not added to %v", updates.t.DType, out.t.DType)
	}
	k, err := b.indexes(0)
	if err != nil {
		return nil, err
	}
	x, err := b.numbersOf(updates)
	if err != nil {
		return nil, err
	}
	y, err := b.resultNumbers(out, false)
	if err != nil {
		return nil, err
	}
	zero, err := b.zero(y.dtype)
	if err != nil {
		return nil, err
	}
	clear, err := b.spread(zero, y)
	if err != nil {
		return nil, err
	}
	return b.scatterSlices("add", k, x, y, []launch{clear})
}
