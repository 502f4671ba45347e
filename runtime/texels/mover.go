package texels

import (
	"encoding/binary"

	"github.com/memplan/memplan/planner/texture"
)

// Channels is how many elements a texel has.
const Channels = 4

// grainElements is about the number of elements worth handing to another worker.
const grainElements = 1 << 15

// Splitter shares loops among workers.
type Splitter interface {
	// Split calls body for chunks that together cover [0, n) exactly once, each of at least grain items except the last.
	Split(n, grain int, body func(worker, lo, hi int))
}

// Alone is the splitter of one worker.
type Alone struct{}

// Split calls body once.
func (Alone) Split(n, _ int, body func(worker, lo, hi int)) {
	if n > 0 {
		body(0, 0, n)
	}
}

// Mover moves elements between stored texels, rows of pitch bytes, and a dense array in the order that kernels read.
type Mover struct {
	split  Splitter
	stored []byte
	// width is in texels, pitch and size in bytes; size is that of an element.
	width, pitch, size int
	// extents and strides are those of texture.Order, strides in bytes; lane is in bytes too.
	extents, strides []int
	lane             int
	// cut is the axis that counts the texels of count channels, -1 for none.
	cut, count int
	// dense is the array of the call in progress, and the bodies its loops, made once so that a run allocates nothing.
	dense            []byte
	packing, opening func(worker, lo, hi int)
}

// New returns the mover of stored texels. The order has at least one axis, and the stored rows hold whole passes
// of its last one.
func New(split Splitter, o texture.Order, stored []byte, width, pitch int64, size int) *Mover {
	t := &Mover{
		split: split, stored: stored, width: int(width), pitch: int(pitch), size: size,
		lane: int(o.Lane) * size, cut: o.Cut, count: int(o.Channels),
	}
	for i := range o.Extents {
		t.extents = append(t.extents, int(o.Extents[i]))
		t.strides = append(t.strides, int(o.Strides[i])*size)
	}
	t.packing = func(_, lo, hi int) { t.runs(lo, hi, t.packRun) }
	t.opening = func(_, lo, hi int) { t.runs(lo, hi, t.openRun) }
	return t
}

// Pack writes every channel of every texel from a dense array; what is padding becomes zero.
func (t *Mover) Pack(dense []byte) { t.move(dense, t.packing) }

// Open is the reverse: it fills a dense array and leaves padding unread.
func (t *Mover) Open(dense []byte) { t.move(dense, t.opening) }

// move shares the runs, the passes of the last axis, among the workers.
func (t *Mover) move(dense []byte, body func(worker, lo, hi int)) {
	runs := 1
	for _, n := range t.extents[:len(t.extents)-1] {
		runs *= n
	}
	t.dense = dense
	t.split.Split(runs, 1+grainElements/(Channels*t.length()), body)
	t.dense = nil
}

// length is the texels of one run.
func (t *Mover) length() int { return t.extents[len(t.extents)-1] }

// runs visits the runs [lo, hi) with their first stored texel, their first element and the channels that come before it.
func (t *Mover) runs(lo, hi int, visit func(row []byte, from, before int)) {
	for run := lo; run < hi; run++ {
		from, before, rest := 0, 0, run
		for axis := len(t.extents) - 2; axis >= 0; axis-- {
			index := rest % t.extents[axis]
			rest /= t.extents[axis]
			from += index * t.strides[axis]
			if axis == t.cut {
				before = Channels * index
			}
		}
		texel := run * t.length()
		visit(t.stored[texel/t.width*t.pitch+texel%t.width*Channels*t.size:], from, before)
	}
}

func (t *Mover) packRun(row []byte, from, before int) {
	texel, stride, length := Channels*t.size, t.strides[len(t.strides)-1], t.length()
	for lane := range Channels {
		n := t.present(lane, before)
		column := row[lane*t.size:]
		if n > 0 {
			copyElements(column, texel, t.dense[from+lane*t.lane:], stride, n, t.size)
		}
		for x := n; x < length; x++ {
			clear(column[x*texel : x*texel+t.size])
		}
	}
}

func (t *Mover) openRun(row []byte, from, before int) {
	texel, stride := Channels*t.size, t.strides[len(t.strides)-1]
	for lane := range Channels {
		if n := t.present(lane, before); n > 0 {
			copyElements(t.dense[from+lane*t.lane:], stride, row[lane*t.size:], texel, n, t.size)
		}
	}
}

// present is how many texels of a run, from its first, have an element in a channel.
func (t *Mover) present(lane, before int) int {
	switch {
	case t.cut == len(t.extents)-1:
		return max(0, min(t.length(), (t.count-lane+Channels-1)/Channels))
	case t.cut >= 0 && before+lane >= t.count:
		return 0
	}
	return t.length()
}

// copyElements copies n elements of size bytes between arrays that have one every so many bytes.
func copyElements(dst []byte, dstStep int, src []byte, srcStep, n, size int) {
	switch size {
	case 4:
		for i := range n {
			binary.LittleEndian.PutUint32(dst[i*dstStep:], binary.LittleEndian.Uint32(src[i*srcStep:]))
		}
	case 2:
		for i := range n {
			binary.LittleEndian.PutUint16(dst[i*dstStep:], binary.LittleEndian.Uint16(src[i*srcStep:]))
		}
	default:
		for i := range n {
			copy(dst[i*dstStep:i*dstStep+size], src[i*srcStep:i*srcStep+size])
		}
	}
}
