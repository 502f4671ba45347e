package opencl

import (
	"slices"

	"github.com/memplan/memplan/runtime/form"
)

// viewResizeBuilders change the number of pixels on texels.
var viewResizeBuilders = map[string]viewBuilder{"Resize": viewResize}

// viewResize binds Resize along the axes of pixels.
func viewResize(b *site) ([]launch, bool, error) {
	x, y := b.input(0), b.result(0)
	if x == nil || y == nil || b.overlaps(y, false) {
		return nil, false, nil
	}
	order := b.arrangement(y)
	if order == nil || len(x.shape()) != len(order) {
		return nil, false, nil
	}
	r, err := form.ResizeOf(b.op, x.t, y.t, b.constantNumbers)
	if err != nil {
		return nil, false, err
	}
	in, out := order.extents(x.shape()), order.extents(y.shape())
	from, to := b.view(x, in, false), b.view(y, out, false)
	tail, ok := b.viewTail(y, slices.Index(order, out.lanes))
	t, along := pixelTaps(r, order, out)
	if from == nil || to == nil || !ok || !along {
		return nil, false, nil
	}
	end, err := tail.endOf(b, out)
	if end == nil {
		return nil, false, err
	}
	tables, err := b.upload(t.index)
	if err != nil {
		return nil, false, err
	}
	weights, err := b.uploadFloats(t.weight)
	if err != nil {
		return nil, false, err
	}
	return b.texelLaunch(viewSource("view_resize", from, nil, end.other, to), "resize_view", out.size(), []*view{from}, to, end.args,
		tables, weights, out.numbers(), ints8(t.taps[0], t.taps[1], t.taps[2], t.places[0], t.places[1], t.places[2]))
}

// taps are the neighbours of every position along each axis of pixels.
type taps struct {
	index        []int32
	weight       []float32
	taps, places form.Dims
}

// pixelTaps gathers the passes of a Resize; false when one is along another axis or extrapolates.
func pixelTaps(r *form.Resize, order arrangement, out extents) (*taps, bool) {
	t := &taps{}
	for i := range form.Spatial {
		t.taps[i], t.places[i] = 1, len(t.index)
		pass := slices.IndexFunc(r.Axes, func(a form.ResizeAxis) bool { return order[a.Axis] == 2+i })
		if pass < 0 {
			for o := range out.count[2+i] {
				t.index, t.weight = append(t.index, int32(o)), append(t.weight, 1)
			}
			continue
		}
		a := &r.Axes[pass]
		if slices.Contains(a.Outside, true) {
			return nil, false
		}
		t.taps[i] = a.Taps
		t.index, t.weight = append(t.index, a.Index...), append(t.weight, a.Weight...)
	}
	other := slices.ContainsFunc(r.Axes, func(a form.ResizeAxis) bool { return order[a.Axis] < 2 })
	return t, !other
}
