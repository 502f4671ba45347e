package array

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// dims returns the shape as ints. The arrays of kernels are checked, so that the product fits an int unless an axis is
// 0; loops over such an array do nothing.
func dims(s graph.Shape) []int {
	out := make([]int, len(s))
	for i, n := range s {
		out[i] = int(n)
	}
	return out
}

// extentsOf is the inverse of dims.
func extentsOf(dims []int) graph.Shape {
	s := make(graph.Shape, len(dims))
	for i, d := range dims {
		s[i] = int64(d)
	}
	return s
}

// strides returns the distance in elements between neighbours on each axis of a dense row-major array.
func strides(dims []int) []int {
	out := make([]int, len(dims))
	step := 1
	for i := len(dims) - 1; i >= 0; i-- {
		out[i] = step
		step *= dims[i]
	}
	return out
}

// product returns the number of elements of the axes, 1 for none.
func product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// axisOf maps an axis of a tensor of the rank, negative ones counting from the end, to [0, rank).
func axisOf(axis int64, rank int) (int, error) {
	if axis < -int64(rank) || axis >= int64(rank) {
		return 0, fmt.Errorf("axis %d is outside [%d, %d) of a tensor of rank %d", axis, -rank, rank, rank)
	}
	if axis < 0 {
		axis += int64(rank)
	}
	return int(axis), nil
}

// axisSet returns for each axis of the rank whether axes names it; it fails for an axis out of range or named twice.
func axisSet(axes []int64, rank int) ([]bool, error) {
	set := make([]bool, rank)
	for _, a := range axes {
		axis, err := axisOf(a, rank)
		if err != nil {
			return nil, err
		}
		if set[axis] {
			return nil, fmt.Errorf("axis %d is named twice", axis)
		}
		set[axis] = true
	}
	return set, nil
}

// lanes splits dims around the axis into the elements before, on and after it.
func lanes(dims []int, axis int) (outer, n, inner int) {
	return product(dims[:axis]), dims[axis], product(dims[axis+1:])
}

// broadcastStrides returns the strides with which an array of shape s is read once for each element of shape out: 0
// on the axes that s repeats. It fails when s does not broadcast to out.
func broadcastStrides(s, out graph.Shape) ([]int, error) {
	lead := len(out) - len(s)
	if lead < 0 {
		return nil, fmt.Errorf("shape %v does not broadcast to %v", s, out)
	}
	natural := strides(dims(s))
	result := make([]int, len(out))
	for i := range s {
		switch s[i] {
		case out[lead+i]:
			result[lead+i] = natural[i]
		case 1:
		default:
			return nil, fmt.Errorf("shape %v does not broadcast to %v", s, out)
		}
	}
	return result, nil
}

// input returns input i, nil when it is absent.
func input(inputs []*Array, i int) *Array {
	if i < len(inputs) {
		return inputs[i]
	}
	return nil
}

// intsOf returns the integers of input i, nil when it is absent.
func intsOf(inputs []*Array, i int) ([]int64, error) {
	a := input(inputs, i)
	if a == nil {
		return nil, nil
	}
	values, err := a.Ints()
	if err != nil {
		return nil, fmt.Errorf("input %d: %w", i, err)
	}
	return values, nil
}

// intOf returns the only integer of input i, or def when it is absent.
func intOf(inputs []*Array, i int, def int64) (int64, error) {
	if input(inputs, i) == nil {
		return def, nil
	}
	values, err := intsOf(inputs, i)
	if err != nil {
		return 0, err
	}
	if len(values) != 1 {
		return 0, fmt.Errorf("input %d holds %d values, not 1", i, len(values))
	}
	return values[0], nil
}

// sameDType fails unless all arrays that are present have one element type.
func sameDType(first *Array, others ...*Array) error {
	for _, o := range others {
		if o != nil && o.DType != first.DType {
			return fmt.Errorf("element types %v and %v differ", first.DType, o.DType)
		}
	}
	return nil
}

// wantShape fails unless out has the shape that the op gives it.
func wantShape(out *Array, want []int) error {
	same := len(want) == len(out.Shape)
	for i := 0; same && i < len(want); i++ {
		same = out.Shape[i] == int64(want[i])
	}
	if !same {
		return fmt.Errorf("the result has shape %v where %v was planned", extentsOf(want), out.Shape)
	}
	return nil
}
