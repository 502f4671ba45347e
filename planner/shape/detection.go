package shape

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// nonZero: [rank, K], K the number of elements that are not zero.
func nonZero(n *node) ([]array.Type, error) {
	rank := int64(max(n.rank(0), 1))
	if v, err := n.s.value(n.op.Inputs[0]); err == nil && v != nil {
		if count, ok := countNonZero(v); ok {
			n.steers[0] = true
			return one(n.indexType(0), graph.Shape{rank, count}), nil
		}
	}
	n.reason = "it is the number of elements that are not zero, known only when the graph runs"
	n.limit, _ = n.shape(0).Elements()
	return one(n.indexType(0), graph.Shape{rank, graph.Unknown}), nil
}

func countNonZero(v *array.Array) (int64, bool) {
	list, err := v.Floats()
	count := int64(0)
	for _, x := range list {
		if x != 0 {
			count++
		}
	}
	return count, err == nil
}

// nonMaxSuppression: [K, 3], K the number of boxes selected; at most max_output_boxes_per_class for each batch and
// class.
func nonMaxSuppression(n *node) ([]array.Type, error) {
	for i := range 2 {
		if err := n.wantRank(i, 3); err != nil {
			return nil, err
		}
	}
	if err := n.wantExtent(0, 2, 4, "the coordinates of a box"); err != nil {
		return nil, err
	}
	scores := n.shape(1)
	if err := n.wantExtent(0, 0, scores[0], "the batch of "+n.operand(1)); err != nil {
		return nil, err
	}
	if err := n.wantExtent(0, 1, scores[2], "the boxes of "+n.operand(1)); err != nil {
		return nil, err
	}
	n.reason = "it is the number of boxes selected, known only when the graph runs"
	perClass := scores[2]
	if n.has(2) {
		if most, err := n.integer(2); err == nil {
			perClass = min(perClass, max(most, 0))
		}
	}
	var c checked
	if n.limit = c.product([]int64{scores[0], scores[1], perClass}); c.overflow {
		n.limit = 0
	}
	return one(n.indexType(0), graph.Shape{graph.Unknown, 3}), nil
}

// compress: the elements, or the slices of an axis, that a condition keeps.
func compress(n *node) ([]array.Type, error) {
	if err := n.wantRank(1, 1); err != nil {
		return nil, err
	}
	out := graph.Shape{graph.Unknown}
	axis := 0
	if _, given := n.op.Attrs["axis"]; given {
		var err error
		if axis, err = n.axisAttr("axis", 0, 0); err != nil {
			return nil, err
		}
		out = n.shape(0).Clone()
		n.limit = out[axis]
		out[axis] = graph.Unknown
	} else {
		n.limit, _ = n.shape(0).Elements()
	}
	n.reason = "it is the number of elements that a condition keeps, known only when the graph runs"
	if v, err := n.s.value(n.op.Inputs[1]); err == nil && v != nil {
		if count, ok := countNonZero(v); ok {
			n.steers[1] = true
			out[axis] = count
		}
	}
	return one(n.dtype(0), out), nil
}

// unique: the distinct elements, or slices of an axis, with their places and counts.
func unique(n *node) ([]array.Type, error) {
	n.reason = "it is the number of distinct elements, known only when the graph runs"
	count, _ := n.shape(0).Elements()
	out := graph.Shape{graph.Unknown}
	inverse := count
	n.limit = count
	if _, given := n.op.Attrs["axis"]; given {
		axis, err := n.axisAttr("axis", 0, 0)
		if err != nil {
			return nil, err
		}
		out = n.shape(0).Clone()
		inverse, n.limit = out[axis], out[axis]
		out[axis] = graph.Unknown
	}
	return []array.Type{
		{DType: n.dtype(0), Shape: out},
		{DType: graph.Int64, Shape: graph.Shape{graph.Unknown}},
		{DType: graph.Int64, Shape: graph.Shape{inverse}},
		{DType: graph.Int64, Shape: graph.Shape{graph.Unknown}},
	}, nil
}
