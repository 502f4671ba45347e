package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/opencl/cl"
)

// moveBuilders are the ops whose result has the elements of the input in another order, all of them or a box of them.
var moveBuilders = map[string]builder{
	"Transpose": buildTranspose, "DepthToSpace": buildBlocks, "SpaceToDepth": buildBlocks,
	"Slice": buildSlice, "ReverseV2": buildReverse,
	"Expand": buildExpand, "Tile": buildTile,
	"Concat": buildConcat, "Split": buildSplit,
	"Dropout": buildDropout, "ReverseSequence": buildReverseSequence, "Trilu": buildTriangle,
}

// box is a box of elements in an array: the first, counted in elements, and the strides of the axes.
type box struct {
	at      int
	strides []int
}

// denseBox is the whole of an array.
func denseBox(extents []int) box { return box{0, rowMajor(extents)} }

// moved binds the first input and the output as they are, of one element type.
func (b *site) moved() (x, y *flat, err error) {
	in, err := b.need(0)
	if err != nil {
		return nil, nil, err
	}
	out, err := b.needResult(0)
	if err != nil {
		return nil, nil, err
	}
	if err := movable(out, in); err != nil {
		return nil, nil, err
	}
	if x, err = b.elementsOf(in); err != nil {
		return nil, nil, err
	}
	y, err = b.movedResult(out, false)
	return x, y, err
}

// movedResult is resultElements that lets fused ops follow where these are float32.
func (b *site) movedResult(out *operand, aliased bool) (*flat, error) {
	if out.t.DType == graph.Float32 {
		return b.resultFloats(out, aliased)
	}
	return b.resultElements(out, aliased)
}

// movable refuses operands whose elements cannot move into the result.
func movable(out *operand, inputs ...*operand) error {
	if rawTypes[out.t.DType.Size()] == "" {
		return form.RefuseTensor(out.t, "elements of type %v are not supported", out.t.DType)
	}
	for _, in := range inputs {
		if in.t.DType != out.t.DType {
			return form.RefuseTensor(in.t, "elements of type %v do not become %v", in.t.DType, out.t.DType)
		}
	}
	return nil
}

// wantShape refuses a result that does not have the shape which the op gives it.
func (b *site) wantShape(o *operand, extents []int) error {
	if !o.shape().Equal(shapeOf(extents)) {
		return form.RefuseTensor(o.t, "the result has shape %v where %v was planned", shapeOf(extents), o.shape())
	}
	return nil
}

// moveBox returns the launches that copy a box of x to a box of y, none when it is empty.
func (b *site) moveBox(x, y *flat, extents []int, from, to box) ([]launch, error) {
	if volume(extents) == 0 {
		return nil, nil
	}
	w, err := newWalk(extents, from.strides, to.strides)
	if err != nil {
		return nil, err
	}
	x, y = x.moved(from.at), y.moved(to.at)
	if across := w.transposed(); across >= 0 {
		return one(b.movePlanes(x, y, w, across))
	}
	w.item = long
	return one(b.line(moving(x.dtype), "move_box", w.items(), append([]any{x, y}, w.args()...)...))
}

// transposed returns the axis along which the source is contiguous when the target is so along the row and the source is
// not, -1 otherwise.
func (w *walk) transposed() int {
	from, to := w.strides[0], w.strides[1]
	if to[maxAxes-1] != 1 || from[maxAxes-1] == 1 || from[maxAxes-1] == 0 {
		return -1
	}
	for axis := w.rank - 1; axis >= 0; axis-- {
		if from[axis] == 1 {
			return axis
		}
	}
	return -1
}

