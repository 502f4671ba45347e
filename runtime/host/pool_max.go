package host

import (
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// ordered are the element types whose maxima are taken in place.
type ordered interface {
	float32 | float64 | int8 | uint8 | int32 | int64
}

// buildMaxPool binds MaxPool, with dilations, either layout and the optional second result: the place of each maximum in
// the flattened input, the first of equal ones. A NaN in a window is its maximum.
func buildMaxPool(b *site) (func() error, error) {
	p, x, y, err := newPooling(b)
	if err != nil {
		return nil, err
	}
	if y.t.DType != x.t.DType {
		return nil, form.RefuseTensor(y.t, "elements of type %v do not take maxima of %v", y.t.DType, x.t.DType)
	}
	switch x.t.DType {
	case graph.Float64:
		return maxPoolOf(b, p, x, y, math.Inf(-1))
	case graph.Int8:
		return maxPoolOf(b, p, x, y, int8(math.MinInt8))
	case graph.Uint8:
		return maxPoolOf(b, p, x, y, uint8(0))
	case graph.Int32:
		return maxPoolOf(b, p, x, y, int32(math.MinInt32))
	case graph.Int64:
		return maxPoolOf(b, p, x, y, int64(math.MinInt64))
	}
	src, err := b.floats(x)
	if err != nil {
		return nil, err
	}
	dst, err := b.resultFloats(y, false)
	if err != nil {
		return nil, err
	}
	return maxPool(b, p, src, dst, float32(math.Inf(-1)))
}

func maxPoolOf[T ordered](b *site, p *pooling, x, y *operand, lowest T) (func() error, error) {
	src, err := view[T](x)
	if err != nil {
		return nil, err
	}
	dst, err := view[T](y)
	if err != nil {
		return nil, err
	}
	if !b.ordered && b.overlaps(y, false) {
		return nil, form.RefuseTensor(y.t, "the result of a pooling shares bytes with its input")
	}
	return maxPool(b, p, src, dst, lowest)
}

func maxPool[T ordered](b *site, p *pooling, src, dst []T, lowest T) (func() error, error) {
	tail, err := b.tail(nil)
	if err != nil {
		return nil, err
	}
	if o := b.result(1); o != nil {
		indices, err := view[int64](o)
		if err != nil || o.t.DType != graph.Int64 || len(indices) != len(dst) || p.in.Last {
			return nil, form.RefuseTensor(o.t, "places of maxima are int64, one for each result, of channel-first data")
		}
		columns := b.op.Attrs.Int("storage_order", 0) == 1
		return tail(runPooling(b, p, dst, func(q position, to []T) { to[0], indices[q.to] = largest(p, &q, columns, src, lowest) })), nil
	}
	return tail(runPooling(b, p, dst, func(q position, to []T) {
		for i := range to {
			to[i] = lowest
		}
		raise(p, &q, to, src)
	})), nil
}

// raise takes each channel of a result up to the largest input.
func raise[T ordered](p *pooling, q *position, to, src []T) {
	for _, z := range q.zs {
		for _, y := range q.ys {
			if z < 0 || y < 0 {
				continue
			}
			row := (int(z)*p.in.Size[1] + int(y)) * p.in.Size[2]
			for _, x := range q.xs {
				if x < 0 {
					continue
				}
				from := src[q.from+(row+int(x))*p.pitch:]
				from = from[:len(to)]
				for i, v := range from {
					if v > to[i] || v != v {
						to[i] = v
					}
				}
			}
		}
	}
}

// largest returns a window's maximum and its place; columns counts each image column by column.
func largest[T ordered](p *pooling, q *position, columns bool, src []T, lowest T) (best T, place int64) {
	best, at := lowest, -1
	p.each(q, func(pixel int) {
		if v := src[q.from+pixel]; at < 0 || v > best || v != v {
			best, at = v, pixel
		}
	})
	if columns && at >= 0 {
		size := p.in.Size
		z, y, x := at/(size[1]*size[2]), at/size[2]%size[1], at%size[2]
		at = (x*size[1]+y)*size[0] + z
	}
	return best, int64(q.from + at)
}
