package form

import (
	"math"
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
)

// Resize is a Resize op taken axis by axis: each pass makes the positions of one axis from weighted positions of the
// input.
//
//  1. The factor of each axis comes from scales or sizes.
//  2. Each output position is mapped to an input coordinate by coordinate_transformation_mode, in float64.
//  3. mode gives the neighbours and their weights; outside positions repeat the edge, or with exclude_outside count
//     nothing, or with tf_crop_and_resize make the whole position extrapolation_value.
//  4. One pass for each axis that changes, the outermost first.
//
// It costs O(elements · neighbours · axes).
type Resize struct {
	// Mode is "nearest", "linear" or "cubic".
	Mode string
	// Extrapolation is the value of what lies outside.
	Extrapolation float32
	// Axes are those that change, outermost first.
	Axes []ResizeAxis

	coordinates, nearest      string
	cubic                     float64
	excludeOutside, antialias bool
}

// ResizeAxis is the pass along one axis.
type ResizeAxis struct {
	Axis    int
	In, Out int
	// Index and Weight have Taps neighbours for each output position; Outside marks extrapolated ones.
	Taps    int
	Index   []int32
	Weight  []float32
	Outside []bool

	// lo and hi are the region of interest, as fractions of the axis.
	lo, hi float64
	scale  float64
}

// Constants gives the values of a constant operand of an op, none when it is absent or empty, and refuses one that is
// computed in a run.
type Constants func(input int) ([]float64, error)

// ResizeOf reads a Resize in the modes nearest, linear and cubic with every coordinate transformation, on any axes, from
// x to y.
func ResizeOf(op *graph.Op, x, y *device.Tensor, constants Constants) (*Resize, error) {
	if len(x.Shape) != len(y.Shape) {
		return nil, RefuseTensor(y, "rank %d does not resize rank %d", len(y.Shape), len(x.Shape))
	}
	a := op.Attrs
	r := &Resize{
		Mode: a.String("mode", "nearest"), coordinates: a.String("coordinate_transformation_mode", "half_pixel"),
		nearest: a.String("nearest_mode", "round_prefer_floor"), cubic: float64(a.Float("cubic_coeff_a", -0.75)),
		Extrapolation:  a.Float("extrapolation_value", 0),
		excludeOutside: a.Int("exclude_outside", 0) != 0, antialias: a.Int("antialias", 0) != 0,
	}
	if err := r.known(); err != nil {
		return nil, err
	}
	for i, n := range x.Shape {
		r.Axes = append(r.Axes, ResizeAxis{Axis: i, In: int(n), Out: int(y.Shape[i]), hi: 1, scale: float64(y.Shape[i]) / float64(n)})
	}
	if err := r.readOperands(op, constants); err != nil {
		return nil, err
	}
	kept := r.Axes[:0]
	for _, ax := range r.Axes {
		if ax.In != ax.Out || ax.scale != 1 || r.coordinates == "tf_crop_and_resize" && (ax.lo != 0 || ax.hi != 1) {
			if ax.In == 0 || !(ax.scale > 0) {
				return nil, RefuseTensor(x, "axis %d of %v cannot be resized by %v", ax.Axis, x.Shape, ax.scale)
			}
			kept = append(kept, ax)
		}
	}
	r.Axes = kept
	for i := range r.Axes {
		r.fill(&r.Axes[i])
	}
	return r, nil
}

// known refuses attribute values that have no meaning here.
func (r *Resize) known() error {
	switch r.Mode {
	case "nearest", "linear", "cubic":
	default:
		return Refuse("mode %q is not known, nearest, linear and cubic are", r.Mode)
	}
	switch r.nearest {
	case "round_prefer_floor", "round_prefer_ceil", "floor", "ceil":
	default:
		return Refuse("nearest_mode %q is not known", r.nearest)
	}
	switch r.coordinates {
	case "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize":
		return nil
	}
	return Refuse("coordinate_transformation_mode %q is not known", r.coordinates)
}

