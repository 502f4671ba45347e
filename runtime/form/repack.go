package form

import (
	"strings"
	"unicode"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
)

// Repack is a LayoutTransform: a target made of a source whose axes are the same, packed in another way.
type Repack struct {
	// Axes are those of the target, outermost first.
	Axes []PackedAxis
	// Source and Target have each axis by its letter.
	Source, Target map[byte]PackedLetter
}

// RepackOf reads the layouts src_layout and dst_layout, such as NCHW and NCHW4c, for the operands x and y.
func RepackOf(op *graph.Op, x, y *device.Tensor) (*Repack, error) {
	from, ok := parseLayout(op.Attrs.String("src_layout", x.Layout), x.Shape)
	to, ok2 := parseLayout(op.Attrs.String("dst_layout", y.Layout), y.Shape)
	if !ok || !ok2 || x.DType != y.DType {
		return nil, RefuseTensor(y, "the layouts %q of %v and %q of %v do not describe a repacking", op.Attrs.String("src_layout", x.Layout), x.Shape,
			op.Attrs.String("dst_layout", y.Layout), y.Shape)
	}
	r := &Repack{to, byLetter(from), byLetter(to)}
	for _, a := range to {
		if _, ok := r.Source[a.Letter]; !ok || len(r.Source) != len(r.Target) {
			return nil, RefuseTensor(y, "the axis %q is not in the layout of the input", string(a.Letter))
		}
	}
	return r, nil
}

// PackedAxis is one axis of a layout such as NCHW4c: the capital letter is an axis or the outer part of one, a number
// with a small letter the inner part, of that extent.
type PackedAxis struct {
	Letter byte
	Inner  bool
	// Extent and Stride are in elements.
	Extent, Stride int
}

// parseLayout reads a layout for a shape. It returns false when they do not go together.
func parseLayout(layout string, shape graph.Shape) ([]PackedAxis, bool) {
	var axes []PackedAxis
	for i := 0; i < len(layout); i++ {
		number := i
		for i < len(layout) && unicode.IsDigit(rune(layout[i])) {
			i++
		}
		if i == len(layout) || !unicode.IsLetter(rune(layout[i])) || len(axes) == len(shape) {
			return nil, false
		}
		a := PackedAxis{Letter: strings.ToUpper(layout)[i], Inner: i > number, Extent: int(shape[len(axes)])}
		if a.Inner == unicode.IsUpper(rune(layout[i])) {
			return nil, false
		}
		axes = append(axes, a)
	}
	stride := 1
	for i := len(axes) - 1; i >= 0; i-- {
		axes[i].Stride = stride
		stride *= axes[i].Extent
	}
	return axes, len(axes) == len(shape)
}

// PackedLetter is an axis put together: the strides of its outer and its inner part, 0 for none, the extent of the inner
// part, 1 without, and the whole extent.
type PackedLetter struct{ Outer, Inner, Factor, Extent int }

func byLetter(axes []PackedAxis) map[byte]PackedLetter {
	by := map[byte]PackedLetter{}
	for _, a := range axes {
		l, ok := by[a.Letter]
		if !ok {
			l = PackedLetter{Factor: 1, Extent: 1}
		}
		if a.Inner {
			l.Inner, l.Factor = a.Stride, a.Extent
		} else {
			l.Outer = a.Stride
		}
		l.Extent *= a.Extent
		by[a.Letter] = l
	}
	return by
}

// SourceOf finds the element of the source that an element of the target comes from.
func (r *Repack) SourceOf(item int) (at int, inside bool) {
	for _, a := range r.Axes {
		if a.Inner {
			continue
		}
		t, s := r.Target[a.Letter], r.Source[a.Letter]
		logical := item / a.Stride % a.Extent * t.Factor
		if t.Inner > 0 {
			logical += item / t.Inner % t.Factor
		}
		if logical >= s.Extent {
			return 0, false
		}
		at += logical / s.Factor * s.Outer
		if s.Factor > 1 || s.Inner > 0 {
			at += logical % s.Factor * s.Inner
		}
	}
	return at, true
}
