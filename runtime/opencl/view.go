package opencl

import (
	"encoding/binary"
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/opencl/cl"
	"github.com/memplan/memplan/runtime/texels"
)

// viewBuilder makes the launches of a step whose kernel reads or writes texels in place. It returns false, and has bound
// nothing, for a form that it has no kernel for: the step is then computed on staged dense copies.
type viewBuilder func(*site) (launches []launch, ok bool, err error)

// viewFamilies are the tables of operators that compute on texels, one a file.
var viewFamilies = []map[string]viewBuilder{
	viewConvBuilders,
	viewElementwiseBuilders,
	viewPoolBuilders,
	viewResizeBuilders,
	viewMoveBuilders,
}

// onTexels makes the launches of a step of which an operand is in an image object.
func (b *site) onTexels() (launches []launch, ok bool, err error) {
	if b.op.Domain != "" && b.op.Domain != "tflite" || !b.touchesImages() || b.sharesImage() {
		return nil, false, nil
	}
	for _, family := range viewFamilies {
		if build := family[b.op.Op]; build != nil {
			return build(b)
		}
	}
	return nil, false, nil
}

func (b *site) touchesImages() bool {
	for _, o := range append(b.in[:len(b.in):len(b.in)], b.out...) {
		if o != nil && o.stored != nil && o.stored.image != 0 {
			return true
		}
	}
	return false
}

// sharesImage reports whether a result is in the image of an input, which no kernel can read and write.
func (b *site) sharesImage() bool {
	for _, y := range b.out {
		for _, x := range b.in {
			if x != nil && y != nil && x.stored != nil && y.stored != nil && x.stored.image == y.stored.image && x.stored.image != 0 {
				return true
			}
		}
	}
	return false
}

// viewAxes is the number of indexes of a view: image, channel, depth, height and width.
const viewAxes = 5

// extents are how a kernel counts an operand: along each axis how many there are, and how many elements of the dense
// tensor are between one and the next.
type extents struct {
	count, stride [viewAxes]int
	// lanes is the axis of which four neighbours are in a texel; it is counted by blocks of four.
	lanes int
}

// pictureExtents counts the axes of a picture.
func pictureExtents(p form.Picture) extents {
	e := extents{lanes: 1}
	e.count = [viewAxes]int{p.N, p.C, p.Size[0], p.Size[1], p.Size[2]}
	order := [viewAxes]int{0, 1, 2, 3, 4}
	if p.Last {
		order = [viewAxes]int{0, 2, 3, 4, 1}
	}
	stride := 1
	for i := viewAxes - 1; i >= 0; i-- {
		e.stride[order[i]] = stride
		stride *= e.count[order[i]]
	}
	return e
}

// view is an operand as the kernels of view.cl take it.
type view struct {
	image cl.Mem
	flat  *flat
	// column and row are the steps; flat memory has column alone.
	column, row [8]int32
}

// args are the arguments of a view.
func (v *view) args() []any {
	if v.image != 0 {
		return []any{image(v.image), v.column, v.row}
	}
	return []any{v.flat, v.column, v.row}
}

// option is the compiler's option that says what a named operand is.
func (v *view) option(name string) string {
	if v.image != 0 {
		return " -D" + name + "_IMAGE"
	}
	return ""
}

// The places of the numbers that follow the steps of a view.
const (
	viewLane     = viewAxes
	viewChannels = viewAxes + 1
)

// everyChannel stands for the number of channels of an operand whose only channel stands for all.
const everyChannel = math.MaxInt32

// view returns the view of an operand; repeat says that a single channel stands for all. It is nil for what the kernels do
// not read: images over the bytes of a flat pool, packed flat memory, integers, and float16 in flat memory.
func (b *site) view(o *operand, e extents, repeat bool) *view {
	repeat = repeat && e.count[e.lanes] == 1
	switch {
	case o.stored == nil && o.held == nil && o.t.DType == graph.Float32:
		f, err := b.placed(o)
		if err != nil {
			return nil
		}
		return flatView(f, e, repeat)
	case o.stored != nil && o.stored.image != 0 && (o.t.DType == graph.Float32 || o.t.DType == graph.Float16):
		return imageView(o.stored, e, repeat)
	}
	return nil
}

