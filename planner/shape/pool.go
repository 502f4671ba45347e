package shape

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// pool: a window slides over the spatial axes of [N, C, D...]; MaxPool has the indices as second output.
func pool(n *node) ([]array.Type, error) {
	l, err := n.layoutOf(0)
	if err != nil {
		return nil, err
	}
	if err := n.wantMinRank(0, 3); err != nil {
		return nil, err
	}
	w, err := n.windowOf(l.rank-2, nil)
	if err != nil {
		return nil, err
	}
	space, err := n.slide(w, 0, l)
	if err != nil {
		return nil, err
	}
	shape := l.shape(n.shape(0)[0], n.shape(0)[l.channel], space)
	return []array.Type{{DType: n.dtype(0), Shape: shape}, {DType: n.indexType(1), Shape: shape.Clone()}}, nil
}

// globalPool: each spatial axis becomes 1.
func globalPool(n *node) ([]array.Type, error) {
	l, err := n.layoutOf(0)
	if err != nil {
		return nil, err
	}
	return one(n.dtype(0), l.shape(n.shape(0)[0], n.shape(0)[l.channel], repeat(1, l.rank-2))), nil
}

// maxUnpool: the smallest input of the pooling, or the shape given as third input.
func maxUnpool(n *node) ([]array.Type, error) {
	l, err := n.layoutOf(0)
	if err != nil {
		return nil, err
	}
	if !n.shape(0).Equal(n.shape(1)) {
		return nil, n.fault(diag.ExtentMismatch, "reads the indices %s for %s; the two must have one shape. Correct one of them.", n.operand(1), n.operand(0))
	}
	if n.has(2) {
		shape, err := n.extentsInput(2)
		if err != nil {
			return nil, err
		}
		return one(n.dtype(0), shape), nil
	}
	if err := n.wantMinRank(0, 3); err != nil {
		return nil, err
	}
	w, err := n.windowOf(l.rank-2, nil)
	if err != nil {
		return nil, err
	}
	space, err := n.unslide(w, l)
	if err != nil {
		return nil, err
	}
	return one(n.dtype(0), l.shape(n.shape(0)[0], n.shape(0)[l.channel], space)), nil
}

// roiAlign: [N, C, H, W] and R regions give [R, C, output_height, output_width].
func roiAlign(n *node) ([]array.Type, error) {
	height, err := n.positiveAttr("output_height", 1)
	if err != nil {
		return nil, err
	}
	width, err := n.positiveAttr("output_width", 1)
	if err != nil {
		return nil, err
	}
	if err := n.wantRegions(4); err != nil {
		return nil, err
	}
	if err := n.wantVector(2, n.shape(1)[0], "one batch index for each region"); err != nil {
		return nil, err
	}
	return one(n.dtype(0), graph.Shape{n.shape(1)[0], n.shape(0)[1], height, width}), nil
}

// maxRoiPool: as roiAlign, with the extents in pooled_shape and the batch index in the regions.
func maxRoiPool(n *node) ([]array.Type, error) {
	extents, err := n.listAttr("pooled_shape", 2, 1, 0)
	if err != nil {
		return nil, err
	}
	if extents[0] == 0 {
		return nil, n.fault(diag.InvalidAttribute, "lacks the attribute pooled_shape. Correct the op.")
	}
	if err := n.wantRegions(5); err != nil {
		return nil, err
	}
	return one(n.dtype(0), graph.Shape{n.shape(1)[0], n.shape(0)[1], extents[0], extents[1]}), nil
}

// wantRegions checks data of rank 4 and regions of the given number of coordinates.
func (n *node) wantRegions(coordinates int64) error {
	if err := n.wantRank(0, 4); err != nil {
		return err
	}
	if err := n.wantRank(1, 2); err != nil {
		return err
	}
	return n.wantExtent(1, 1, coordinates, "the coordinates of a region")
}

// positiveAttr returns an integer attribute of at least 1.
func (n *node) positiveAttr(name string, def int64) (int64, error) {
	v, err := n.intAttr(name, def)
	if err == nil && v < 1 {
		err = n.fault(diag.InvalidAttribute, "has %d in the attribute %s, the least is 1. Correct the attribute.", v, name)
	}
	return v, err
}
