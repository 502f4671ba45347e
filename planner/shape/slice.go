package shape

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// slice: starts, ends, axes and steps are inputs; bounds are clamped to the axis, as numpy does.
func slice(n *node) ([]array.Type, error) {
	starts, err := n.vector(1)
	if err != nil {
		return nil, err
	}
	ends, err := n.wantList(2, len(starts))
	if err != nil {
		return nil, err
	}
	axes, err := n.sliceAxes(len(starts))
	if err != nil {
		return nil, err
	}
	steps := repeat(1, len(starts))
	if n.has(4) {
		if steps, err = n.wantList(4, len(starts)); err != nil {
			return nil, err
		}
	}
	out := n.shape(0).Clone()
	for i, axis := range axes {
		if steps[i] == 0 {
			return nil, n.fault(diag.InvalidOperandValue, "slices axis %d of %s by a step of 0. Correct %s.", axis, n.operand(0), n.name(4))
		}
		out[axis] = sliceExtent(out[axis], starts[i], ends[i], steps[i])
	}
	return one(n.dtype(0), out), nil
}

// wantList returns the integers of input i, which must be given and have the same number of values as the starts.
func (n *node) wantList(i, count int) ([]int64, error) {
	list, err := n.vector(i)
	if err == nil && len(list) != count {
		err = n.fault(diag.InvalidOperandValue, "reads %d values from %s where %s has %d. Correct one of the two.", len(list), n.name(i), n.name(1), count)
	}
	return list, err
}

// sliceAxes returns the axes that are sliced: those of the fourth input, the first ones when it is absent.
func (n *node) sliceAxes(count int) ([]int, error) {
	list := make([]int64, 0, min(count, MaxRank+1))
	for axis := range cap(list) {
		list = append(list, int64(axis))
	}
	if n.has(3) {
		var err error
		if list, err = n.wantList(3, count); err != nil {
			return nil, err
		}
	}
	return n.axes(list, n.rank(0), n.operand(0))
}

// sliceExtent counts start, start+step, ... before end, in an axis of the given extent. Negative bounds count from the
// end; both are clamped, the start of a backward slice to an element. step is not 0.
func sliceExtent(extent, start, end, step int64) int64 {
	var distance int64
	if step > 0 {
		distance = clampBound(end, extent, 0, extent) - clampBound(start, extent, 0, extent)
	} else {
		distance = clampBound(start, extent, 0, extent-1) - clampBound(end, extent, -1, extent-1)
	}
	if distance <= 0 || extent == 0 {
		return 0
	}
	return int64((uint64(distance)-1)/magnitude(step)) + 1
}

func clampBound(at, extent, low, high int64) int64 {
	if at < 0 {
		at += extent
	}
	return max(low, min(at, high))
}

// extentOf: the extents of the input's axes from "start" to before "end".
func extentOf(n *node) ([]array.Type, error) {
	rank := int64(n.rank(0))
	start, err := n.intAttr("start", 0)
	if err != nil {
		return nil, err
	}
	end, err := n.intAttr("end", rank)
	if err != nil {
		return nil, err
	}
	start, end = clampBound(start, rank, 0, rank), clampBound(end, rank, 0, rank)
	extents := n.shape(0)[start:max(start, end)]
	n.fixed = true
	typ := array.Type{DType: n.indexType(0), Shape: graph.Shape{int64(len(extents))}}
	n.results[0] = intArray(typ, extents)
	return []array.Type{typ}, nil
}

// sizeOf: the number of elements of the input.
func sizeOf(n *node) ([]array.Type, error) {
	count, _ := n.shape(0).Elements()
	n.fixed = true
	typ := array.Type{DType: n.indexType(0), Shape: graph.Shape{}}
	n.results[0] = intArray(typ, []int64{count})
	return []array.Type{typ}, nil
}

// intArray returns an int64 or int32 array, nil when a value does not fit.
func intArray(typ array.Type, values []int64) *array.Array {
	if typ.DType == graph.Int64 {
		a, err := array.Of(typ.Shape, values...)
		return orNil(a, err)
	}
	narrow := make([]int32, len(values))
	for i, v := range values {
		if narrow[i] = int32(v); int64(narrow[i]) != v {
			return nil
		}
	}
	a, err := array.Of(typ.Shape, narrow...)
	return orNil(a, err)
}

func orNil(a *array.Array, err error) *array.Array {
	if err != nil {
		return nil
	}
	return a
}
