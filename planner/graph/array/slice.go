package array

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// sliceKernels read boxes with steps.
var sliceKernels = map[string]entry{
	"Slice":           {kernel: slice, needed: 3, most: 5, outputs: 1},
	"ReverseSequence": {kernel: reverseSequence, needed: 2, most: 2, outputs: 1},
}

func slice(_ *graph.Op, outputs, inputs []*Array) error {
	in := inputs[0]
	var lists [4][]int64
	for i := range lists {
		values, err := intsOf(inputs, i+1)
		if err != nil {
			return err
		}
		lists[i] = values
	}
	starts, ends, axes, steps := lists[0], lists[1], lists[2], lists[3]
	if axes == nil {
		for i := range starts {
			axes = append(axes, int64(i))
		}
	}
	if len(ends) != len(starts) || len(axes) != len(starts) || (steps != nil && len(steps) != len(starts)) {
		return fmt.Errorf("%d starts, %d ends, %d axes and %d steps given", len(starts), len(ends), len(axes), len(steps))
	}
	if _, err := axisSet(axes, len(in.Shape)); err != nil {
		return err
	}
	extents, from := dims(in.Shape), dense(dims(in.Shape))
	for i, a := range axes {
		axis, err := axisOf(a, len(in.Shape))
		if err != nil {
			return err
		}
		step := int64(1)
		if steps != nil {
			step = steps[i]
		}
		start, step, n, err := sliceRange(in.Shape[axis], starts[i], ends[i], step)
		if err != nil {
			return err
		}
		from.offset += int(start) * from.strides[axis]
		from.strides[axis] *= int(step)
		extents[axis] = int(n)
	}
	if err := wantShape(outputs[0], extents); err != nil {
		return err
	}
	return move(outputs[0], dense(extents), in, from, extents)
}

// sliceRange clamps a slice of an axis of extent d as Slice does: it returns the first element, the step, and the
// number of elements.
func sliceRange(d, start, end, step int64) (first, by, n int64, err error) {
	if step == 0 {
		return 0, 0, 0, fmt.Errorf("a step is 0")
	}
	if d == 0 {
		return 0, 1, 0, nil
	}
	if start < 0 {
		start += d
	}
	if end < 0 {
		end += d
	}
	if step > 0 {
		start, end, step = min(max(start, 0), d), min(max(end, 0), d), min(step, d)
		if end <= start {
			return 0, step, 0, nil
		}
		return start, step, (end-start-1)/step + 1, nil
	}
	start, end, step = min(max(start, 0), d-1), min(max(end, -1), d-1), max(step, -d)
	if start <= end {
		return 0, step, 0, nil
	}
	return start, step, (start-end-1)/-step + 1, nil
}

// reverseSequence reverses the first lengths[b] elements on the time axis of each batch entry b.
func reverseSequence(op *graph.Op, outputs, inputs []*Array) error {
	out, in := outputs[0], inputs[0]
	rank := len(in.Shape)
	batch, err := axisOf(op.Attrs.Int("batch_axis", 1), rank)
	if err != nil {
		return err
	}
	time, err := axisOf(op.Attrs.Int("time_axis", 0), rank)
	if err != nil {
		return err
	}
	lengths, err := intsOf(inputs, 1)
	if err != nil {
		return err
	}
	if batch == time || int64(len(lengths)) != in.Shape[batch] {
		return fmt.Errorf("batch axis %d, time axis %d and %d lengths for shape %v", batch, time, len(lengths), in.Shape)
	}
	if err := wantShape(out, dims(in.Shape)); err != nil {
		return err
	}
	if err := copyElements(op, outputs, inputs); err != nil {
		return err
	}
	for b, n := range lengths {
		if n < 0 || n > in.Shape[time] {
			return fmt.Errorf("length %d is outside [0, %d]", n, in.Shape[time])
		}
		extents, to := dims(in.Shape), dense(dims(in.Shape))
		extents[batch], extents[time] = 1, int(n)
		to.offset = b * to.strides[batch]
		from := dense(dims(in.Shape))
		from.offset = to.offset + (int(n)-1)*from.strides[time]
		from.strides[time] = -from.strides[time]
		if err := move(out, to, in, from, extents); err != nil {
			return err
		}
	}
	return nil
}
