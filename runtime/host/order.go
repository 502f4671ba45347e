package host

import (
	"slices"
	"unsafe"

	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/runtime/device"
)

// KeepsOrder implements device.Orderly: windowed ops and Resize run row by row, all others of those that read their operand in
// order compute the whole result beside it first.
func (d *Device) KeepsOrder(s *device.Step) bool {
	return (s.Op.Domain == "" || s.Op.Domain == "tflite") && slices.Contains(s.Op.ReadInRows(), s.Diagonal.Input)
}

// heldBytes is about how much of a result is computed before it is written over the operand: enough to keep all workers busy,
// little beside the result.
const heldBytes = 64 << 10

// rows says how the items of a result, which lie in memory one after the other, are grouped: width elements an item, row items a
// row. A row is written when nothing is left to be read for it.
type rows struct{ items, width, row int }

// window is the part of a result that a kernel is computing: y starts with the element from.
type window[T array.Element] struct {
	y    []T
	from int
}

// of returns the elements [at, at+n) of the result.
func (w *window[T]) of(at, n int) []T { return w.y[at-w.from : at-w.from+n] }

// inRows runs a kernel of a range of items over the whole result dst. Where the plan lets the result overlap an operand, some
// rows at a time are computed elsewhere and then moved to their place, so that the bytes they take have been read.
// Of a strided result, which dst is with what lies between its rows, they are moved row by row.
func inRows[T array.Element](b *site, dst []T, w *window[T], r rows, run func(lo, hi int)) func() {
	y := b.result(0)
	strided := y != nil && y.strided()
	if !b.ordered && !strided {
		w.y = dst
		return func() { run(0, r.items) }
	}
	var element T
	held := max(1, b.d.held/max(1, r.row*r.width*int(unsafe.Sizeof(element)))) * r.row
	held = min(held, r.items)
	bytes := b.d.rows.take(&b.d.work, int64(held*r.width)*int64(unsafe.Sizeof(element)))
	w.y = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(bytes))), held*r.width)
	return func() {
		for lo := 0; lo < r.items; lo += held {
			hi := min(lo+held, r.items)
			w.from = lo * r.width
			run(lo, hi)
			if strided {
				y.lane().scatter(bytes[:(hi-lo)*r.width*int(unsafe.Sizeof(element))], w.from*int(unsafe.Sizeof(element)))
				continue
			}
			copy(dst[w.from:hi*r.width], w.y)
		}
	}
}