func flatView(f *flat, e extents, repeat bool) *view {
	v := &view{flat: f}
	for axis := range viewAxes {
		if e.count[axis] > 1 {
			v.column[axis] = int32(e.stride[axis])
		}
	}
	v.column[viewLane], v.column[viewChannels] = v.column[e.lanes], int32(e.count[e.lanes])
	v.column[e.lanes] *= texels.Channels
	if repeat {
		v.column[viewChannels] = everyChannel
	}
	return v
}

// imageView finds each axis of the texels among those that the kernel counts. An axis moves either within a row of the
// image or from row to row, since rows are the product of the inner ones.
func imageView(s *stored, e extents, repeat bool) *view {
	order := &s.order
	if e.count[e.lanes] != int(order.Channels) || e.count[e.lanes] > 1 && int64(e.stride[e.lanes]) != order.Lane {
		return nil
	}
	v := &view{image: s.image}
	step := int64(1)
	for i := len(order.Extents) - 1; i >= 0; i-- {
		n := order.Extents[i]
		axis := e.lanes
		if i != order.Cut {
			axis = e.axisOf(n, order.Strides[i])
		}
		switch width := int64(s.width); {
		case n == 1:
		case axis < 0:
			return nil
		case step < width:
			v.column[axis] = int32(step)
		case step%width == 0:
			v.row[axis] = int32(step / width)
		default:
			return nil
		}
		step *= n
	}
	v.column[viewChannels] = int32(e.count[e.lanes])
	if repeat {
		v.column[viewLane], v.column[viewChannels] = 1, everyChannel
	}
	return v
}

// axisOf is the axis of so many, so far apart; -1 when there is none.
func (e *extents) axisOf(count, stride int64) int {
	for axis := range viewAxes {
		if axis != e.lanes && int64(e.count[axis]) == count && int64(e.stride[axis]) == stride {
			return axis
		}
	}
	return -1
}

// contents returns a constant operand's values as float32, false for one that is computed in a run.
func (b *site) contents(o *operand) ([]float32, bool, error) {
	if o.t.Role != graph.Constant {
		return nil, false, nil
	}
	a := &array.Array{DType: o.t.DType, Shape: o.t.Shape, Data: make([]byte, o.t.LogicalBytes)}
	if err := b.d.readOperand(o, a.Data); err != nil {
		return nil, false, err
	}
	values, err := a.Floats()
	if err != nil {
		return nil, false, form.RefuseTensor(o.t, "%v", err)
	}
	out := make([]float32, len(values))
	for i, v := range values {
		out[i] = float32(v)
	}
	return out, true, nil
}

// blocks returns workspace with a value for each of so many channels, in whole blocks of four: those of a constant, its
// only one for all, or zeros where there is none. It is nil for an operand computed in a run.
func (b *site) blocks(o *operand, channels int) (*flat, error) {
	padded := make([]float32, ceilDiv(channels, texels.Channels)*texels.Channels)
	if o != nil {
		values, ok, err := b.contents(o)
		if err != nil || !ok {
			return nil, err
		}
		for c := range channels {
			padded[c] = values[c%len(values)]
		}
	}
	return b.uploadFloats(padded)
}

// uploadFloats returns memory of the workspace that holds the numbers.
func (b *site) uploadFloats(values []float32) (*flat, error) {
	f, err := b.workspace(graph.Float32, graph.Shape{int64(len(values))})
	if err != nil {
		return nil, err
	}
	data := make([]byte, 0, 4*len(values))
	for _, v := range values {
		data = binary.NativeEndian.AppendUint32(data, math.Float32bits(v))
	}
	return f, b.d.write(f, data)
}