// readOperands takes the region, the scales or the sizes of the axes that the attribute axes lists, or of all.
func (r *Resize) readOperands(op *graph.Op, constants Constants) error {
	axes := slices.Clone(op.Attrs.Ints("axes"))
	if axes == nil {
		for i := range r.Axes {
			axes = append(axes, int64(i))
		}
	}
	for i, a := range axes {
		if a < 0 {
			axes[i] = a + int64(len(r.Axes))
		}
		if axes[i] < 0 || axes[i] >= int64(len(r.Axes)) {
			return Refuse("axis %d does not exist in rank %d", a, len(r.Axes))
		}
	}
	if r.coordinates == "tf_crop_and_resize" {
		if err := r.readRegion(axes, constants); err != nil {
			return err
		}
	}
	scales, err := constants(2)
	if err != nil || len(scales) > 0 {
		return r.takeScales(axes, scales, err)
	}
	return r.fitAspect(op, axes, constants)
}

func (r *Resize) takeScales(axes []int64, scales []float64, err error) error {
	if err != nil {
		return err
	}
	if len(scales) != len(axes) {
		return Refuse("%d scales are given for %d axes", len(scales), len(axes))
	}
	for i, a := range axes {
		r.Axes[a].scale = scales[i]
	}
	return nil
}

// readRegion reads the starts of all axes, then their ends.
func (r *Resize) readRegion(axes []int64, constants Constants) error {
	roi, err := constants(1)
	if err != nil {
		return err
	}
	if len(roi) != 2*len(axes) {
		return Refuse("tf_crop_and_resize needs a region of %d values, %d are given", 2*len(axes), len(roi))
	}
	for i, a := range axes {
		r.Axes[a].lo, r.Axes[a].hi = roi[i], roi[i+len(axes)]
	}
	return nil
}

// fitAspect replaces the factors that sizes gave by their common one when the aspect ratio is kept.
func (r *Resize) fitAspect(op *graph.Op, axes []int64, constants Constants) error {
	policy := op.Attrs.String("keep_aspect_ratio_policy", "stretch")
	if policy == "stretch" {
		return nil
	}
	sizes, err := constants(3)
	if err != nil {
		return err
	}
	if len(sizes) != len(axes) || policy != "not_larger" && policy != "not_smaller" {
		return Refuse("keep_aspect_ratio_policy %q with %d sizes for %d axes has no meaning", policy, len(sizes), len(axes))
	}
	common := 0.0
	for i, a := range axes {
		f := sizes[i] / float64(r.Axes[a].In)
		if i == 0 || (policy == "not_larger") == (f < common) {
			common = f
		}
	}
	for _, a := range axes {
		r.Axes[a].scale = common
	}
	return nil
}

// coordinate maps an output position to the input, in positions.
func (r *Resize) coordinate(ax *ResizeAxis, o int) float64 {
	x, in, out := float64(o), float64(ax.In), float64(ax.Out)
	switch r.coordinates {
	case "align_corners":
		if ax.Out == 1 {
			return 0
		}
		return x * (in - 1) / (out - 1)
	case "asymmetric":
		return x / ax.scale
	case "tf_half_pixel_for_nn":
		return (x + 0.5) / ax.scale
	case "tf_crop_and_resize":
		if ax.Out == 1 {
			return 0.5 * (ax.lo + ax.hi) * (in - 1)
		}
		return ax.lo*(in-1) + x*(ax.hi-ax.lo)*(in-1)/(out-1)
	case "pytorch_half_pixel":
		if ax.Out == 1 {
			return 0
		}
	case "half_pixel_symmetric":
		return in/2*(1-out/(ax.scale*in)) + (x+0.5)/ax.scale - 0.5
	}
	return (x+0.5)/ax.scale - 0.5
}

// round chooses the position nearest to a coordinate.
func (r *Resize) round(x float64) int {
	switch r.nearest {
	case "floor":
		return int(math.Floor(x))
	case "ceil":
		return int(math.Ceil(x))
	case "round_prefer_ceil":
		return int(math.Floor(x + 0.5))
	}
	return int(math.Ceil(x - 0.5))
}
