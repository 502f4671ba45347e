package shape

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// transpose: the axes are permuted by "perm", reversed when it is absent.
func transpose(n *node) ([]array.Type, error) {
	rank := n.rank(0)
	perm, err := n.intsAttr("perm")
	if err != nil {
		return nil, err
	}
	if perm == nil {
		for axis := rank - 1; axis >= 0; axis-- {
			perm = append(perm, int64(axis))
		}
	}
	if len(perm) != rank {
		return nil, n.fault(diag.InvalidAttribute, "permutes the axes of %s by %d values in perm. Give one for each axis.", n.operand(0), len(perm))
	}
	axes, err := n.axes(perm, rank, n.operand(0))
	if err != nil {
		return nil, err
	}
	out := make(graph.Shape, rank)
	for i, axis := range axes {
		out[i] = n.shape(0)[axis]
	}
	return one(n.dtype(0), out), nil
}

// concat: the inputs are equal but for one axis, whose extents add up.
func concat(n *node) ([]array.Type, error) {
	if _, given := n.op.Attrs["axis"]; !given {
		return nil, n.fault(diag.InvalidAttribute, "lacks the attribute axis. Correct the op.")
	}
	axis, err := n.axisAttr("axis", 0, 0)
	if err != nil {
		return nil, err
	}
	out := n.shape(0).Clone()
	var c checked
	for i := 1; i < len(n.op.Inputs); i++ {
		if !n.has(i) {
			continue
		}
		if err := n.wantJoinable(i, axis); err != nil {
			return nil, err
		}
		out[axis] = c.add(out[axis], n.shape(i)[axis])
	}
	if c.overflow {
		return nil, n.overflows(axis, n.shape(0))
	}
	return one(n.dtype(0), out), nil
}

// wantJoinable fails unless input i equals the first in type and in all axes but one.
func (n *node) wantJoinable(i, axis int) error {
	if err := n.wantSameType(0, i); err != nil {
		return err
	}
	if err := n.wantRank(i, n.rank(0)); err != nil {
		return err
	}
	for k, e := range n.shape(0) {
		if k == axis {
			continue
		}
		if err := n.wantExtent(i, k, e, "it is joined to "+n.operand(0)); err != nil {
			return err
		}
	}
	return nil
}

// split: one axis is cut into the extents of the second input, or into parts as equal as they can be.
func split(n *node) ([]array.Type, error) {
	axis, err := n.axisAttr("axis", 0, 0)
	if err != nil {
		return nil, err
	}
	extent := n.shape(0)[axis]
	parts, err := n.splitSizes(axis, extent)
	if err != nil {
		return nil, err
	}
	types := make([]array.Type, len(parts))
	for i, size := range parts {
		types[i] = n.clone(0)
		types[i].Shape[axis] = size
	}
	return types, nil
}

func (n *node) splitSizes(axis int, extent int64) ([]int64, error) {
	if !n.has(1) {
		return n.equalParts(axis, extent)
	}
	sizes, err := n.vector(1)
	if err != nil {
		return nil, err
	}
	if len(sizes) != n.outputs() {
		return nil, n.fault(diag.OperandCount, "has %d outputs for the %d sizes in %s. Correct one of the two.", n.outputs(), len(sizes), n.name(1))
	}
	var c checked
	total := int64(0)
	for _, size := range sizes {
		if size < 0 {
			return nil, n.fault(diag.InvalidOperandValue, "splits into the sizes %v of %s, one of them negative. Correct that input.", sizes, n.name(1))
		}
		total = c.add(total, size)
	}
	if c.overflow || total != extent {
		return nil, n.fault(diag.InvalidOperandValue, "splits axis %d of %s, which has %d elements, into the sizes %v, which make up another number. Correct %s.",
			axis, n.operand(0), extent, sizes, n.name(1))
	}
	return sizes, nil
}

// equalParts cuts an extent into one part for each output. With num_outputs the last may be smaller.
func (n *node) equalParts(axis int, extent int64) ([]int64, error) {
	count, err := n.intAttr("num_outputs", int64(n.outputs()))
	if err != nil {
		return nil, err
	}
	if count != int64(n.outputs()) {
		return nil, n.fault(diag.OperandCount, "has %d outputs where num_outputs says %d. Correct one of the two.", n.outputs(), count)
	}
	part := divideUp(extent, count)
	_, uneven := n.op.Attrs["num_outputs"]
	if extent%count != 0 && (!uneven || extent-part*(count-1) < 0) {
		return nil, n.fault(diag.InvalidOperandValue, "splits axis %d of %s, which has %d elements, into %d parts, which cannot be equal. Give the sizes as an input.",
			axis, n.operand(0), extent, count)
	}
	parts := repeat(part, int(count))
	parts[count-1] = extent - part*(count-1)
	return parts, nil
}

// tile: each extent is multiplied.
func tile(n *node) ([]array.Type, error) {
	repeats, err := n.extentsInput(1)
	if err != nil {
		return nil, err
	}
	if err := n.wantExtent(1, 0, int64(n.rank(0)), "one repeat for each axis of "+n.operand(0)); err != nil {
		return nil, err
	}
	out := n.shape(0).Clone()
	for axis := range out {
		var c checked
		if out[axis] = c.mul(out[axis], repeats[axis]); c.overflow {
			return nil, n.overflows(axis, n.shape(0))
		}
	}
	return one(n.dtype(0), out), nil
}

// pad: the second input has the padding before each axis, then that after; of those axes that the fourth names.
// Negative padding crops.
func pad(n *node) ([]array.Type, error) {
	pads, err := n.vector(1)
	if err != nil {
		return nil, err
	}
	axes, err := n.axesInput(3)
	if err != nil {
		return nil, err
	}
	if len(pads) != 2*len(axes) {
		return nil, n.fault(diag.InvalidOperandValue, "reads %d values from %s, where %d axes need %d. Correct that input.", len(pads), n.name(1), len(axes), 2*len(axes))
	}
	out := n.shape(0).Clone()
	for i, axis := range axes {
		var c checked
		begin, end := pads[i], pads[i+len(axes)]
		if out[axis] = c.add(c.add(out[axis], begin), end); c.overflow {
			return nil, n.overflows(axis, n.shape(0))
		}
		if out[axis] < 0 {
			return nil, n.fault(diag.InvalidOperandValue, "pads axis %d of %s, which has %d elements, by %d + %d, which leaves less than none. Correct %s.",
				axis, n.operand(0), n.shape(0)[axis], begin, end, n.name(1))
		}
	}
	return one(n.dtype(0), out), nil
}

// axesInput returns the axes of input 0 that input i names, all of them when it is absent.
func (n *node) axesInput(i int) ([]int, error) {
	if !n.has(i) {
		return allAxes(n.rank(0)), nil
	}
	list, err := n.vector(i)
	if err != nil {
		return nil, err
	}
	return n.axes(list, n.rank(0), n.operand(0))
}

func allAxes(rank int) []int {
	axes := make([]int, rank)
	for axis := range axes {
		axes[axis] = axis
	}
	return axes
}
