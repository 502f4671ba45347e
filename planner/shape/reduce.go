package shape

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// reduce: the axes of the second input become 1, or go with keepdims = 0; all of them when there is no second input.
func reduce(n *node) ([]array.Type, error) {
	keep, err := n.flagAttr("keepdims", true)
	if err != nil {
		return nil, err
	}
	list, err := n.optionalVector(1)
	if err != nil {
		return nil, err
	}
	noop, err := n.flagAttr("noop_with_empty_axes", false)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 && noop {
		return same(n)
	}
	axes, err := n.axes(list, n.rank(0), n.operand(0))
	if err != nil {
		return nil, err
	}
	drop := make([]bool, n.rank(0))
	for _, axis := range axes {
		drop[axis] = true
	}
	for axis := range drop {
		drop[axis] = drop[axis] || len(list) == 0
	}
	return one(n.dtype(0), reduced(n.shape(0), drop, keep)), nil
}

// optionalVector returns the integers of input i, nil when it is absent.
func (n *node) optionalVector(i int) ([]int64, error) {
	if !n.has(i) {
		return nil, nil
	}
	if n.rank(i) == 0 {
		return n.ints(i) // TFLite has a scalar for a single axis
	}
	return n.vector(i)
}

// reduced returns the shape with the marked axes of extent 1, or without them.
func reduced(s graph.Shape, drop []bool, keep bool) graph.Shape {
	out := make(graph.Shape, 0, len(s))
	for axis, e := range s {
		switch {
		case !drop[axis]:
			out = append(out, e)
		case keep:
			out = append(out, 1)
		}
	}
	return out
}

// argument: as reduce over one axis; the output holds indices.
func argument(n *node) ([]array.Type, error) {
	axis, err := n.axisAttr("axis", 0, 0)
	if err != nil {
		return nil, err
	}
	keep, err := n.flagAttr("keepdims", true)
	if err != nil {
		return nil, err
	}
	drop := make([]bool, n.rank(0))
	drop[axis] = true
	return one(n.indexType(0), reduced(n.shape(0), drop, keep)), nil
}

// topK: the axis gets the extent K of the second input; the second output holds indices.
func topK(n *node) ([]array.Type, error) {
	axis, err := n.axisAttr("axis", -1, 0)
	if err != nil {
		return nil, err
	}
	k, err := n.integer(1)
	if err != nil {
		return nil, err
	}
	if extent := n.shape(0)[axis]; k < 0 || k > extent {
		return nil, n.fault(diag.InvalidOperandValue, "takes the first %d of axis %d of %s, which has %d elements. Correct %s.", k, axis, n.operand(0), extent, n.name(1))
	}
	out := n.shape(0).Clone()
	out[axis] = k
	return []array.Type{{DType: n.dtype(0), Shape: out}, {DType: n.indexType(1), Shape: out.Clone()}}, nil
}
