package texture

import (
	"slices"
	"strings"

	"github.com/memplan/memplan/planner/graph"
)

// Order says where the channels of each texel stand in a tensor's dense row-major array: channel k of the texel with the
// indexes i is element Σ i[a]·Strides[a] + k·Lane. Texels follow each other in row-major order of Extents.
type Order struct {
	// Extents are those of the packed shape without the texel's channels, and Strides the elements from one index to the
	// next, outermost first.
	Extents, Strides []int64
	// Lane is the elements from one channel of a texel to the next.
	Lane int64
	// Cut is the axis that counts the texels of the channels, and Channels how many channels there are: what is missing to
	// four in the last texel is padding and stands nowhere. Cut is -1 where nothing was cut.
	Cut      int
	Channels int64
}

// OrderOf returns the order of a tensor that [Pack] takes. The second result is a reason as Pack's.
func OrderOf(shape graph.Shape, layout string) (Order, string) {
	packed, _, reason := packShape(shape, layout)
	if reason != "" {
		return Order{}, reason
	}
	plain, ok := blockings[layout]
	if len(shape) != plainRank || !ok {
		extents := slices.Clone(packed[:len(packed)-1])
		strides, _ := rowMajor(shape)
		return Order{extents, strides[:len(extents)], 1, -1, texelChannels}, ""
	}
	return newOrder(shape, layout, plain.axes, plain.channel, packed), ""
}

// Unpack returns the plain shape and layout of a tensor that is packed already, as [1, 8, 6, 6] and "NCHW" for
// [1, 2, 6, 6, 4] in "NCHW4c", with the order of its texels in the plain array. The last result is false for a layout
// that is not a packed one of the shape, and for sizes beyond 2^63-1.
func Unpack(shape graph.Shape, layout string) (graph.Shape, string, Order, bool) {
	last := len(shape) - 1
	if !isPacked(layout) || last != len(layout)-2 || shape[last] != texelChannels || !shape.Known() {
		return nil, "", Order{}, false
	}
	axes := layout[:last]
	channel := layout[last+1] - 'a' + 'A'
	at := strings.IndexByte(axes, channel)
	plain := slices.Clone(shape[:last])
	if _, counted := shape.Elements(); at < 0 || !counted || !distinct(axes) {
		return nil, "", Order{}, false
	}
	plain[at] *= texelChannels
	return plain, axes, newOrder(plain, axes, axes, channel, shape), true
}

// newOrder orders the axes of a plain tensor as axes says.
func newOrder(shape graph.Shape, layout, axes string, channel byte, packed graph.Shape) Order {
	strides, _ := rowMajor(shape)
	o := Order{Extents: slices.Clone(packed[:len(axes)]), Strides: make([]int64, len(axes)), Cut: strings.IndexByte(axes, channel)}
	for i := range axes {
		o.Strides[i] = strides[strings.IndexByte(layout, axes[i])]
	}
	o.Lane = o.Strides[o.Cut]
	o.Strides[o.Cut] *= texelChannels
	o.Channels = shape[strings.IndexByte(layout, channel)]
	return o
}

// rowMajor returns the strides of a dense shape whose size was counted; the second result is its elements.
func rowMajor(shape graph.Shape) (strides []int64, elements int64) {
	strides, elements = make([]int64, len(shape)), 1
	for i := len(shape) - 1; i >= 0; i-- {
		strides[i] = elements
		elements *= shape[i]
	}
	return strides, elements
}

func distinct(axes string) bool {
	for i := range axes {
		if strings.IndexByte(axes, axes[i]) != i {
			return false
		}
	}
	return true
}

// Same reports whether two tensors of as many elements have each element in the same channel of the same texel, counted
// in row-major order. Images of the same width and height then hold the same bytes. Equal sides are not enough:
// [1, 8, 14, 14] and [1, 16, 7, 14] in "NCHW" are both 28 x 14 texels and differ.
func (o Order) Same(other Order) bool {
	if o.padding() != other.padding() {
		return false
	}
	if o.padding() == 0 {
		return slices.Equal(o.merged(0, len(o.Extents), true), other.merged(0, len(other.Extents), true))
	}
	// Padding repeats with the axis that was cut, so that axis must be the same one, and what is around it.
	return o.Channels == other.Channels && o.Lane == other.Lane && o.Strides[o.Cut] == other.Strides[other.Cut] &&
		slices.Equal(o.merged(0, o.Cut, false), other.merged(0, other.Cut, false)) &&
		slices.Equal(o.merged(o.Cut+1, len(o.Extents), false), other.merged(other.Cut+1, len(other.Extents), false))
}

// padding is the channels that the last texel lacks.
func (o Order) padding() int64 { return (texelChannels - o.Channels%texelChannels) % texelChannels }

// walk is one loop over elements.
type walk struct{ extent, stride int64 }

// merged returns the loops of the axes [from, to) and, with lanes, of the channels of a texel: those of one pass left
// out, neighbours that continue each other put together.
func (o Order) merged(from, to int, lanes bool) []walk {
	var list []walk
	add := func(w walk) {
		if w.extent == 1 {
			return
		}
		if n := len(list); n > 0 && list[n-1].stride == w.extent*w.stride {
			list[n-1] = walk{list[n-1].extent * w.extent, w.stride}
			return
		}
		list = append(list, w)
	}
	for i := from; i < to; i++ {
		add(walk{o.Extents[i], o.Strides[i]})
	}
	if lanes {
		add(walk{texelChannels, o.Lane})
	}
	return list
}
