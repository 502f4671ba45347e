package shape

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// reshape: the second input is the shape; 0 copies the input's extent (unless allowzero), one -1 takes what is left.
func reshape(n *node) ([]array.Type, error) {
	target, err := n.vector(1)
	if err != nil {
		return nil, err
	}
	allowZero, err := n.flagAttr("allowzero", false)
	if err != nil {
		return nil, err
	}
	out, err := n.reshapeTo(target, allowZero)
	return one(n.dtype(0), out), err
}

// reshapeTo resolves a target shape against input 0. An extent that is copied cancels out before the open one is
// divided, so that an input without elements keeps its meaning: [0, 4, 5] to (0, -1) is [0, 20].
func (n *node) reshapeTo(target []int64, allowZero bool) (graph.Shape, error) {
	in := n.shape(0)
	out := make(graph.Shape, len(target))
	copied := make([]bool, len(in))
	open := -1
	for i, e := range target {
		out[i] = e
		switch {
		case e < -1, e == -1 && open >= 0:
			return nil, n.fault(diag.InvalidOperandValue, "reshapes to %v from %s: an extent is 0 or more, and one of them -1. Correct that input.", target, n.name(1))
		case e == -1:
			open = i
		case e == 0 && !allowZero:
			if i >= len(in) {
				return nil, n.fault(diag.AxisOutOfRange, "copies axis %d of %s, which has %d axes, by the 0 in its target %v. Correct the target.", i, n.operand(0), len(in), target)
			}
			out[i], copied[i] = in[i], true
		}
	}
	if open >= 0 {
		extent, err := n.openExtent(target, in, copied, allowZero)
		if err != nil {
			return nil, err
		}
		out[open] = extent
	}
	return out, n.wantElements(out, target)
}

// openExtent returns the extent that -1 stands for.
func (n *node) openExtent(target []int64, in graph.Shape, copied []bool, allowZero bool) (int64, error) {
	var c checked
	var left, given []int64
	for axis, e := range in {
		if !copied[axis] {
			left = append(left, e)
		}
	}
	for _, e := range target {
		if e > 0 || e == 0 && allowZero {
			given = append(given, e)
		}
	}
	have, need := c.product(left), c.product(given)
	if c.overflow || need == 0 || have%need != 0 {
		return 0, n.fault(diag.ElementCountMismatch, "cannot reshape %s to %v: no extent for the -1 keeps the number of elements. Correct the target, or the dimension the model was exported for.",
			n.operand(0), target)
	}
	return have / need, nil
}

// wantElements fails when a shape has another number of elements than input 0.
func (n *node) wantElements(out graph.Shape, target []int64) error {
	have, _ := n.shape(0).Elements()
	need, ok := out.Elements()
	if ok && have == need {
		return nil
	}
	return n.fault(diag.ElementCountMismatch, "cannot reshape %s, which has %d elements, to %v. Correct the target, or the dimension the model was exported for.",
		n.operand(0), have, target)
}

// flatten: the axes before "axis" become the first, the rest the second.
func flatten(n *node) ([]array.Type, error) {
	v, err := n.intAttr("axis", 1)
	if err != nil {
		return nil, err
	}
	axis := n.rank(0)
	if v != int64(axis) {
		if axis, err = n.axis(v, n.rank(0), n.operand(0)); err != nil {
			return nil, err
		}
	}
	var c checked
	out := graph.Shape{c.product(n.shape(0)[:axis]), c.product(n.shape(0)[axis:])}
	if c.overflow {
		return nil, n.overflows(0, n.shape(0))
	}
	return one(n.dtype(0), out), nil
}

// squeeze: the axes of the second input, of extent 1, go; all such axes when there is no second input.
func squeeze(n *node) ([]array.Type, error) {
	list, err := n.optionalVector(1)
	if err != nil {
		return nil, err
	}
	axes, err := n.axes(list, n.rank(0), n.operand(0))
	if err != nil {
		return nil, err
	}
	drop := make([]bool, n.rank(0))
	for _, axis := range axes {
		if err := n.wantExtent(0, axis, 1, "the axis is squeezed"); err != nil {
			return nil, err
		}
		drop[axis] = true
	}
	for axis, e := range n.shape(0) {
		drop[axis] = drop[axis] || len(list) == 0 && e == 1
	}
	return one(n.dtype(0), reduced(n.shape(0), drop, false)), nil
}

// unsqueeze: the axes of the second input, counted in the output, are new, of extent 1.
func unsqueeze(n *node) ([]array.Type, error) {
	list, err := n.optionalVector(1)
	if err != nil {
		return nil, err
	}
	rank := n.rank(0) + len(list)
	if rank > MaxRank {
		return nil, n.fault(diag.TooManyAxes, "adds %d axes to %s, and the most that memplan plans for is %d. Correct %s.", len(list), n.operand(0), MaxRank, n.name(1))
	}
	axes, err := n.axes(list, rank, "its output")
	if err != nil {
		return nil, err
	}
	added := make([]bool, rank)
	for _, axis := range axes {
		added[axis] = true
	}
	out := make(graph.Shape, 0, rank)
	rest := n.shape(0)
	for axis := range rank {
		if added[axis] {
			out = append(out, 1)
			continue
		}
		out, rest = append(out, rest[0]), rest[1:]
	}
	return one(n.dtype(0), out), nil
}

// expand: the input and the shape in the second input are broadcast together.
func expand(n *node) ([]array.Type, error) {
	target, err := n.extentsInput(1)
	if err != nil {
		return nil, err
	}
	out, err := n.broadcast(target, 0)
	return one(n.dtype(0), out), err
}

// extentsInput returns a shape given as input i.
func (n *node) extentsInput(i int) (graph.Shape, error) {
	list, err := n.vector(i)
	if err != nil {
		return nil, err
	}
	for axis, e := range list {
		if e < 0 {
			return nil, n.fault(diag.InvalidOperandValue, "is given the shape %v by %s, with %d elements on axis %d; the least is 0. Correct that input.", list, n.name(i), e, axis)
		}
	}
	return append(make(graph.Shape, 0, len(list)), list...), nil
}
