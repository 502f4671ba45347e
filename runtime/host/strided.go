package host

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/form"
)

// TakesRows implements device.Strider: kernels find each pixel of a strided operand where it starts, and results are computed some
// rows at a time beside the plan's memory, as where they are written over an operand, and then moved to their places.
func (d *Device) TakesRows(s *device.Step) bool {
	known := func(tensors []*device.Tensor) []*graph.Tensor {
		out := make([]*graph.Tensor, len(tensors))
		for i, t := range tensors {
			if t != nil {
				out[i] = &graph.Tensor{DType: t.DType, Shape: t.Shape, Layout: t.Layout}
			}
		}
		return out
	}
	inputs, outputs := known(s.Inputs), known(s.Outputs)
	for i, t := range s.Inputs {
		if t != nil && t.Strided() && !s.Op.ReadsRows(i, inputs, outputs, t.Row) {
			return false
		}
	}
	for i, t := range s.Outputs {
		if t != nil && t.Strided() && !s.Op.WritesRows(i, inputs, outputs, t.Row) {
			return false
		}
	}
	return true
}

// strided binds a tensor with other bytes between its rows: the operand has the bytes from its first to its last.
func (d *Device) strided(t *device.Tensor) (*operand, error) {
	memory, err := d.region(t.Place)
	if err != nil {
		return nil, fmt.Errorf("tensor %s: %w", t.Name, err)
	}
	size := t.DType.Size()
	n, ok := t.Shape.Bytes(t.DType)
	if !ok || n != t.LogicalBytes || size < 1 || t.Row < size || t.Row%size != 0 || t.Stride%size != 0 || t.Stride < t.Row || n%t.Row != 0 ||
		(n/t.Row-1)*t.Stride+t.Row != int64(len(memory)) {
		return nil, fmt.Errorf("tensor %s: rows of %d bytes at a stride of %d do not put %v %v into %d bytes", t.Name, t.Row, t.Stride, t.DType, t.Shape, len(memory))
	}
	return &operand{t: t, bytes: memory}, nil
}

func (o *operand) strided() bool { return o.t.Strided() }

// pitch is how many elements after the start of a pixel of so many channels the next one starts.
func (o *operand) pitch(channels int) int {
	if !o.strided() {
		return channels
	}
	return int(o.t.Stride / o.t.DType.Size())
}

// lane is memory whose dense bytes are rows: byte i of them is byte i%row of row i/row. One run is one row.
type lane struct {
	bytes       []byte
	row, stride int
}

func (o *operand) lane() lane {
	if !o.strided() {
		return lane{o.bytes, max(1, len(o.bytes)), max(1, len(o.bytes))}
	}
	return lane{o.bytes, int(o.t.Row), int(o.t.Stride)}
}

// rest are the bytes from the dense byte i to the end of its row, n of them at most.
func (l lane) rest(i, n int) []byte {
	at, over := i/l.row*l.stride, i%l.row
	return l.bytes[at+over : at+min(l.row, over+n)]
}

// gather copies the dense bytes from at on to dst.
func (l lane) gather(dst []byte, at int) {
	for len(dst) > 0 {
		n := copy(dst, l.rest(at, len(dst)))
		dst, at = dst[n:], at+n
	}
}

// scatter copies src to the dense bytes from at on.
func (l lane) scatter(src []byte, at int) {
	for len(src) > 0 {
		n := copy(l.rest(at, len(src)), src)
		src, at = src[n:], at+n
	}
}

// move copies n dense bytes from one lane to another.
func (l lane) move(to int, src lane, from, n int) {
	for n > 0 {
		part := src.rest(from, n)
		l.scatter(part, to)
		to, from, n = to+len(part), from+len(part), n-len(part)
	}
}

// meets reports whether two lanes have bytes in common. Of rows at different strides it says so wherever the one begins before the
// other ends.
func (l lane) meets(o lane) bool {
	if !intersect(l.bytes, o.bytes) || l.stride != o.stride {
		return intersect(l.bytes, o.bytes)
	}
	// The start of a row of the other, counted from that of the row of the first before it.
	apart := int((int64(start(o.bytes))-int64(start(l.bytes)))%int64(l.stride)+int64(l.stride)) % l.stride
	return apart < l.row || apart+o.row > l.stride
}

