package host

import "github.com/memplan/memplan/runtime/form"

// buildLayoutTransform binds LayoutTransform from the layout src_layout to dst_layout, such as NCHW to NCHW4c, for any
// element type. What the source does not have, the padding of a packed axis, becomes zeros.
func buildLayoutTransform(b *site) (func() error, error) {
	x, err := b.need(0)
	if err != nil {
		return nil, err
	}
	y, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	r, err := form.RepackOf(b.op, x.t, y.t)
	if err != nil {
		return nil, err
	}
	if b.overlaps(y, false) {
		return nil, form.RefuseTensor(y.t, "the result of a repacking overlaps its input")
	}
	size := int(x.t.DType.Size())
	body := func(_, lo, hi int) {
		for item := lo; item < hi; item++ {
			at, inside := r.SourceOf(item)
			dst := y.bytes[item*size : (item+1)*size]
			if inside {
				copy(dst, x.bytes[at*size:])
			} else {
				clear(dst)
			}
		}
	}
	return func() error { b.d.crew.Split(y.elements(), 1<<12, body); return nil }, nil
}
