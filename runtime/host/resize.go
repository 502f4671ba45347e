package host

import (
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// resize is Resize taken axis by axis: each pass makes the positions of one axis from weighted positions of the input.
//
//  1. The factor of each axis comes from scales or sizes.
//  2. Each output position is mapped to an input coordinate by coordinate_transformation_mode, in float64.
//  3. mode gives the neighbours and their weights; outside positions repeat the edge, or with exclude_outside count
//     nothing, or with tf_crop_and_resize make the whole position extrapolation_value.
//  4. One pass for each axis that changes, the outermost first, with intermediate results in the workspace.
//
// It costs O(elements · neighbours · axes).
type resize struct {
	mode, coordinates, nearest string
	cubic, extrapolation       float64
	excludeOutside, antialias  bool
	axes                       []resizeAxis
}

// resizeAxis is the pass along one axis.
type resizeAxis struct {
	axis    int
	in, out int
	// lo and hi are the region of interest, as fractions of the axis.
	lo, hi float64
	scale  float64
	// index and weight have taps neighbours for each output position; outside marks extrapolated ones.
	taps    int
	index   []int32
	weight  []float32
	outside []bool
}

// buildResize binds Resize in the modes nearest, linear and cubic with every coordinate transformation, on any axes.
func buildResize(b *site) (func() error, error) {
	x, err := b.need(0)
	if err != nil {
		return nil, err
	}
	y, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	if len(x.shape()) != len(y.shape()) {
		return nil, form.RefuseTensor(y.t, "rank %d does not resize rank %d", len(y.shape()), len(x.shape()))
	}
	if y.elements() == 0 {
		return func() error { return nil }, nil
	}
	r, err := newResize(b, x, y)
	if err != nil {
		return nil, err
	}
	src, err := b.floats(x)
	if err != nil {
		return nil, err
	}
	dst, err := b.resultFloats(y, false)
	if err != nil {
		return nil, err
	}
	tail, err := b.tail(nil)
	if err != nil {
		return nil, err
	}
	passes := r.passes(b, x.shape(), src, dst)
	return tail(func() {
		for _, pass := range passes {
			pass()
		}
	}), nil
}

func newResize(b *site, x, y *operand) (*resize, error) {
	a := b.op.Attrs
	r := &resize{
		mode: a.String("mode", "nearest"), coordinates: a.String("coordinate_transformation_mode", "half_pixel"),
		nearest: a.String("nearest_mode", "round_prefer_floor"), cubic: float64(a.Float("cubic_coeff_a", -0.75)),
		extrapolation:  float64(a.Float("extrapolation_value", 0)),
		excludeOutside: a.Int("exclude_outside", 0) != 0, antialias: a.Int("antialias", 0) != 0,
	}
	if err := r.known(); err != nil {
		return nil, err
	}
	for i, n := range x.shape() {
		r.axes = append(r.axes, resizeAxis{axis: i, in: int(n), out: int(y.shape()[i]), hi: 1, scale: float64(y.shape()[i]) / float64(n)})
	}
	if err := r.readOperands(b); err != nil {
		return nil, err
	}
	kept := r.axes[:0]
	for _, ax := range r.axes {
		if ax.in != ax.out || ax.scale != 1 || r.coordinates == "tf_crop_and_resize" && (ax.lo != 0 || ax.hi != 1) {
			if ax.in == 0 || !(ax.scale > 0) {
				return nil, form.RefuseTensor(x.t, "axis %d of %v cannot be resized by %v", ax.axis, x.shape(), ax.scale)
			}
			kept = append(kept, ax)
		}
	}
	r.axes = kept
	for i := range r.axes {
		r.fill(&r.axes[i])
	}
	return r, nil
}

// known refuses attribute values that have no meaning here.
func (r *resize) known() error {
	switch r.mode {
	case "nearest", "linear", "cubic":
	default:
		return form.Refuse("mode %q is not known, nearest, linear and cubic are", r.mode)
	}
	switch r.nearest {
	case "round_prefer_floor", "round_prefer_ceil", "floor", "ceil":
	default:
		return form.Refuse("nearest_mode %q is not known", r.nearest)
	}
	switch r.coordinates {
	case "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize":
		return nil
	}
	return form.Refuse("coordinate_transformation_mode %q is not known", r.coordinates)
}

// readOperands takes the region, the scales or the sizes of the axes that the attribute axes lists, or of all.
func (r *resize) readOperands(b *site) error {
	axes := b.op.Attrs.Ints("axes")
	if axes == nil {
		for i := range r.axes {
			axes = append(axes, int64(i))
		}
	}
	for i, a := range axes {
		if a < 0 {
			axes[i] = a + int64(len(r.axes))
		}
		if axes[i] < 0 || axes[i] >= int64(len(r.axes)) {
			return form.Refuse("axis %d does not exist in rank %d", a, len(r.axes))
		}
	}
	if r.coordinates == "tf_crop_and_resize" {
		if err := r.readRegion(b, axes); err != nil {
			return err
		}
	}
	scales, err := b.constantFloats(2)
	if err != nil || len(scales) > 0 {
		return r.takeScales(b, axes, scales, err)
	}
	return r.fitAspect(b, axes)
}

func (r *resize) takeScales(b *site, axes []int64, scales []float64, err error) error {
	if err != nil {
		return err
	}
	if len(scales) != len(axes) {
		return form.RefuseTensor(b.in[2].t, "%d scales are given for %d axes", len(scales), len(axes))
	}
	for i, a := range axes {
		r.axes[a].scale = scales[i]
	}
	return nil
}

// readRegion reads the starts of all axes, then their ends.
func (r *resize) readRegion(b *site, axes []int64) error {
	roi, err := b.constantFloats(1)
	if err != nil {
		return err
	}
	if len(roi) != 2*len(axes) {
		return form.Refuse("tf_crop_and_resize needs a region of %d values, %d are given", 2*len(axes), len(roi))
	}
	for i, a := range axes {
		r.axes[a].lo, r.axes[a].hi = roi[i], roi[i+len(axes)]
	}
	return nil
}

// fitAspect replaces the factors that sizes gave by their common one when the aspect ratio is kept.
func (r *resize) fitAspect(b *site, axes []int64) error {
	policy := b.op.Attrs.String("keep_aspect_ratio_policy", "stretch")
	if policy == "stretch" {
		return nil
	}
	sizes, err := b.constant(3)
	if err != nil {
		return err
	}
	if len(sizes) != len(axes) || policy != "not_larger" && policy != "not_smaller" {
		return form.Refuse("keep_aspect_ratio_policy %q with %d sizes for %d axes has no meaning", policy, len(sizes), len(axes))
	}
	common := 0.0
	for i, a := range axes {
		f := float64(sizes[i]) / float64(r.axes[a].in)
		if i == 0 || (policy == "not_larger") == (f < common) {
			common = f
		}
	}
	for _, a := range axes {
		r.axes[a].scale = common
	}
	return nil
}

// constantFloats returns the values of a constant operand, nil when it is absent or empty.
func (b *site) constantFloats(i int) ([]float64, error) {
	o := b.input(i)
	if o == nil || o.elements() == 0 {
		return nil, nil
	}
	if o.t.Role != graph.Constant {
		return nil, form.RefuseTensor(o.t, "the kernel needs a constant here, and the tensor is computed during the run; plan with the rewrite \"fold\"")
	}
	values, err := o.array().Floats()
	if err != nil {
		return nil, form.RefuseTensor(o.t, "%v", err)
	}
	return values, nil
}

// passes binds the passes to memory: the first reads src, the last writes dst.
func (r *resize) passes(b *site, shape graph.Shape, src, dst []float32) []func() {
	if len(r.axes) == 0 {
		return []func(){func() { copy(dst, src) }}
	}
	shape = shape.Clone()
	list := make([]func(), len(r.axes))
	for i := range r.axes {
		ax := &r.axes[i]
		g := around(shape, ax.axis, ax.axis+1)
		shape[ax.axis] = int64(ax.out)
		to := dst
		if i < len(r.axes)-1 {
			to = b.d.work.floats(g.outer * ax.out * g.inner)
		}
		list[i] = ax.pass(b, g, to, src, float32(r.extrapolation))
		src = to
	}
	return list
}

// pass makes the positions of one axis: a whole row of what lies inside of it at a time.
func (ax *resizeAxis) pass(b *site, g grid, dst, src []float32, extrapolation float32) func() {
	body := func(_, lo, hi int) {
		for item := lo; item < hi; item++ {
			o := item % ax.out
			to := dst[item*g.inner : (item+1)*g.inner]
			if ax.outside[o] {
				for i := range to {
					to[i] = extrapolation
				}
				continue
			}
			base := item / ax.out * g.n
			for k := range ax.taps {
				at := (base + int(ax.index[o*ax.taps+k])) * g.inner
				blend(to, src[at:at+g.inner], ax.weight[o*ax.taps+k], k == 0)
			}
		}
	}
	return func() { b.d.crew.Split(g.outer*ax.out, grain(g.inner*ax.taps), body) }
}

// blend adds a weighted row, or with first starts the sum with it.
func blend(dst, src []float32, weight float32, first bool) {
	if !first {
		addScaled(dst, src, weight)
		return
	}
	if weight == 1 {
		copy(dst, src)
		return
	}
	for i, v := range src {
		dst[i] = v * weight
	}
}

// coordinate maps an output position to the input, in positions.
func (r *resize) coordinate(ax *resizeAxis, o int) float64 {
	x, in, out := float64(o), float64(ax.in), float64(ax.out)
	switch r.coordinates {
	case "align_corners":
		if ax.out == 1 {
			return 0
		}
		return x * (in - 1) / (out - 1)
	case "asymmetric":
		return x / ax.scale
	case "tf_half_pixel_for_nn":
		return (x + 0.5) / ax.scale
	case "tf_crop_and_resize":
		if ax.out == 1 {
			return 0.5 * (ax.lo + ax.hi) * (in - 1)
		}
		return ax.lo*(in-1) + x*(ax.hi-ax.lo)*(in-1)/(out-1)
	case "pytorch_half_pixel":
		if ax.out == 1 {
			return 0
		}
	case "half_pixel_symmetric":
		return in/2*(1-out/(ax.scale*in)) + (x+0.5)/ax.scale - 0.5
	}
	return (x+0.5)/ax.scale - 0.5
}

// round chooses the position nearest to a coordinate.
func (r *resize) round(x float64) int {
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
