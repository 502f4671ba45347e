package opencl

import (
	"strings"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/opencl/cl"
	"github.com/memplan/memplan/runtime/texels"
)

// arrangement says which axis of a view each axis of a tensor is.
type arrangement []int

// viewLetters are the axes of a view in layouts.
const viewLetters = "NCDHW"

// arrangement reads the layout of a result, or of the first operand of its rank in an image where the result is none: one
// such as "NHWC", or any packed layout of rank 5, whose last axis is the channels of a texel. It is nil for others.
func (b *site) arrangement(y *operand) arrangement {
	by := y
	for _, x := range b.in {
		if by.stored == nil && x != nil && x.stored != nil && len(x.shape()) == len(y.shape()) {
			by = x
		}
	}
	layout, shape := form.LayoutOf(by.t), y.shape()
	packed := strings.ContainsAny(layout, "0123456789") || layout == ""
	switch {
	case packed && len(shape) == viewAxes && shape[viewAxes-1] == texels.Channels:
		return arrangement{0, 2, 3, 4, 1}
	case packed || len(layout) != len(shape):
		return nil
	}
	var a arrangement
	for i := range layout {
		axis := strings.IndexByte(viewLetters, layout[i])
		if axis < 0 || strings.IndexByte(layout, layout[i]) != i {
			return nil
		}
		a = append(a, axis)
	}
	return a
}

// extents counts the axes of a tensor whose shape broadcasts to the arranged one.
func (a arrangement) extents(shape graph.Shape) extents {
	e := extents{count: [viewAxes]int{1, 1, 1, 1, 1}, lanes: 1}
	stride := 1
	for i := len(shape) - 1; i >= 0; i-- {
		axis := a[i+len(a)-len(shape)]
		e.count[axis], e.stride[axis] = int(shape[i]), stride
		stride *= int(shape[i])
	}
	return e
}

// broadcasts reports whether each axis of a shape is that of the result or 1.
func broadcasts(shape, result graph.Shape) bool {
	if len(shape) > len(result) {
		return false
	}
	for i, n := range shape {
		if n != 1 && n != result[i+len(result)-len(shape)] {
			return false
		}
	}
	return true
}

// blocks is the number of blocks of four channels.
func (e *extents) blocks() int { return ceilDiv(e.count[e.lanes], texels.Channels) }

// numbers are the extents as kernels take them: images, blocks of channels, depth, height, width; channels.
func (e *extents) numbers() [8]int32 {
	c := &e.count
	return ints8(c[0], e.blocks(), c[2], c[3], c[4], c[1])
}

// size is the global size of a launch with an item for each texel.
func (e *extents) size() cl.Size {
	return cl.Size{e.count[4], e.count[2] * e.count[3], e.count[0] * e.blocks()}
}

// texelLaunch puts the arguments of a kernel on texels together: what it reads, its result, its tail, and the rest.
func (b *site) texelLaunch(program source, kernel string, size cl.Size, in []*view, to *view, tail []any, rest ...any) ([]launch, bool, error) {
	var args []any
	for _, v := range append(in, to) {
		args = append(args, v.args()...)
	}
	args = append(append(args, tail...), rest...)
	l, err := b.launch(program, kernel, size, viewGroup, args...)
	return []launch{l}, err == nil, err
}
