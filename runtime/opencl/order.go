package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// orderBuilders compare the elements on one axis.
var orderBuilders = map[string]builder{
	"ArgMax": buildArgument, "ArgMin": buildArgument, "TopK": buildTop, "Hardmax": buildHardmax, "CumSum": buildCumulate,
}

// ordering is the variant of the ordering kernels.
func ordering(dtype, index graph.DType) source {
	s := arithmetic("order", dtype)
	if index != graph.InvalidDType {
		s.options += " -DK=" + clTypes[index]
	}
	return s
}

// isIndex reports whether positions can have the type.
func isIndex(dtype graph.DType) bool { return dtype == graph.Int64 || dtype == graph.Int32 }

// flag is an attribute or a condition as kernels take it.
func flag(set bool) int {
	if set {
		return 1
	}
	return 0
}

// buildArgument binds ArgMax and ArgMin; a NaN is both.
func buildArgument(b *site) ([]launch, error) {
	in, err := b.need(0)
	if err != nil {
		return nil, err
	}
	out, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	axis, err := axisOf(b.op.Attrs.Int("axis", 0), len(in.shape()))
	if err != nil {
		return nil, err
	}
	reduced := make([]bool, len(in.shape()))
	reduced[axis] = true
	if err := b.wantShape(out, reducedShape(in.shape(), reduced, b.op.Attrs.Int("keepdims", 1) != 0)); err != nil {
		return nil, err
	}
	if in.shape()[axis] == 0 || kindOf(in.t.DType)&numbers == 0 || !isIndex(out.t.DType) {
		return nil, form.RefuseTensor(out.t, "%v %v has no position of %v on axis %d", in.t.DType, in.shape(), out.t.DType, axis)
	}
	x, err := b.numbersOf(in)
	if err != nil {
		return nil, err
	}
	y, err := b.resultElements(out, false)
	if err != nil {
		return nil, err
	}
	g := around(x.shape, axis, axis+1)
	lanes := g.outer * g.inner
	return one(b.line(ordering(x.dtype, y.dtype), "argument", lanes, x, y, lanes, g.n, g.inner,
		flag(b.op.Op == "ArgMin"), int(b.op.Attrs.Int("select_last_index", 0))))
}

// maxRanked bounds the elements of a lane of TopK, which are compared with each other.
const maxRanked = 1 << 16

// buildTop binds TopK, in order whether sorted is set or not. It costs O(n²) for each lane of n elements.
func buildTop(b *site) ([]launch, error) {
	in, err := b.need(0)
	if err != nil {
		return nil, err
	}
	axis, err := axisOf(b.op.Attrs.Int("axis", -1), len(in.shape()))
	if err != nil {
		return nil, err
	}
	if kindOf(in.t.DType)&numbers == 0 {
		return nil, form.RefuseTensor(in.t, "elements of type %v have no order", in.t.DType)
	}
	if n := in.shape()[axis]; n > maxRanked {
		return nil, form.RefuseTensor(in.t, "axis %d has %d elements, and the kernel, which compares each with each, takes %d", axis, n, maxRanked)
	}
	x, err := b.numbersOf(in)
	if err != nil {
		return nil, err
	}
	// A result that nobody wants needs some memory of its type as an argument.
	values, places, wanted, k := x, x, 0, int64(0)
	index := graph.Int64
	if o := b.result(0); o != nil {
		if values, err = b.resultNumbers(o, false); err != nil {
			return nil, err
		}
		wanted, k = 1, o.shape()[min(axis, len(o.shape())-1)]
		if o.t.DType != in.t.DType {
			return nil, form.RefuseTensor(o.t, "values of type %v are not %v", o.t.DType, in.t.DType)
		}
	}
	if o := b.result(1); o != nil {
		if !isIndex(o.t.DType) {
			return nil, form.RefuseTensor(o.t, "positions of type %v are not supported", o.t.DType)
		}
		if places, err = b.resultElements(o, false); err != nil {
			return nil, err
		}
		index, k = o.t.DType, o.shape()[min(axis, len(o.shape())-1)]
		wanted |= 2
	}
	want := extentsOf(in.shape())
	want[axis] = int(k)
	for _, o := range b.out {
		if o == nil {
			continue
		}
		if err := b.wantShape(o, want); err != nil {
			return nil, err
		}
	}
	if k > in.shape()[axis] {
		return nil, form.Refuse("k is %d, and axis %d has %d elements", k, axis, in.shape()[axis])
	}
	g := around(x.shape, axis, axis+1)
	items := x.elements()
	return one(b.line(ordering(x.dtype, index), "top", items, x, values, places, items, g.n, g.inner, int(k),
		flag(b.op.Attrs.Int("largest", 1) == 0), wanted))
}

// laned binds an op along one axis whose result has the type and shape of the input.
func (b *site) laned(axis int64) (x, y *flat, g axisSplit, err error) {
	in, err := b.need(0)
	if err != nil {
		return
	}
	out, err := b.needResult(0)
	if err != nil {
		return
	}
	if in.t.DType != out.t.DType || !in.shape().Equal(out.shape()) || kindOf(in.t.DType)&numbers == 0 {
		err = form.RefuseTensor(out.t, "%v %v is not the type of %v %v", out.t.DType, out.shape(), in.t.DType, in.shape())
		return
	}
	at, err := axisOf(axis, len(in.shape()))
	if err != nil {
		return
	}
	g = around(in.shape(), at, at+1)
	if x, err = b.numbersOf(in); err != nil {
		return
	}
	y, err = b.resultNumbers(out, true)
	return
}

// buildHardmax binds Hardmax.
func buildHardmax(b *site) ([]launch, error) {
	x, y, g, err := b.laned(b.op.Attrs.Int("axis", -1))
	if err != nil {
		return nil, err
	}
	lanes := g.outer * g.inner
	return one(b.line(ordering(x.dtype, graph.InvalidDType), "hardmax", lanes, x, y, lanes, g.n, g.inner))
}

// buildCumulate binds CumSum, whose axis is a constant.
func buildCumulate(b *site) ([]launch, error) {
	axis, err := b.ints(1)
	if err != nil {
		return nil, err
	}
	if len(axis) != 1 {
		return nil, form.Refuse("%d axes are given, 1 is needed", len(axis))
	}
	x, y, g, err := b.laned(axis[0])
	if err != nil {
		return nil, err
	}
	lanes := g.outer * g.inner
	return one(b.line(ordering(x.dtype, graph.InvalidDType), "cumulate", lanes, x, y, lanes, g.n, g.inner,
		flag(b.op.Attrs.Int("exclusive", 0) != 0), flag(b.op.Attrs.Int("reverse", 0) != 0)))
}
