package opencl

import (
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/texels"
)

// viewMoveBuilders move texels.
var viewMoveBuilders = map[string]viewBuilder{"Pad": viewPad, "Concat": viewConcat}

// viewPad binds Pad in every mode, of channels too.
func viewPad(b *site) ([]launch, bool, error) {
	x, y := b.input(0), b.result(0)
	if x == nil || y == nil || b.overlaps(y, false) {
		return nil, false, nil
	}
	order := b.arrangement(y)
	if order == nil || len(x.shape()) != len(order) {
		return nil, false, nil
	}
	before, err := b.padding(x.shape(), y.shape())
	if err != nil {
		return nil, false, err
	}
	mode, fill := b.op.Attrs.String("mode", "constant"), float32(0)
	if o := b.input(2); o != nil && mode == "constant" {
		values, ok, err := b.contents(o)
		if err != nil || !ok || len(values) != 1 {
			return nil, false, err
		}
		fill = values[0]
	}
	var sources [viewAxes][]int32
	for i, axis := range order {
		for o := range y.shape()[i] {
			at, d := int(o-before[i]), int(x.shape()[i])
			if mode != "constant" {
				var ok bool
				if at, ok = padSource(mode, at, d); !ok || d == 0 {
					return nil, false, form.Refuse("mode %q is not known, or axis %d has nothing to repeat", mode, i)
				}
			}
			if at < 0 || at >= d {
				at = -1
			}
			sources[axis] = append(sources[axis], int32(at))
		}
	}
	return b.moveTexels(x, y, order, [viewAxes]int{}, y.shape(), sources, fill)
}

// viewConcat binds Concat where each part but the last has whole blocks of channels, or along another axis.
func viewConcat(b *site) ([]launch, bool, error) {
	y := b.result(0)
	if y == nil || len(b.op.Fused) > 1 {
		return nil, false, nil
	}
	order := b.arrangement(y)
	if order == nil || slices.Contains(b.in, nil) || b.overlaps(y, false) {
		return nil, false, nil
	}
	along, err := b.concatAxis(y)
	if err != nil {
		return nil, false, err
	}
	axis := order[along]
	var all []launch
	at := 0
	for _, x := range b.in {
		if !isPart(x.shape(), y.shape(), along) || axis == 1 && at%texels.Channels != 0 {
			return nil, false, nil
		}
		var first [viewAxes]int
		first[axis] = at
		at += int(x.shape()[along])
		launches, ok, err := b.moveTexels(x, y, order, first, x.shape(), order.same(x.shape()), 0)
		if !ok {
			return nil, false, err
		}
		all = append(all, launches...)
	}
	return all, int64(at) == y.shape()[along], nil
}

// same are the tables of a box that is the input.
func (a arrangement) same(shape graph.Shape) (sources [viewAxes][]int32) {
	for i, axis := range a {
		for o := range shape[i] {
			sources[axis] = append(sources[axis], int32(o))
		}
	}
	return sources
}

// moveTexels binds the kernel of kernels/view_move.cl: a box of the result, of the shape box from first on, takes elements
// of x by tables, of which an axis without one has a single element.
func (b *site) moveTexels(x, y *operand, order arrangement, first [viewAxes]int, box graph.Shape, sources [viewAxes][]int32, fill float32) ([]launch, bool, error) {
	from, to := b.view(x, order.extents(x.shape()), false), b.view(y, order.extents(y.shape()), false)
	if from == nil || to == nil || len(b.op.Fused) > 1 {
		return nil, false, nil
	}
	count := order.extents(box)
	var values []int32
	var places [viewAxes]int
	for axis, table := range sources {
		places[axis] = len(values)
		if table == nil {
			table = []int32{0}
		}
		values = append(values, table...)
	}
	tables, err := b.upload(values)
	if err != nil {
		return nil, false, err
	}
	return b.texelLaunch(viewSource("view_move", from, nil, nil, to), "move_view", count.size(), []*view{from}, to, nil, tables,
		count.numbers(), ints8(places[:]...), ints8(first[0], first[1]/texels.Channels, first[2], first[3], first[4]), fill)
}
