package host

import (
	"strings"
	"unicode"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// packedAxis is one axis of a layout such as NCHW4c: the capital letter is an axis or the outer part of one, a number
// with a small letter the inner part, of that extent.
type packedAxis struct {
	letter byte
	inner  bool
	// extent and stride are in elements.
	extent, stride int
}

// parseLayout reads a layout for a shape. It returns false when they do not go together.
func parseLayout(layout string, shape graph.Shape) ([]packedAxis, bool) {
	var axes []packedAxis
	for i := 0; i < len(layout); i++ {
		number := i
		for i < len(layout) && unicode.IsDigit(rune(layout[i])) {
			i++
		}
		if i == len(layout) || !unicode.IsLetter(rune(layout[i])) || len(axes) == len(shape) {
			return nil, false
		}
		a := packedAxis{letter: strings.ToUpper(layout)[i], inner: i > number, extent: int(shape[len(axes)])}
		if a.inner == unicode.IsUpper(rune(layout[i])) {
			return nil, false
		}
		axes = append(axes, a)
	}
	stride := 1
	for i := len(axes) - 1; i >= 0; i-- {
		axes[i].stride = stride
		stride *= axes[i].extent
	}
	return axes, len(axes) == len(shape)
}

// lettered is an axis put together: the strides of its outer and its inner part, 0 for none, the extent of the inner
// part, 1 without, and the whole extent.
type lettered struct{ outer, inner, factor, extent int }

func byLetter(axes []packedAxis) map[byte]lettered {
	by := map[byte]lettered{}
	for _, a := range axes {
		l, ok := by[a.letter]
		if !ok {
			l = lettered{factor: 1, extent: 1}
		}
		if a.inner {
			l.inner, l.factor = a.stride, a.extent
		} else {
			l.outer = a.stride
		}
		l.extent *= a.extent
		by[a.letter] = l
	}
	return by
}

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
	from, ok := parseLayout(b.op.Attrs.String("src_layout", x.t.Layout), x.shape())
	to, ok2 := parseLayout(b.op.Attrs.String("dst_layout", y.t.Layout), y.shape())
	if !ok || !ok2 || x.t.DType != y.t.DType || b.overlaps(y, false) {
		return nil, form.RefuseTensor(y.t, "the layouts %q of %v and %q of %v do not describe a repacking", b.op.Attrs.String("src_layout", x.t.Layout), x.shape(),
			b.op.Attrs.String("dst_layout", y.t.Layout), y.shape())
	}
	source := byLetter(from)
	target := byLetter(to)
	for letter := range target {
		if _, ok := source[letter]; !ok || len(source) != len(target) {
			return nil, form.RefuseTensor(y.t, "the axis %q is not in the layout of the input", string(letter))
		}
	}
	size := int(x.t.DType.Size())
	body := func(_, lo, hi int) {
		for item := lo; item < hi; item++ {
			at, inside := sourceOf(item, to, target, source)
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

// sourceOf finds the element of the source that an element of the target comes from.
func sourceOf(item int, to []packedAxis, target, source map[byte]lettered) (at int, inside bool) {
	for _, a := range to {
		if a.inner {
			continue
		}
		t, s := target[a.letter], source[a.letter]
		logical := item / a.stride % a.extent * t.factor
		if t.inner > 0 {
			logical += item / t.inner % t.factor
		}
		if logical >= s.extent {
			return 0, false
		}
		at += logical / s.factor * s.outer
		if s.factor > 1 || s.inner > 0 {
			at += logical % s.factor * s.inner
		}
	}
	return at, true
}
