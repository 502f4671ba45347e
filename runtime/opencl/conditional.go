package opencl

import (
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// conditionBuilders choose between elements by a condition.
var conditionBuilders = map[string]builder{
	"Where": buildWhere, "Compress": buildCompress, "NonZero": buildNonZero, "OneHot": buildOneHot, "Not": buildNot,
	"IsNaN": buildFloatTest, "IsInf": buildFloatTest, "BitwiseNot": buildBitwiseNot,
}

// choosing is the variant of the choosing kernels for elements of a type and numbers of another.
func choosing(dtype, by graph.DType) source {
	s := source{"walk+select", steered(dtype, by).options}
	if by == graph.Float64 {
		s.options += " -DFLOAT64"
	}
	return s
}

// buildWhere binds Where of three operands that broadcast, and TensorFlow Lite's of one, which lists what is not 0.
func buildWhere(b *site) ([]launch, error) {
	if b.op.Domain == "tflite" {
		return b.nonZero(true)
	}
	out, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	var in [3]*operand
	var operands [3]*flat
	for i := range in {
		if in[i], err = b.need(i); err != nil {
			return nil, err
		}
		if operands[i], err = b.elementsOf(in[i]); err != nil {
			return nil, err
		}
	}
	if in[0].t.DType != graph.Bool {
		return nil, form.RefuseTensor(in[0].t, "a condition of type %v is not supported, bool is", in[0].t.DType)
	}
	if err := movable(out, in[1], in[2]); err != nil {
		return nil, err
	}
	z, err := b.movedResult(out, true)
	if err != nil {
		return nil, err
	}
	extents := extentsOf(z.shape)
	strides := [][]int{nil, nil, nil, rowMajor(extents)}
	for i, o := range operands {
		var fits bool
		if strides[i], fits = broadcast(o.shape, z.shape); !fits {
			return nil, form.RefuseTensor(in[i].t, "the shape %v does not broadcast to %v", o.shape, z.shape)
		}
	}
	w, err := newWalk(extents, strides...)
	if err != nil {
		return nil, err
	}
	w.strides, w.item = w.strides[:3], long
	args := append([]any{operands[0], operands[1], operands[2], z}, w.args()...)
	return one(b.line(source{"walk+select", moving(z.dtype).options}, "choose", w.items(), args...))
}

// buildNonZero binds NonZero, which has a column for each element.
func buildNonZero(b *site) ([]launch, error) { return b.nonZero(false) }

// nonZero lists the indices of the elements that are not 0, as columns or as rows. Their number was planned; a run that
// finds another one fails.
func (b *site) nonZero(rows bool) ([]launch, error) {
	in, err := b.need(0)
	if err != nil {
		return nil, err
	}
	out, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	rank := len(in.shape())
	axis, list := 0, 1
	if rows {
		axis, list = 1, 0
	}
	if out.t.DType != graph.Int64 || len(out.shape()) != 2 || out.shape()[axis] != int64(rank) || rank > maxAxes {
		return nil, form.RefuseTensor(out.t, "%v %v does not list the indices of %v", out.t.DType, out.shape(), in.shape())
	}
	count := int(out.shape()[list])
	where, find, err := b.listNonZero(in, count)
	if err != nil {
		return nil, err
	}
	y, err := b.resultElements(out, false)
	if err != nil {
		return nil, err
	}
	var extents [maxAxes]int32
	for i, d := range in.shape() {
		extents[i] = int32(d)
	}
	steps := rowMajor(extentsOf(out.shape()))
	l, err := b.line(source{"walk+select", "-DT=ulong"}, "indices_of", count, where, y, count, rank, extents, steps[list], steps[axis])
	return []launch{find, l}, err
}

// listNonZero returns the numbers of the elements that are not 0, as many as were planned, and the launch that finds
// them.
func (b *site) listNonZero(in *operand, count int) (*flat, launch, error) {
	k, err := b.numbersOf(in)
	if err != nil {
		return nil, launch{}, err
	}
	where, err := b.scratch(graph.Int32, graph.Shape{int64(max(count, 1))})
	if err != nil {
		return nil, launch{}, err
	}
	fault, err := b.fault("the number of elements that are not 0 is not the planned one")
	if err != nil {
		return nil, launch{}, err
	}
	l, err := b.line(choosing(graph.Int32, k.dtype), "list_nonzero", 1, k, k.elements(), where, count, fault)
	return where, l, err
}

// buildCompress binds Compress: it keeps the slices on an axis, or the elements, whose condition is true.
func buildCompress(b *site) ([]launch, error) {
	x, y, err := b.moved()
	if err != nil {
		return nil, err
	}
	condition, err := b.need(1)
	if err != nil {
		return nil, err
	}
	if condition.t.DType != graph.Bool || len(condition.shape()) != 1 {
		return nil, form.RefuseTensor(condition.t, "%v %v is no list of bool", condition.t.DType, condition.shape())
	}
	shape, axis := x.shape, 0
	if _, given := b.op.Attrs["axis"].(int64); given {
		if axis, err = axisOf(b.op.Attrs.Int("axis", 0), len(shape)); err != nil {
			return nil, err
		}
	} else {
		shape = graph.Shape{int64(x.elements())}
	}
	want := extentsOf(shape)
	if len(y.shape) != len(want) {
		return nil, form.RefuseTensor(b.out[0].t, "rank %d does not become %d", len(want), len(y.shape))
	}
	count := int(y.shape[axis])
	want[axis] = count
	if err := b.wantShape(b.out[0], want); err != nil {
		return nil, err
	}
	where, find, err := b.listNonZero(condition, count)
	if err != nil {
		return nil, err
	}
	fault, err := b.fault("the condition keeps a slice that does not exist")
	if err != nil {
		return nil, err
	}
	g := around(shape, axis, axis+1)
	w := walk{n: g.inner, rows: g.outer * count}
	l, err := b.line(gathering(x.dtype, graph.Int32), "gather_rows", w.items(), x, where, y, w.n, w.chunks(), w.items(), g.n, count, g.outer, fault)
	return []launch{find, l}, err
}

// buildOneHot binds OneHot. The depth is the result's.
func buildOneHot(b *site) ([]launch, error) {
	index, err := b.need(0)
	if err != nil {
		return nil, err
	}
	values, err := b.need(2)
	if err != nil {
		return nil, err
	}
	out, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	if err := movable(out, values); err != nil {
		return nil, err
	}
	rank := len(index.shape()) + 1
	axis, err := axisOf(b.op.Attrs.Int("axis", -1), rank)
	if err != nil {
		return nil, err
	}
	if len(out.shape()) != rank || values.elements() != 2 || kindOf(index.t.DType)&numbers == 0 {
		return nil, form.RefuseTensor(out.t, "indices %v %v do not become %v", index.t.DType, index.shape(), out.shape())
	}
	g := around(out.shape(), axis, axis+1)
	if g.outer*g.inner != index.elements() {
		return nil, form.RefuseTensor(out.t, "indices of %v do not become %v", index.shape(), out.shape())
	}
	k, err := b.numbersOf(index)
	if err != nil {
		return nil, err
	}
	v, err := b.elementsOf(values)
	if err != nil {
		return nil, err
	}
	y, err := b.resultElements(out, false)
	if err != nil {
		return nil, err
	}
	n := y.elements()
	return one(b.line(choosing(y.dtype, k.dtype), "one_hot", n, k, v, y, n, g.n, g.inner))
}

// buildNot binds Not.
func buildNot(b *site) ([]launch, error) {
	in, out, err := b.tested(ofBools)
	if err != nil {
		return nil, err
	}
	x, err := b.elementsOf(in)
	if err != nil {
		return nil, err
	}
	y, err := b.resultElements(out, true)
	if err != nil {
		return nil, err
	}
	zero, err := b.zero(graph.Bool)
	if err != nil {
		return nil, err
	}
	return one(b.binary("equal", x, zero, y))
}

// tested returns the input and the output of a test, which gives bools.
func (b *site) tested(takes kinds) (in, out *operand, err error) {
	if in, err = b.need(0); err != nil {
		return nil, nil, err
	}
	if out, err = b.needResult(0); err != nil {
		return nil, nil, err
	}
	if kindOf(in.t.DType)&takes == 0 || out.t.DType != graph.Bool || !in.shape().Equal(out.shape()) {
		return nil, nil, form.RefuseTensor(out.t, "%v %v is not tested into %v %v", in.t.DType, in.shape(), out.t.DType, out.shape())
	}
	return in, out, nil
}

// buildFloatTest binds IsNaN and IsInf.
func buildFloatTest(b *site) ([]launch, error) {
	in, out, err := b.tested(ofFloats)
	if err != nil {
		return nil, err
	}
	x, err := b.floatsOf(in)
	if err != nil {
		return nil, err
	}
	y, err := b.resultElements(out, false)
	if err != nil {
		return nil, err
	}
	if b.op.Op == "IsNaN" {
		return one(b.binary("is_nan", x, x, y))
	}
	positive, negative := b.op.Attrs.Int("detect_positive", 1) != 0, b.op.Attrs.Int("detect_negative", 1) != 0
	kernel, wanted := "magnitude", math.Inf(1)
	switch {
	case !positive && !negative:
		zero, err := b.zero(graph.Bool)
		if err != nil {
			return nil, err
		}
		return one(b.spread(zero, y))
	case !positive:
		kernel, wanted = "equal", math.Inf(-1)
	case !negative:
		kernel = "equal"
	}
	limit, err := b.filled(graph.Float32, wanted)
	if err != nil {
		return nil, err
	}
	return one(b.binary(kernel, x, limit, y))
}

// buildBitwiseNot binds BitwiseNot.
func buildBitwiseNot(b *site) ([]launch, error) {
	x, y, err := b.unaryOperands(true)
	if err != nil {
		return nil, err
	}
	if kindOf(x.dtype) != ofIntegers {
		return nil, form.RefuseTensor(b.in[0].t, "elements of type %v have no bits to change", x.dtype)
	}
	ones, err := b.filled(x.dtype, -1)
	if err != nil {
		return nil, err
	}
	return one(b.binary("xor", x, ones, y))
}
