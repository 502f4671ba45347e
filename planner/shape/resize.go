package shape

import (
	"math"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// resize: the inputs are data, regions, scales and sizes; one of the last two is given, for all axes or those of the
// attribute axes.
func resize(n *node) ([]array.Type, error) {
	axes, err := n.resizeAxes()
	if err != nil {
		return nil, err
	}
	var out graph.Shape
	switch {
	case n.filled(3):
		out, err = n.resizeTo(axes)
	case n.filled(2):
		out, err = n.resizeBy(2, axes)
	default:
		err = n.fault(diag.MissingOperand, "has neither scales nor sizes. Correct the op.")
	}
	return one(n.dtype(0), out), err
}

// filled reports whether input i is given and has elements: older files mark absent inputs by empty ones.
func (n *node) filled(i int) bool {
	if !n.has(i) {
		return false
	}
	count, _ := n.shape(i).Elements()
	return count > 0
}

// resizeAxes returns the axes of the attribute axes, all of them when it is absent.
func (n *node) resizeAxes() ([]int, error) {
	list, err := n.intsAttr("axes")
	if err != nil {
		return nil, err
	}
	if list == nil {
		return allAxes(n.rank(0)), nil
	}
	return n.axes(list, n.rank(0), n.operand(0))
}

// resizeTo applies sizes, by the policy for the aspect ratio.
func (n *node) resizeTo(axes []int) (graph.Shape, error) {
	sizes, err := n.extentsInput(3)
	if err != nil {
		return nil, err
	}
	if err := n.wantExtent(3, 0, int64(len(axes)), "one size for each axis that is resized"); err != nil {
		return nil, err
	}
	policy, err := n.stringAttr("keep_aspect_ratio_policy", "stretch")
	if err != nil {
		return nil, err
	}
	out := n.shape(0).Clone()
	if policy == "stretch" {
		for i, axis := range axes {
			out[axis] = sizes[i]
		}
		return out, nil
	}
	scale, err := n.commonScale(policy, axes, sizes)
	if err != nil {
		return nil, err
	}
	for _, axis := range axes {
		if out[axis], err = n.scaled(axis, math.Floor(scale*float64(out[axis])+0.5)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// commonScale returns the scale that makes every axis at most, or at least, the size asked for.
func (n *node) commonScale(policy string, axes []int, sizes []int64) (float64, error) {
	scale := math.NaN()
	for i, axis := range axes {
		s := float64(sizes[i]) / float64(max(n.shape(0)[axis], 1))
		switch {
		case math.IsNaN(scale):
			scale = s
		case policy == "not_larger":
			scale = min(scale, s)
		default:
			scale = max(scale, s)
		}
	}
	if policy != "not_larger" && policy != "not_smaller" {
		return 0, n.fault(diag.InvalidAttribute, "has the keep_aspect_ratio_policy %q; known are stretch, not_larger and not_smaller. Correct the attribute.", policy)
	}
	return scale, nil
}

// resizeBy applies scales, in single precision as the runtimes do; with tf_crop_and_resize the regions shrink the
// input first.
func (n *node) resizeBy(i int, axes []int) (graph.Shape, error) {
	if err := n.wantVector(i, int64(len(axes)), "one scale for each axis that is resized"); err != nil {
		return nil, err
	}
	scales, err := n.floats(i)
	if err != nil {
		return nil, err
	}
	crop, err := n.cropFactors(axes)
	if err != nil {
		return nil, err
	}
	out := n.shape(0).Clone()
	for k, axis := range axes {
		if !(scales[k] > 0) || math.IsInf(scales[k], 0) {
			return nil, n.fault(diag.InvalidOperandValue, "scales axis %d of %s by %g; scales are positive. Correct %s.", axis, n.operand(0), scales[k], n.name(i))
		}
		extent := math.Floor(float64(float32(out[axis]) * crop[k] * float32(scales[k])))
		if out[axis], err = n.scaled(axis, extent); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// cropFactors returns the part of each axis that the regions keep, 1 unless the mode is tf_crop_and_resize.
func (n *node) cropFactors(axes []int) ([]float32, error) {
	factors := make([]float32, len(axes))
	for i := range factors {
		factors[i] = 1
	}
	mode, err := n.stringAttr("coordinate_transformation_mode", "")
	if err != nil || mode != "tf_crop_and_resize" || !n.filled(1) {
		return factors, err
	}
	if err := n.wantVector(1, 2*int64(len(axes)), "begin and end of the region on each axis"); err != nil {
		return nil, err
	}
	region, err := n.floats(1)
	if err != nil {
		return nil, err
	}
	for i := range factors {
		factors[i] = float32(region[i+len(axes)]) - float32(region[i])
	}
	return factors, nil
}

// scaled returns a computed extent as an integer.
func (n *node) scaled(axis int, extent float64) (int64, error) {
	if !(extent >= 0) {
		return 0, n.fault(diag.InvalidOperandValue, "would write %g elements on axis %d of the result of %s. Correct its regions and scales.", extent, axis, n.operand(0))
	}
	if extent >= math.MaxInt64 {
		return 0, n.overflows(axis, n.shape(0))
	}
	return int64(extent), nil
}

// upsample: as resize, with the scales as second input.
func upsample(n *node) ([]array.Type, error) {
	out, err := n.resizeBy(1, allAxes(n.rank(0)))
	return one(n.dtype(0), out), err
}

// gridSample: [N, C, D...] and a grid [N, D'..., spatial rank] give [N, C, D'...].
func gridSample(n *node) ([]array.Type, error) {
	if err := n.wantMinRank(0, 3); err != nil {
		return nil, err
	}
	if err := n.wantRank(1, n.rank(0)); err != nil {
		return nil, err
	}
	x, grid := n.shape(0), n.shape(1)
	last := len(grid) - 1
	if err := n.wantExtent(1, 0, x[0], "the batch of "+n.operand(0)); err != nil {
		return nil, err
	}
	if err := n.wantExtent(1, last, int64(len(x)-2), "a coordinate for each spatial axis"); err != nil {
		return nil, err
	}
	return one(n.dtype(0), append(graph.Shape{x[0], x[1]}, grid[1:last]...)), nil
}

// affineGrid: theta [N, d, d+1] and a size [N, C, D...] give [N, D..., d].
func affineGrid(n *node) ([]array.Type, error) {
	if err := n.wantRank(0, 3); err != nil {
		return nil, err
	}
	size, err := n.extentsInput(1)
	if err != nil {
		return nil, err
	}
	if len(size) != 4 && len(size) != 5 {
		return nil, n.fault(diag.InvalidOperandValue, "is given the size %s by %s, which must have 4 or 5 values. Correct that input.", size, n.name(1))
	}
	if err := n.wantExtent(0, 0, size[0], "the batch of the size "+size.String()); err != nil {
		return nil, err
	}
	return one(n.dtype(0), append(append(graph.Shape{size[0]}, size[2:]...), int64(len(size)-2))), nil
}

// centerCropPad: the axes get the extents in the second input.
func centerCropPad(n *node) ([]array.Type, error) {
	axes, err := n.resizeAxes()
	if err != nil {
		return nil, err
	}
	target, err := n.extentsInput(1)
	if err != nil {
		return nil, err
	}
	if err := n.wantExtent(1, 0, int64(len(axes)), "one extent for each axis that changes"); err != nil {
		return nil, err
	}
	out := n.shape(0).Clone()
	for i, axis := range axes {
		out[axis] = target[i]
	}
	return one(n.dtype(0), out), nil
}
