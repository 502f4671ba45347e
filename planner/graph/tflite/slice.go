package tflite

import (
	"math"

	"github.com/memplan/memplan/planner/graph"
)

// slice converts SLICE: a size of -1 reaches to the end of its axis.
func (c *call) slice() bool {
	shape := c.shape(c.in(0))
	starts, ok := c.ints(1)
	sizes, sized := c.ints(2)
	if !ok || !sized || len(starts) != len(shape) || len(sizes) != len(shape) {
		return false
	}
	ends := make([]int64, len(shape))
	for axis, n := range shape {
		end := n
		if sizes[axis] >= 0 && starts[axis] >= 0 && starts[axis] <= n {
			end = starts[axis] + min(sizes[axis], n)
		}
		if starts[axis] < 0 || sizes[axis] < -1 || end > n {
			return false
		}
		ends[axis] = end
	}
	c.emitSlice("", starts, ends, nil, c.out(0))
	return true
}

// emitSlice slices every axis from the first on; steps is nil when all are 1.
func (c *call) emitSlice(suffix string, starts, ends, steps []int64, out graph.TensorID) {
	axes := make([]int64, len(starts))
	for i := range axes {
		axes[i] = int64(i)
	}
	inputs := ids(c.in(0), c.vector("starts", starts), c.vector("ends", ends), c.vector("axes", axes))
	if steps != nil {
		inputs = append(inputs, c.vector("steps", steps))
	}
	c.emit(suffix, "Slice", inputs, ids(out), nil)
}

// stridedSlice converts STRIDED_SLICE with constant bounds. Masks for new axes and for an ellipsis have no ONNX form.
func (c *call) stridedSlice() bool {
	o := c.options
	starts, ok1 := c.ints(1)
	ends, ok2 := c.ints(2)
	steps, ok3 := c.ints(3)
	ellipsis, newAxis, offset := o.i32(2, 0), o.i32(3, 0), o.flag(5)
	shape := c.shape(c.in(0))
	if !ok1 || !ok2 || !ok3 || ellipsis != 0 || newAxis != 0 || len(starts) > len(shape) ||
		len(ends) != len(starts) || len(steps) != len(starts) {
		return false
	}
	m := masks{begin: o.i32(0, 0), end: o.i32(1, 0), shrink: o.i32(4, 0)}
	var shrunk []int64
	sliced := shape.Clone()
	for axis := range starts {
		if offset {
			ends[axis] += starts[axis]
		}
		if !m.apply(axis, shape[axis], &starts[axis], &ends[axis], steps[axis]) {
			return false
		}
		sliced[axis] = sliceLength(shape[axis], starts[axis], ends[axis], steps[axis])
		if m.shrink&(1<<axis) != 0 {
			shrunk = append(shrunk, int64(axis))
		}
	}
	if len(shrunk) == 0 {
		c.emitSlice("", starts, ends, steps, c.out(0))
		return true
	}
	part := c.temporary("slice", c.dtype(c.out(0)), sliced)
	c.emitSlice("slice", starts, ends, steps, part)
	c.emit("", "Squeeze", ids(part, c.vector("squeeze/axes", shrunk)), ids(c.out(0)), nil)
	return true
}

// masks say by bit and axis which bounds are left out, and which axes are an index instead of a range.
type masks struct{ begin, end, shrink int32 }

// apply turns the bounds of one axis into those of ONNX, where a bound far outside means the end of the axis. It
// returns false for a step of 0 and for an index that the axis does not have.
func (m masks) apply(axis int, n int64, start, end *int64, step int64) bool {
	bit := int32(1) << axis
	if step == 0 || axis >= 31 {
		return false
	}
	if m.begin&bit != 0 {
		*start = 0
		if step < 0 {
			*start = math.MaxInt64
		}
	}
	if m.shrink&bit != 0 {
		if *start < 0 {
			*start += n
		}
		*end = *start + 1
		return step > 0 && *start >= 0 && *start < n
	}
	if m.end&bit != 0 {
		*end = math.MaxInt64
		if step < 0 {
			*end = math.MinInt64
		}
	}
	return true
}

// sliceLength returns the elements that a slice takes from an axis of n, by the rules of ONNX: bounds below zero count
// from the end, then both are clamped to the axis.
func sliceLength(n, start, end, step int64) int64 {
	if start < 0 {
		start += n
	}
	if end < 0 && end != math.MinInt64 {
		end += n
	}
	if step > 0 {
		start, end = min(max(start, 0), n), min(max(end, 0), n)
		return max(0, (end-start+step-1)/step)
	}
	start, end = min(max(start, 0), n-1), min(max(end, -1), n-1)
	return max(0, (start-end-step-1)/-step)
}

// gather converts GATHER without batch axes.
func (c *call) gather() bool {
	axis, ok := normalAxis(int64(c.options.i32(0, 0)), len(c.shape(c.in(0))))
	if !ok || c.options.i32(1, 0) != 0 {
		return false
	}
	c.emit("", "Gather", c.all(c.inputs), c.all(c.outputs), graph.Attrs{"axis": axis})
	return true
}