// movePlanes copies the planes of an axis and the rows.
func (b *site) movePlanes(x, y *flat, w walk, across int) (launch, error) {
	var extents [maxAxes]int32
	var strides [2][maxAxes]int32
	rank, planes := 0, 1
	for axis := range w.rank {
		if axis == across {
			continue
		}
		extents[rank] = w.extents[axis]
		planes *= int(w.extents[axis])
		for k := range strides {
			strides[k][rank] = w.strides[k][axis]
		}
		rank++
	}
	rows := int(w.extents[across])
	global := cl.Size{(w.n + chunk - 1) / chunk, (rows + chunk - 1) / chunk, planes}
	return b.launch(moving(x.dtype), "move_planes", global, cl.Size{8, 4, 2}, x, y, rows, w.n, int(w.strides[0][maxAxes-1]),
		int(w.strides[1][across]), planes, rank, extents, strides[0], strides[1])
}

// spread returns the launch that repeats x along the axes in which it broadcasts to y.
func (b *site) spread(x, y *flat) (launch, error) {
	from, fits := broadcast(x.shape, y.shape)
	if !fits {
		return launch{}, form.Refuse("the shape %v does not broadcast to %v", x.shape, y.shape)
	}
	extents := extentsOf(y.shape)
	w, err := newWalk(extents, from, rowMajor(extents))
	if err != nil {
		return launch{}, err
	}
	w.item = long
	return b.line(moving(y.dtype), "move_box", w.items(), append([]any{x, y}, w.args()...)...)
}

// permuted copies x, seen as an array of extents, with its axes in the order of perm.
func (b *site) permuted(x, y *flat, extents, perm []int) ([]launch, error) {
	own := rowMajor(extents)
	to, from := make([]int, len(perm)), make([]int, len(perm))
	for i, p := range perm {
		to[i], from[i] = extents[p], own[p]
	}
	return b.moveBox(x, y, to, box{0, from}, denseBox(to))
}

// buildTranspose binds Transpose, which without perm reverses the axes.
func buildTranspose(b *site) ([]launch, error) {
	x, y, err := b.moved()
	if err != nil {
		return nil, err
	}
	extents := extentsOf(x.shape)
	given := b.op.Attrs.Ints("perm")
	perm := make([]int, len(extents))
	seen := make([]bool, len(extents))
	if given != nil && len(given) != len(extents) {
		return nil, form.Refuse("perm %v is no permutation of %d axes", given, len(extents))
	}
	want := make([]int, len(extents))
	for i := range perm {
		perm[i] = len(perm) - 1 - i
		if given != nil {
			if perm[i], err = axisOf(given[i], len(extents)); err != nil || seen[perm[i]] {
				return nil, form.Refuse("perm %v is no permutation of %d axes", given, len(extents))
			}
			seen[perm[i]] = true
		}
		want[i] = extents[perm[i]]
	}
	if err := b.wantShape(b.out[0], want); err != nil {
		return nil, err
	}
	return b.permuted(x, y, extents, perm)
}

// buildBlocks binds DepthToSpace and SpaceToDepth in either layout.
func buildBlocks(b *site) ([]launch, error) {
	x, y, err := b.moved()
	if err != nil {
		return nil, err
	}
	size := b.op.Attrs.Int("blocksize", 0)
	layout, mode := b.op.Attrs.String(graph.AttrDataLayout, "NCHW"), b.op.Attrs.String("mode", "DCR")
	if len(x.shape) != 4 || size < 1 || size > 1<<20 || layout != "NCHW" && layout != "NHWC" || mode != "DCR" && mode != "CRD" {
		return nil, form.Refuse("shape %v with blocksize %d, layout %q and mode %q are not supported", x.shape, size, layout, mode)
	}
	e := extentsOf(x.shape)
	n, c, h, w, s := e[0], e[1], e[2], e[3], int(size)
	last := layout == "NHWC"
	if last {
		h, w, c = e[1], e[2], e[3]
	}
	var split, perm, want []int
	if b.op.Op == "DepthToSpace" {
		if c%(s*s) != 0 {
			return nil, form.Refuse("%d channels are no multiple of blocksize %d squared", c, s)
		}
		c /= s * s
		switch {
		case last && mode == "DCR":
			split, perm = []int{n, h, w, s, s, c}, []int{0, 1, 3, 2, 4, 5}
		case last:
			split, perm = []int{n, h, w, c, s, s}, []int{0, 1, 4, 2, 5, 3}
		case mode == "DCR":
			split, perm = []int{n, s, s, c, h, w}, []int{0, 3, 4, 1, 5, 2}
		default:
			split, perm = []int{n, c, s, s, h, w}, []int{0, 1, 4, 2, 5, 3}
		}
		h, w = h*s, w*s
	} else {
		if h%s != 0 || w%s != 0 {
			return nil, form.Refuse("height %d and width %d are no multiples of blocksize %d", h, w, s)
		}
		h, w = h/s, w/s
		split, perm = []int{n, c, h, s, w, s}, []int{0, 3, 5, 1, 2, 4}
		if last {
			split, perm = []int{n, h, s, w, s, c}, []int{0, 1, 3, 2, 4, 5}
		}
		c *= s * s
	}
	if want = []int{n, c, h, w}; last {
		want = []int{n, h, w, c}
	}
	if err := b.wantShape(b.out[0], want); err != nil {
		return nil, err
	}
	return b.permuted(x, y, split, perm)
}

