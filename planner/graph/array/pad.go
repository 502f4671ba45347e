package array

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// padKernels change the extents of an array around its elements.
var padKernels = map[string]entry{
	"Pad":    {kernel: pad, needed: 2, most: 4, outputs: 1},
	"Tile":   {kernel: tile, needed: 2, most: 2, outputs: 1},
	"Expand": {kernel: expand, needed: 1, most: 2, outputs: 1},
}

// pad adds elements before and after each axis, or removes them where the number is negative. Mode "symmetric" is
// TFLite's: as "reflect", with the edge repeated.
func pad(op *graph.Op, outputs, inputs []*Array) error {
	out, in := outputs[0], inputs[0]
	if err := sameDType(out, in, input(inputs, 2)); err != nil {
		return err
	}
	before, err := padding(out, inputs)
	if err != nil || len(out.Data) == 0 {
		return err
	}
	mode := op.Attrs.String("mode", "constant")
	if mode == "constant" {
		return padConstant(out, in, input(inputs, 2), before)
	}
	sources := make([][]int, len(before))
	for axis, b := range before {
		if sources[axis], err = padSources(mode, b, int(in.Shape[axis]), int(out.Shape[axis])); err != nil {
			return fmt.Errorf("axis %d: %w", axis, err)
		}
	}
	return pick(out, in, sources)
}

// padding returns the elements that are added before each axis and checks the shape of the result.
func padding(out *Array, inputs []*Array) ([]int64, error) {
	in := inputs[0]
	rank := len(in.Shape)
	pads, err := intsOf(inputs, 1)
	if err != nil {
		return nil, err
	}
	axes, err := intsOf(inputs, 3)
	if err != nil {
		return nil, err
	}
	if input(inputs, 3) == nil {
		for i := range rank {
			axes = append(axes, int64(i))
		}
	}
	if _, err := axisSet(axes, rank); err != nil {
		return nil, err
	}
	if len(pads) != 2*len(axes) || len(out.Shape) != rank {
		return nil, fmt.Errorf("%d pads for %d axes, from shape %v to %v", len(pads), len(axes), in.Shape, out.Shape)
	}
	before, after := make([]int64, rank), make([]int64, rank)
	for i, a := range axes {
		axis, err := axisOf(a, rank)
		if err != nil {
			return nil, err
		}
		before[axis], after[axis] = pads[i], pads[i+len(axes)]
	}
	for axis := range rank {
		const limit = 1 << 60
		b, a, d := before[axis], after[axis], in.Shape[axis]
		if b > limit || b < -limit || a > limit || a < -limit || d > limit || d+b+a != out.Shape[axis] {
			return nil, fmt.Errorf("pads %d and %d turn %v into %v on axis %d", b, a, in.Shape, out.Shape, axis)
		}
	}
	return before, nil
}

func padConstant(out, in, value *Array, before []int64) error {
	size := int(out.DType.Size())
	element := make([]byte, size)
	if value != nil {
		if len(value.Data) != size {
			return fmt.Errorf("the constant value has shape %v, not one element", value.Shape)
		}
		element = value.Data
	}
	fillPattern(out.Data, element)
	to, from := dense(dims(out.Shape)), dense(dims(in.Shape))
	extents := make([]int, len(before))
	for axis, b := range before {
		start, end := max(b, 0), min(b+in.Shape[axis], out.Shape[axis])
		extents[axis] = int(max(end-start, 0))
		to.offset += int(start) * to.strides[axis]
		from.offset += int(start-b) * from.strides[axis]
	}
	return move(out, to, in, from, extents)
}

// padSources returns for each of n elements of a padded axis the element of the d original ones that it repeats.
func padSources(mode string, before int64, d, n int) ([]int, error) {
	if d == 0 && n > 0 {
		return nil, fmt.Errorf("mode %q has no element to repeat", mode)
	}
	sources := make([]int, n)
	for i := range sources {
		at := i - int(before)
		switch mode {
		case "edge":
			at = min(max(at, 0), d-1)
		case "wrap":
			at = modulo(at, d)
		case "reflect":
			at = modulo(at, max(2*(d-1), 1))
			at = min(at, 2*(d-1)-at)
		case "symmetric":
			at = modulo(at, 2*d)
			at = min(at, 2*d-1-at)
		default:
			return nil, fmt.Errorf("unknown mode %q", mode)
		}
		sources[i] = max(at, 0)
	}
	return sources, nil
}

// modulo is the remainder in [0, n).
func modulo(a, n int) int {
	if a %= n; a < 0 {
		a += n
	}
	return a
}

// pick sets each element of out to the element of in at sources[axis][index] on each axis.
func pick(out, in *Array, sources [][]int) error {
	switch out.DType.Size() {
	case 1:
		pickElements(View[uint8](out), View[uint8](in), sources, strides(dims(in.Shape)))
	case 2:
		pickElements(View[uint16](out), View[uint16](in), sources, strides(dims(in.Shape)))
	case 4:
		pickElements(View[uint32](out), View[uint32](in), sources, strides(dims(in.Shape)))
	case 8:
		pickElements(View[uint64](out), View[uint64](in), sources, strides(dims(in.Shape)))
	default:
		pickElements(View[[2]uint64](out), View[[2]uint64](in), sources, strides(dims(in.Shape)))
	}
	return nil
}

func pickElements[T Element](dst, src []T, sources [][]int, by []int) {
	last := len(sources) - 1
	if last < 0 {
		copy(dst, src)
		return
	}
	index := make([]int, last)
	for at := 0; at < len(dst); {
		from := 0
		for axis, i := range index {
			from += sources[axis][i] * by[axis]
		}
		for _, s := range sources[last] {
			dst[at] = src[from+s]
			at++
		}
		for axis := last - 1; axis >= 0; axis-- {
			if index[axis]++; index[axis] < len(sources[axis]) {
				break
			}
			index[axis] = 0
		}
	}
}

func tile(_ *graph.Op, outputs, inputs []*Array) error {
	out, in := outputs[0], inputs[0]
	repeats, err := intsOf(inputs, 1)
	if err != nil {
		return err
	}
	if len(repeats) != len(in.Shape) || len(out.Shape) != len(in.Shape) {
		return fmt.Errorf("%d repeats turn %v into %v", len(repeats), in.Shape, out.Shape)
	}
	d := dims(in.Shape)
	natural := strides(d)
	var extents, from []int
	for i, r := range repeats {
		if r < 0 || (d[i] > 0 && (out.Shape[i]%in.Shape[i] != 0 || out.Shape[i]/in.Shape[i] != r)) || (d[i] == 0 && out.Shape[i] != 0) {
			return fmt.Errorf("%d repeats turn %d into %d on axis %d", r, in.Shape[i], out.Shape[i], i)
		}
		extents = append(extents, int(r), d[i])
		from = append(from, 0, natural[i])
	}
	return move(out, dense(extents), in, region{0, from}, extents)
}

func expand(_ *graph.Op, outputs, inputs []*Array) error {
	from, err := broadcastStrides(inputs[0].Shape, outputs[0].Shape)
	if err != nil {
		return err
	}
	extents := dims(outputs[0].Shape)
	return move(outputs[0], dense(extents), inputs[0], region{0, from}, extents)
}
