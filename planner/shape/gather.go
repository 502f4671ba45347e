package shape

import (
	"math"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// gather: the axis is replaced by the axes of the indices.
func gather(n *node) ([]array.Type, error) {
	axis, err := n.axisAttr("axis", 0, 0)
	if err != nil {
		return nil, err
	}
	if err := n.wantInteger(1); err != nil {
		return nil, err
	}
	s := n.shape(0)
	return one(n.dtype(0), slices.Concat(graph.Shape{}, s[:axis], n.shape(1), s[axis+1:])), nil
}

// gatherElements: the output has the shape of the indices, which is within the data's but for the axis.
func gatherElements(n *node) ([]array.Type, error) {
	if err := n.wantElementIndices(1); err != nil {
		return nil, err
	}
	return one(n.dtype(0), n.shape(1).Clone()), nil
}

// scatterElements: the output is as the data; the updates have the shape of the indices.
func scatterElements(n *node) ([]array.Type, error) {
	if err := n.wantElementIndices(1); err != nil {
		return nil, err
	}
	return n.scattered(n.shape(1))
}

// wantElementIndices checks indices that have the data's rank and are not longer on any axis but the chosen one.
func (n *node) wantElementIndices(i int) error {
	axis, err := n.axisAttr("axis", 0, 0)
	if err != nil {
		return err
	}
	if err := n.wantInteger(i); err != nil {
		return err
	}
	if err := n.wantRank(i, n.rank(0)); err != nil {
		return err
	}
	for k, e := range n.shape(i) {
		if k != axis && e > n.shape(0)[k] {
			return n.fault(diag.ExtentMismatch, "indexes %s by %s, which has %d elements on axis %d where the most is %d. Correct the indices.",
				n.operand(0), n.operand(i), e, k, n.shape(0)[k])
		}
	}
	return nil
}

// scattered: the output is as the data, if the updates have the shape that the indices ask for.
func (n *node) scattered(want graph.Shape) ([]array.Type, error) {
	if !n.shape(2).Equal(want) {
		return nil, n.fault(diag.ExtentMismatch, "writes the updates %s where its indices %s ask for %s. Correct one of the two.", n.operand(2), n.operand(1), want)
	}
	if err := n.wantSameType(0, 2); err != nil {
		return nil, err
	}
	return same(n)
}

// gatherND: the last axis of the indices counts through axes of the data, after the common batch axes.
func gatherND(n *node) ([]array.Type, error) {
	batch, err := n.intAttr("batch_dims", 0)
	if err != nil {
		return nil, err
	}
	shape, err := n.tupleShape(batch)
	return one(n.dtype(0), shape), err
}

// scatterND: the output is as the data; the updates have the shape that GatherND would give.
func scatterND(n *node) ([]array.Type, error) {
	want, err := n.tupleShape(0)
	if err != nil {
		return nil, err
	}
	return n.scattered(want)
}

// tupleShape returns the shape that index tuples, on the last axis of input 1, pick from input 0.
func (n *node) tupleShape(batch int64) (graph.Shape, error) {
	for i := range 2 {
		if err := n.wantMinRank(i, 1); err != nil {
			return nil, err
		}
	}
	if err := n.wantInteger(1); err != nil {
		return nil, err
	}
	data, indices := n.shape(0), n.shape(1)
	last := len(indices) - 1
	if batch < 0 || batch > int64(last) || batch > int64(len(data)) {
		return nil, n.fault(diag.InvalidAttribute, "has %d batch axes; %s and %s do not have so many. Correct the attribute batch_dims.", batch, n.operand(0), n.operand(1))
	}
	for axis := range int(batch) {
		if err := n.wantExtent(1, axis, data[axis], "it is a batch axis of "+n.operand(0)); err != nil {
			return nil, err
		}
	}
	tuple := indices[last]
	if tuple > int64(len(data))-batch {
		return nil, n.fault(diag.ExtentMismatch, "picks from %s by tuples of %d indices, on the last axis of %s: it has not so many axes. Correct the indices.", n.operand(0), tuple, n.operand(1))
	}
	return slices.Concat(graph.Shape{}, indices[:last], data[batch+tuple:]), nil
}

// oneHot: a new axis of the extent in the second input; the third has the values off and on.
func oneHot(n *node) ([]array.Type, error) {
	depth, err := n.depth()
	if err != nil {
		return nil, err
	}
	if err := n.wantVector(2, 2, "a value for off and one for on"); err != nil {
		return nil, err
	}
	v, err := n.intAttr("axis", -1)
	if err != nil {
		return nil, err
	}
	axis, err := n.axis(v, n.rank(0)+1, "its output")
	if err != nil {
		return nil, err
	}
	return one(n.dtype(2), slices.Insert(n.shape(0).Clone(), axis, depth)), nil
}

// depth returns the extent of the new axis of OneHot, which may be given as a real number.
func (n *node) depth() (int64, error) {
	list, err := n.floats(1)
	if err != nil {
		return 0, err
	}
	if len(list) != 1 || !(list[0] >= 0 && list[0] < math.MaxInt64) {
		return 0, n.fault(diag.InvalidOperandValue, "has the depth %v, from %s, which must be one number of at least 0. Correct that input.", list, n.operand(1))
	}
	return int64(list[0]), nil
}
