package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// padBuilders change the extents of an array around its elements.
var padBuilders = map[string]builder{
	"Pad": buildPad, "SpaceToBatchNd": buildSpaceToBatch, "BatchToSpaceNd": buildBatchToSpace,
}

// buildPad binds Pad in every mode, on any axes, with numbers below 0 too. The numbers are constants, the value need not
// be.
func buildPad(b *site) ([]launch, error) {
	if borders, ok, err := b.padInPlace(); ok || err != nil {
		return borders, err
	}
	x, y, err := b.moved()
	if err != nil {
		return nil, err
	}
	before, err := b.padding(x.shape, y.shape)
	if err != nil {
		return nil, err
	}
	mode := b.op.Attrs.String("mode", "constant")
	value, err := b.padValue(x, mode)
	if err != nil {
		return nil, err
	}
	if mode == "constant" {
		return one(b.placeBox(x, value, y, before))
	}
	tables := make([][]int32, len(before))
	strides := rowMajor(extentsOf(x.shape))
	for axis := range before {
		if x.shape[axis] == 0 {
			return nil, form.RefuseTensor(b.in[0].t, "mode %q has no element to repeat on axis %d", mode, axis)
		}
		for i := range y.shape[axis] {
			from, ok := padSource(mode, int(i-before[axis]), int(x.shape[axis]))
			if !ok {
				return nil, form.Refuse("mode %q is not known", mode)
			}
			tables[axis] = append(tables[axis], int32(from*strides[axis]))
		}
	}
	return one(b.pick(x, value, y, tables))
}

// padInPlace binds a padding whose input the plan has placed inside the result, where it belongs, as a run of its bytes:
// only the borders are filled. The second result is false for any other.
func (b *site) padInPlace() ([]launch, bool, error) {
	in, out := b.input(0), b.result(0)
	if in == nil || out == nil || in.stored != nil || out.stored != nil || in.held != nil || out.held != nil || !overlap(in, out) ||
		movable(out, in) != nil || b.op.Attrs.String("mode", "constant") != "constant" || len(b.op.Fused) > 1 {
		return nil, false, nil
	}
	before, err := b.padding(in.shape(), out.shape())
	if err != nil {
		return nil, false, err
	}
	at, whole := runAt(in.shape(), out.shape(), before)
	if size := in.t.DType.Size(); !whole || in.t.Place.Offset != out.t.Place.Offset+int64(at)*size {
		return nil, false, nil
	}
	if out.dense, err = b.placed(out); err != nil {
		return nil, false, err
	}
	value, err := b.padValue(out.dense, "constant")
	if err != nil {
		return nil, false, err
	}
	var all []launch
	end := at + in.elements()
	for _, border := range [][2]int{{0, at}, {end, out.elements()}} {
		if border[0] == border[1] {
			continue
		}
		l, err := b.spread(value, out.dense.moved(border[0]).reshaped(border[1]-border[0]))
		if err != nil {
			return nil, false, err
		}
		all = append(all, l)
	}
	return all, true, nil
}

// runAt is the element of out at which a padded input starts, when it is a run of the result's elements without gaps.
func runAt(in, out graph.Shape, before []int64) (at int, whole bool) {
	stride, gap := 1, false
	for axis := len(in) - 1; axis >= 0; axis-- {
		if before[axis] < 0 || before[axis]+in[axis] > out[axis] || gap && in[axis] != 1 {
			return 0, false
		}
		gap = gap || in[axis] != out[axis]
		at += int(before[axis]) * stride
		stride *= int(out[axis])
	}
	return at, true
}

// padding returns the elements that are added before each axis.
func (b *site) padding(in, out graph.Shape) ([]int64, error) {
	pads, err := b.ints(1)
	if err != nil {
		return nil, err
	}
	rank := len(in)
	before, after := make([]int64, rank), make([]int64, rank)
	var axes []int64
	if b.input(3) != nil {
		if axes, err = b.ints(3); err != nil {
			return nil, err
		}
	} else {
		for i := range rank {
			axes = append(axes, int64(i))
		}
	}
	if len(pads) != 2*len(axes) || len(out) != rank {
		return nil, form.Refuse("%d pads for %d axes do not turn %v into %v", len(pads), len(axes), in, out)
	}
	for i, a := range axes {
		axis, err := axisOf(a, rank)
		if err != nil {
			return nil, err
		}
		before[axis], after[axis] = pads[i], pads[i+len(axes)]
	}
	for axis := range rank {
		if b, a := before[axis], after[axis]; max(b, -b, a, -a) > form.Limit || in[axis]+b+a != out[axis] {
			return nil, form.Refuse("pads %d and %d do not turn %v into %v on axis %d", b, a, in, out, axis)
		}
	}
	return before, nil
}

