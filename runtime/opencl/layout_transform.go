package opencl

import (
	"github.com/memplan/memplan/runtime/form"
)

// repackBuilders pack the axes of tensors.
var repackBuilders = map[string]builder{"LayoutTransform": buildLayoutTransform}

// segment is a part of an axis along which both its places, in the source and in the target, go in even steps.
type segment struct {
	extents, from, to []int
	fromAt, toAt      int
}

// buildLayoutTransform binds LayoutTransform from the layout src_layout to dst_layout, such as NCHW to NCHW4c, for any
// element type. What the source does not have, the padding of a packed axis, becomes zeros.
func buildLayoutTransform(b *site) ([]launch, error) {
	in, err := b.need(0)
	if err != nil {
		return nil, err
	}
	out, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	r, err := form.RepackOf(b.op, in.t, out.t)
	if err != nil {
		return nil, err
	}
	x, y, err := b.moved()
	if err != nil {
		return nil, err
	}
	boxes, padded, even := segmentsOf(r)
	if !even {
		return b.repackByTable(r, x, y)
	}
	var all []launch
	if padded {
		zero, err := b.zero(y.dtype)
		if err != nil {
			return nil, err
		}
		clear, err := b.spread(zero, y)
		if err != nil {
			return nil, err
		}
		all = append(all, clear)
	}
	for _, s := range boxes {
		l, err := b.moveBox(x, y, s.extents, box{s.fromAt, s.from}, box{s.toAt, s.to})
		if err != nil {
			return nil, err
		}
		all = append(all, l...)
	}
	return all, nil
}

// segmentsOf returns the boxes that make the target, and whether it has padding. It gives up, even = false, when an axis is
// packed by different numbers on both sides.
func segmentsOf(r *form.Repack) (boxes []segment, padded, even bool) {
	boxes = []segment{{}}
	done := map[byte]bool{}
	for _, a := range r.Axes {
		if done[a.Letter] {
			continue
		}
		done[a.Letter] = true
		source, target := r.Source[a.Letter], r.Target[a.Letter]
		parts, ok := partsOf(source, target)
		if !ok {
			return nil, false, false
		}
		padded = padded || target.Extent > source.Extent
		var longer []segment
		for _, s := range boxes {
			for _, p := range parts {
				longer = append(longer, s.with(p))
			}
		}
		boxes = longer
	}
	return boxes, padded, true
}

func (s segment) with(p segment) segment {
	return segment{
		append(append([]int{}, s.extents...), p.extents...), append(append([]int{}, s.from...), p.from...),
		append(append([]int{}, s.to...), p.to...), s.fromAt + p.fromAt, s.toAt + p.toAt,
	}
}

// partsOf cuts an axis into whole packs and the rest.
func partsOf(source, target form.PackedLetter) ([]segment, bool) {
	n := min(source.Extent, target.Extent)
	factor := max(source.Factor, target.Factor)
	if source.Factor != 1 && target.Factor != 1 && source.Factor != target.Factor {
		return nil, false
	}
	from, to := stepsOf(source, factor), stepsOf(target, factor)
	whole, rest := n/factor, n%factor
	parts := []segment{{extents: []int{whole, factor}, from: from[:], to: to[:]}}
	if rest > 0 {
		parts = append(parts, segment{[]int{rest}, from[1:], to[1:], whole * from[0], whole * to[0]})
	}
	return parts, true
}

// stepsOf are the strides from one pack of factor positions to the next, and inside of it.
func stepsOf(l form.PackedLetter, factor int) [2]int {
	if l.Factor == 1 {
		step := l.Outer
		if step == 0 {
			step = l.Inner
		}
		return [2]int{factor * step, step}
	}
	return [2]int{l.Outer, l.Inner}
}

// repackByTable moves each element by an entry of its own.
func (b *site) repackByTable(r *form.Repack, x, y *flat) ([]launch, error) {
	table := make([]int32, y.elements())
	for i := range table {
		table[i] = -1
		if at, inside := r.SourceOf(i); inside {
			table[i] = int32(at)
		}
	}
	zero, err := b.zero(y.dtype)
	if err != nil {
		return nil, err
	}
	return one(b.pick(x, zero, y, [][]int32{table}))
}
