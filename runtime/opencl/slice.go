package opencl

import "github.com/memplan/memplan/runtime/form"

// buildSlice binds Slice, whose starts, ends, axes and steps are constants: they decide the shape.
func buildSlice(b *site) ([]launch, error) {
	x, y, err := b.moved()
	if err != nil {
		return nil, err
	}
	var lists [4][]int64
	for i := range lists {
		if b.input(i+1) == nil {
			continue
		}
		if lists[i], err = b.ints(i + 1); err != nil {
			return nil, err
		}
	}
	starts, ends, axes, steps := lists[0], lists[1], lists[2], lists[3]
	if axes == nil {
		for i := range starts {
			axes = append(axes, int64(i))
		}
	}
	if len(ends) != len(starts) || len(axes) != len(starts) || steps != nil && len(steps) != len(starts) {
		return nil, form.Refuse("%d starts, %d ends, %d axes and %d steps do not go together", len(starts), len(ends), len(axes), len(steps))
	}
	extents := extentsOf(x.shape)
	from, named := denseBox(extents), make([]bool, len(extents))
	for i, a := range axes {
		axis, err := axisOf(a, len(extents))
		if err != nil {
			return nil, err
		}
		step := int64(1)
		if steps != nil {
			step = steps[i]
		}
		if named[axis] || step == 0 {
			return nil, form.Refuse("axes %v and steps %v have no meaning", axes, steps)
		}
		named[axis] = true
		first, step, n := sliceRange(x.shape[axis], starts[i], ends[i], step)
		from.at += int(first) * from.strides[axis]
		from.strides[axis] *= int(step)
		extents[axis] = int(n)
	}
	if err := b.wantShape(b.out[0], extents); err != nil {
		return nil, err
	}
	return b.moveBox(x, y, extents, from, denseBox(extents))
}

// sliceRange clamps a slice of an axis of extent d, which is not 0, by the rules of ONNX: it returns the first element,
// the step, which is not 0, and the number of elements.
func sliceRange(d, start, end, step int64) (first, by, n int64) {
	if d == 0 {
		return 0, 1, 0
	}
	if start < 0 {
		start += d
	}
	if end < 0 {
		end += d
	}
	if step > 0 {
		start, end, step = min(max(start, 0), d), min(max(end, 0), d), min(step, d)
		return start, step, max(end-start+step-1, 0) / step
	}
	start, end, step = min(max(start, 0), d-1), min(max(end, -1), d-1), max(step, -d)
	return start, step, max(start-end-step-1, 0) / -step
}