// buildMoves binds a concatenation or a split of which an operand or a result is strided: bytes are moved from row to row. What the
// plan has placed where it belongs is left there.
func buildMoves(b *site) (func() error, error) {
	wholes, pieces := b.in, b.out
	if b.op.Op == "Concat" {
		wholes, pieces = b.out, b.in
	}
	if len(wholes) == 0 || wholes[0] == nil {
		return nil, form.Refuse("the operand that is cut or put together is absent")
	}
	whole := wholes[0]
	rank := len(whole.shape())
	axis, err := b.axis("axis", 0, rank)
	if err != nil || rank == 0 {
		return nil, form.RefuseTensor(whole.t, "it has no axis to cut it along")
	}
	g := around(whole.shape(), axis, axis+1)
	size := int(whole.t.DType.Size())
	period := g.n * g.inner * size
	var moves []move
	at := 0
	for _, p := range pieces {
		if p == nil {
			return nil, form.Refuse("a piece of %s is absent", whole.t.Name)
		}
		if len(p.shape()) != rank || p.t.DType != whole.t.DType || p.elements() != g.outer*int(p.shape()[axis])*g.inner {
			return nil, form.RefuseTensor(p.t, "%v %v is no piece of %v %v", p.t.DType, p.shape(), whole.t.DType, whole.shape())
		}
		width := int(p.shape()[axis]) * g.inner * size
		if width > 0 {
			moves = append(moves, move{p, p.lane(), at, width})
		}
		at += width
	}
	if at != period {
		return nil, form.RefuseTensor(whole.t, "its pieces have %d bytes of %d", at, period)
	}
	return b.moving(whole.lane(), period, g.outer, moves)
}

// move is a piece that belongs to the bytes from at on of each period of the whole, width of them.
type move struct {
	o         *operand
	piece     lane
	at, width int
}

// moving copies pieces to or from their places in the whole, those that are not there. What one copy reads no other may have written
// before.
func (b *site) moving(whole lane, period, periods int, moves []move) (func() error, error) {
	joins := b.op.Op == "Concat"
	var left []move
	var reads, writes []stretch
	for _, m := range moves {
		inside, own := whole.stretches(m.at, m.width, period, periods), m.piece.stretches(0, m.width, m.width, periods)
		if slices.Equal(inside, own) {
			continue
		}
		left = append(left, m)
		if joins {
			inside, own = own, inside
		}
		reads, writes = append(reads, inside...), append(writes, own...)
	}
	if overlap(reads, writes) {
		return nil, form.Refuse("it would read what it has written before")
	}
	return func() error {
		for _, m := range left {
			for k := range periods {
				if joins {
					whole.move(k*period+m.at, m.piece, k*m.width, m.width)
				} else {
					m.piece.move(k*m.width, whole, k*period+m.at, m.width)
				}
			}
		}
		return nil
	}, nil
}

// stretch is a half-open range of addresses.
type stretch struct{ from, to uintptr }

// stretches lists the runs of the dense bytes [at, at+width) of each of so many periods; those that follow one another are one.
func (l lane) stretches(at, width, period, periods int) []stretch {
	var out []stretch
	for k := range periods {
		for i, end := k*period+at, k*period+at+width; i < end; {
			part := l.rest(i, end-i)
			i += len(part)
			from := start(part)
			if n := len(out); n > 0 && out[n-1].to == from {
				out[n-1].to += uintptr(len(part))
			} else {
				out = append(out, stretch{from, from + uintptr(len(part))})
			}
		}
	}
	return out
}

// overlap reports whether a stretch of one list has an address in common with one of the other. It sorts them, and costs
// O(n log n).
func overlap(a, b []stretch) bool {
	order := func(x, y stretch) int { return cmp.Compare(x.from, y.from) }
	slices.SortFunc(a, order)
	slices.SortFunc(b, order)
	reach := uintptr(0)
	for _, x := range b {
		for ; len(a) > 0 && a[0].from < x.to; a = a[1:] {
			reach = max(reach, a[0].to)
		}
		if reach > x.from {
			return true
		}
	}
	return false
}

func sameLane(a, b lane) bool {
	return same(a.bytes, b.bytes) && (a.row == b.row && a.stride == b.stride || len(a.bytes) == min(a.row, b.row))
}

// anyStrided reports whether an operand or a result has other bytes between its rows.
func (b *site) anyStrided() bool {
	strided := func(o *operand) bool { return o != nil && o.strided() }
	return slices.ContainsFunc(b.in, strided) || slices.ContainsFunc(b.out, strided)
}