// buildExpand binds Expand, whose shape is the result's.
func buildExpand(b *site) ([]launch, error) {
	x, y, err := b.moved()
	if err != nil {
		return nil, err
	}
	return one(b.spread(x, y))
}

// buildTile binds Tile, whose repeats are what the shapes say.
func buildTile(b *site) ([]launch, error) {
	x, y, err := b.moved()
	if err != nil {
		return nil, err
	}
	if len(x.shape) != len(y.shape) {
		return nil, form.RefuseTensor(b.out[0].t, "rank %d does not become %d", len(x.shape), len(y.shape))
	}
	own := rowMajor(extentsOf(x.shape))
	var extents, from []int
	for i, d := range x.shape {
		if d == 0 || y.shape[i]%d != 0 {
			return nil, form.RefuseTensor(b.out[0].t, "%v repeated does not give %v", x.shape, y.shape)
		}
		extents = append(extents, int(y.shape[i]/d), int(d))
		from = append(from, 0, own[i])
	}
	return b.moveBox(x, y, extents, box{0, from}, denseBox(extents))
}

// buildReverse binds TensorFlow Lite's ReverseV2, which runs axes backwards.
func buildReverse(b *site) ([]launch, error) {
	x, y, err := b.moved()
	if err != nil {
		return nil, err
	}
	axes, err := b.ints(1)
	if err != nil {
		return nil, err
	}
	extents := extentsOf(x.shape)
	if err := b.wantShape(b.out[0], extents); err != nil {
		return nil, err
	}
	from := denseBox(extents)
	for _, a := range axes {
		axis, err := axisOf(a, len(extents))
		if err != nil || from.strides[axis] < 0 {
			return nil, form.Refuse("the axes %v do not suit rank %d", axes, len(extents))
		}
		from.at += (extents[axis] - 1) * from.strides[axis]
		from.strides[axis] *= -1
	}
	return b.moveBox(x, y, extents, from, denseBox(extents))
}

// moving is the variant of the moving kernels for elements of a type.
func moving(dtype graph.DType) source {
	s := raw("walk+move", dtype)
	if dtype == graph.Complex128 {
		s.options += " -DWIDE"
	}
	return s
}

// steered is moving with the type of the numbers that steer a kernel.
func steered(dtype, by graph.DType) source {
	s := moving(dtype)
	s.options += " -DK=" + clTypes[by]
	return s
}

// indexes returns the input i of integers.
func (b *site) indexes(i int) (*flat, error) {
	o, err := b.need(i)
	if err != nil {
		return nil, err
	}
	if kindOf(o.t.DType) != ofIntegers {
		return nil, form.RefuseTensor(o.t, "elements of type %v are no indices", o.t.DType)
	}
	return b.elementsOf(o)
}