// padValue is the element that is added, 0 where none is given.
func (b *site) padValue(x *flat, mode string) (*flat, error) {
	o := b.input(2)
	if o == nil || mode != "constant" {
		return b.zero(x.dtype)
	}
	if o.t.DType != x.dtype || o.elements() != 1 {
		return nil, form.RefuseTensor(o.t, "%v %v is not one element of %v", o.t.DType, o.shape(), x.dtype)
	}
	return b.elementsOf(o)
}

// zero is an element whose bits are all 0.
func (b *site) zero(dtype graph.DType) (*flat, error) {
	return b.known(dtype, graph.Shape{1}, make([]byte, dtype.Size()))
}

// padSource is the element of d that a padded axis repeats at index i, which is outside of [0, d) in the padding.
func padSource(mode string, i, d int) (int, bool) {
	switch mode {
	case "edge":
		return min(max(i, 0), d-1), true
	case "wrap":
		return modulo(i, d), true
	case "reflect":
		i = modulo(i, max(2*(d-1), 1))
		return max(min(i, 2*(d-1)-i), 0), true
	case "symmetric":
		i = modulo(i, 2*d)
		return min(i, 2*d-1-i), true
	}
	return 0, false
}

// modulo is the remainder in [0, n).
func modulo(a, n int) int { return (a%n + n) % n }

// placeBox returns the launch that puts x into y, before elements from the start of each axis, and the value around it.
// An axis that is not padded merges with the one before it.
func (b *site) placeBox(x, value, y *flat, before []int64) (launch, error) {
	var extents, low, high, strides []int
	own := rowMajor(extentsOf(x.shape))
	for i, d := range y.shape {
		from, to, n := int(before[i]), int(before[i]+x.shape[i]), int(d)
		if last := len(extents) - 1; last >= 0 && from == 0 && to == n {
			extents[last], low[last], high[last], strides[last] = extents[last]*n, low[last]*n, high[last]*n, own[i]
			continue
		}
		extents, low, high, strides = append(extents, n), append(low, from), append(high, to), append(strides, own[i])
	}
	if len(extents) == 0 {
		extents, low, high, strides = []int{1}, []int{0}, []int{1}, []int{1}
	}
	if len(extents) > maxAxes {
		return launch{}, form.Refuse("%d padded axes are more than the kernel walks, %d", len(extents), maxAxes)
	}
	w, bounds := rowsOf(extents, low, high, strides)
	// The kernel counts indices from the start of y.
	shift := 0
	for i := range extents {
		shift += low[i] * strides[i]
	}
	w.item = long
	args := append(append([]any{x.moved(-shift), value, y}, w.args()...), bounds...)
	return b.line(moving(x.dtype), "place_box", w.items(), args...)
}

// rowsOf is a walk over extents, with lists of one number an axis as the kernel takes them: that of the rows last.
func rowsOf(extents []int, lists ...[]int) (walk, []any) {
	last := len(extents) - 1
	w := walk{n: extents[last], rows: volume(extents[:last]), rank: last}
	for i, d := range extents[:last] {
		w.extents[i] = int32(d)
	}
	args := make([]any, len(lists))
	for k, list := range lists {
		var packed [maxAxes]int32
		for i, v := range list[:last] {
			packed[i] = int32(v)
		}
		packed[maxAxes-1] = int32(list[last])
		args[k] = packed
	}
	return w, args
}

// pick returns the launch that fills y, whose axes have a table each: an entry for each index, which adds to the place in
// x, or below 0 gives the value.
func (b *site) pick(x, value, y *flat, tables [][]int32) (launch, error) {
	var extents, starts []int
	var all []int32
	for _, t := range tables {
		extents, starts, all = append(extents, len(t)), append(starts, len(all)), append(all, t...)
	}
	if len(extents) == 0 {
		extents, starts, all = []int{1}, []int{0}, []int32{0}
	}
	if len(extents) > maxAxes {
		return launch{}, form.Refuse("%d axes are more than the kernel walks, %d", len(extents), maxAxes)
	}
	table, err := b.knownInts(all)
	if err != nil {
		return launch{}, err
	}
	w, begin := rowsOf(extents, starts)
	args := append(append([]any{x, value, y, table}, w.args()...), begin...)
	return b.line(moving(x.dtype), "pick", w.items(), args...)
}
