package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// buildQuantize binds QuantizeLinear and DequantizeLinear, with one scale for all elements, one for each index on an
// axis, or one for each block of indices on it.
func buildQuantize(b *site) ([]launch, error) {
	in, err := b.need(0)
	if err != nil {
		return nil, err
	}
	out, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	q, f := out, in
	if b.op.Op == "DequantizeLinear" {
		q, f = in, out
	}
	low, high := saturation(q.t.DType)
	if high < low || !f.t.DType.IsFloat() || !in.shape().Equal(out.shape()) {
		return nil, form.RefuseTensor(out.t, "%v %v does not become %v %v", in.t.DType, in.shape(), out.t.DType, out.shape())
	}
	scale, zero, err := b.scales()
	if err != nil {
		return nil, err
	}
	x, y, err := b.quantisedOperands(in, out)
	if err != nil {
		return nil, err
	}
	boxes, err := b.scaleBoxes(in.shape(), scale.shape)
	if err != nil {
		return nil, err
	}
	var all []launch
	for _, box := range boxes {
		w, err := newWalk(box.extents, box.data, box.pairs, box.data)
		if err != nil {
			return nil, err
		}
		args := append([]any{x.moved(box.at), scale.moved(box.pair), zero.moved(box.pair), y.moved(box.at)}, w.args()...)
		kernel := "dequantize"
		if q == out {
			kernel, args = "quantize", append(args, low, high)
		}
		options := "-DQ=" + clTypes[q.t.DType] + " -DZ=" + clTypes[zero.dtype]
		l, err := b.line(source{"walk+quantize", options}, kernel, w.items(), args...)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// quantisedOperands binds the numbers as float32 and their integers as they are.
func (b *site) quantisedOperands(in, out *operand) (x, y *flat, err error) {
	if in.t.DType.IsFloat() {
		if x, err = b.floatsOf(in); err == nil {
			y, err = b.resultElements(out, false)
		}
		return x, y, err
	}
	if x, err = b.elementsOf(in); err == nil {
		y, err = b.resultFloats(out, false)
	}
	return x, y, err
}

// scales binds the scales as float32 and the zero points, which are 0 when absent.
func (b *site) scales() (scale, zero *flat, err error) {
	if scale, err = b.floats(1); err != nil {
		return nil, nil, err
	}
	o := b.input(2)
	if o == nil {
		n, _ := scale.shape.Bytes(graph.Int8)
		zero, err = b.known(graph.Int8, scale.shape, make([]byte, n))
		return scale, zero, err
	}
	if low, high := saturation(o.t.DType); high < low || !o.shape().Equal(scale.shape) {
		return nil, nil, form.RefuseTensor(o.t, "zero points of %v %v do not go with scales of %v", o.t.DType, o.shape(), scale.shape)
	}
	zero, err = b.elementsOf(o)
	return scale, zero, err
}

// scaleBox is a box of elements with the strides of its scales; at and pair are the first of each.
type scaleBox struct {
	extents, data, pairs []int
	at, pair             int
}

// scaleBoxes cuts a tensor into boxes in which the scales have strides: one, or two when the last block is short.
func (b *site) scaleBoxes(shape, scale graph.Shape) ([]scaleBox, error) {
	extents := extentsOf(shape)
	own := rowMajor(extents)
	if n, _ := scale.Elements(); n == 1 && len(scale) <= 1 {
		return []scaleBox{{extents: extents, data: own, pairs: make([]int, len(extents))}}, nil
	}
	axis, err := axisOf(b.op.Attrs.Int("axis", 1), len(extents))
	if err != nil {
		return nil, err
	}
	pairs := make([]int, len(extents))
	if len(scale) == 1 {
		if scale[0] != shape[axis] {
			return nil, form.Refuse("%d scales are given for %d on axis %d", scale[0], shape[axis], axis)
		}
		pairs[axis] = 1
		return []scaleBox{{extents: extents, data: own, pairs: pairs}}, nil
	}
	size := b.op.Attrs.Int("block_size", 0)
	if size < 1 || size > form.Limit || !blocksOf(shape, axis, size).Equal(scale) {
		return nil, form.Refuse("scales of shape %v with block_size %d do not go with %v", scale, size, shape)
	}
	pairs = rowMajor(extentsOf(scale))
	var boxes []scaleBox
	whole := extents[axis] / int(size)
	for _, part := range []struct{ first, count, size int }{{0, whole, int(size)}, {whole, 1, extents[axis] % int(size)}} {
		if part.count*part.size == 0 {
			continue
		}
		box := scaleBox{at: part.first * int(size) * own[axis], pair: part.first * pairs[axis]}
		for i := range extents {
			if i == axis {
				box.extents = append(box.extents, part.count, part.size)
				box.data = append(box.data, int(size)*own[i], own[i])
				box.pairs = append(box.pairs, pairs[i], 0)
				continue
			}
			box.extents, box.data, box.pairs = append(box.extents, extents[i]), append(box.data, own[i]), append(box.pairs, pairs[i])
		}
		boxes = append(boxes, box)
	}
	return boxes, nil
}

// blocksOf is the shape of the scales of blocks of size indices on an axis.
func blocksOf(shape graph.Shape, axis int, size int64) graph.Shape {
	blocks := shape.Clone()
	blocks[axis] = (shape[axis] + size - 1) / size
	return blocks
}
