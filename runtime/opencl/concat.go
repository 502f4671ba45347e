package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// buildConcat binds Concat for any element type. An input that the plan has placed inside the result, where it belongs,
// costs nothing.
func buildConcat(b *site) ([]launch, error) {
	out, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	axis, err := b.concatAxis(out)
	if err != nil {
		return nil, err
	}
	at := 0
	var parts []int
	for i := range b.in {
		o, err := b.need(i)
		if err != nil {
			return nil, err
		}
		if err := movable(out, o); err != nil {
			return nil, err
		}
		if !isPart(o.shape(), out.shape(), axis) {
			return nil, form.RefuseTensor(o.t, "the shape %v is no part of %v on axis %d", o.shape(), out.shape(), axis)
		}
		parts = append(parts, at)
		at += int(o.shape()[axis])
	}
	if int64(at) != out.shape()[axis] {
		return nil, form.RefuseTensor(out.t, "the parts have %d on axis %d, the whole %d", at, axis, out.shape()[axis])
	}
	return b.concat(out, axis, parts)
}

func (b *site) concatAxis(out *operand) (int, error) {
	if len(out.shape()) == 0 {
		return 0, form.RefuseTensor(out.t, "a scalar has no axis to put inputs side by side")
	}
	return b.axis("axis", 0, len(out.shape()))
}

// isPart reports whether a part has the extents of the whole on all other axes.
func isPart(part, whole graph.Shape, axis int) bool {
	if len(part) != len(whole) {
		return false
	}
	for i := range part {
		if i != axis && part[i] != whole[i] {
			return false
		}
	}
	return part[axis] <= whole[axis]
}

// concat moves the inputs to where their parts begin on the axis.
func (b *site) concat(out *operand, axis int, parts []int) ([]launch, error) {
	strides := rowMajor(extentsOf(out.shape()))
	inPlace := make([]bool, len(b.in))
	aliased := false
	for i, o := range b.in {
		first := int64(parts[i]*strides[axis]) * out.t.DType.Size()
		inPlace[i] = b.nested(o, out, axis, first)
		aliased = aliased || !inPlace[i] && overlap(o, out)
	}
	y, err := b.concatResult(out, aliased)
	if err != nil {
		return nil, err
	}
	var all []launch
	for i, o := range b.in {
		if inPlace[i] && !aliased {
			continue
		}
		x, err := b.elementsOf(o)
		if err != nil {
			return nil, err
		}
		extents := extentsOf(o.shape())
		l, err := b.moveBox(x, y, extents, denseBox(extents), box{parts[i] * strides[axis], strides})
		if err != nil {
			return nil, err
		}
		all = append(all, l...)
	}
	return all, nil
}

// concatResult binds the result: its own memory, though inputs lie in it, unless one of them lies where it does not
// belong.
func (b *site) concatResult(out *operand, aliased bool) (*flat, error) {
	if out.stored != nil || out.held != nil || aliased {
		return b.movedResult(out, false)
	}
	var err error
	if out.dense, err = b.placed(out); err != nil {
		return nil, err
	}
	if out.t.DType == graph.Float32 {
		out.float, b.y = out.dense, out.dense
	}
	return out.dense, nil
}

// nested reports whether an input has the bytes of its part of the result, which begins first bytes into it and is
// contiguous.
func (b *site) nested(o, out *operand, axis int, first int64) bool {
	in, to := o.t.Place, out.t.Place
	return o.stored == nil && out.stored == nil && o.held == nil && out.held == nil && in.Image < 0 && to.Image < 0 && in.Pool == to.Pool &&
		volume(extentsOf(out.shape()[:axis])) == 1 && in.Offset == to.Offset+first
}

// overlap reports whether two operands share bytes of flat memory.
func overlap(o, out *operand) bool {
	in, to := o.t.Place, out.t.Place
	return in.Image < 0 && to.Image < 0 && in.Pool == to.Pool && o.t.LogicalBytes > 0 && out.t.LogicalBytes > 0 &&
		in.Offset < to.Offset+out.t.LogicalBytes && to.Offset < in.Offset+o.t.LogicalBytes
}

// buildSplit binds Split. Each result has the extent that its shape says; of results that nobody wants the input of
// lengths or the equal share says it.
func buildSplit(b *site) ([]launch, error) {
	in, err := b.need(0)
	if err != nil {
		return nil, err
	}
	axis, err := b.concatAxis(in)
	if err != nil {
		return nil, err
	}
	lengths, err := b.splitLengths(in.shape()[axis])
	if err != nil {
		return nil, err
	}
	x, err := b.elementsOf(in)
	if err != nil {
		return nil, err
	}
	strides := rowMajor(extentsOf(in.shape()))
	var all []launch
	at := 0
	for i, n := range lengths {
		if o := b.out[i]; o != nil {
			l, err := b.splitPart(x, in, o, axis, n, box{at * strides[axis], strides})
			if err != nil {
				return nil, err
			}
			all = append(all, l...)
		}
		at += int(n)
	}
	if int64(at) != in.shape()[axis] {
		return nil, form.RefuseTensor(in.t, "lengths %v do not make the %d of axis %d", lengths, in.shape()[axis], axis)
	}
	return all, nil
}

func (b *site) splitPart(x *flat, in, o *operand, axis int, n int64, from box) ([]launch, error) {
	if err := movable(o, in); err != nil {
		return nil, err
	}
	if !isPart(o.shape(), in.shape(), axis) || o.shape()[axis] != n {
		return nil, form.RefuseTensor(o.t, "the shape %v is no part of %v with %d on axis %d", o.shape(), in.shape(), n, axis)
	}
	if o.elements() == 0 {
		return nil, nil
	}
	y, err := b.resultElements(o, false)
	if err != nil {
		return nil, err
	}
	extents := extentsOf(o.shape())
	return b.moveBox(x, y, extents, from, denseBox(extents))
}

// splitLengths returns the extent of each output on the axis.
func (b *site) splitLengths(extent int64) ([]int64, error) {
	if b.input(1) != nil {
		lengths, err := b.ints(1)
		if err == nil && len(lengths) != len(b.out) {
			err = form.Refuse("%d lengths are given for %d outputs", len(lengths), len(b.out))
		}
		for _, n := range lengths {
			if err == nil && (n < 0 || n > extent) {
				err = form.Refuse("length %d is outside of [0, %d]", n, extent)
			}
		}
		return lengths, err
	}
	share := (extent + int64(len(b.out)) - 1) / int64(max(len(b.out), 1))
	lengths := make([]int64, len(b.out))
	for i := range lengths {
		lengths[i] = min(share, extent)
		extent -= lengths[i]
	}
	return lengths, nil
}
