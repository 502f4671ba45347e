package liveness

import (
	"cmp"
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// place is where a tensor lies in its base: one run of bytes from the byte at on, or rows of row bytes of which each starts stride
// bytes after the one before.
type place struct {
	at int64
	// row and stride are 0 for one run.
	row, stride int64
}

func (p place) strided() bool { return p.stride != 0 }

// end is the byte after the last of a tensor of so many bytes.
func (p place) end(bytes int64) int64 {
	if !p.strided() || bytes <= 0 {
		return p.at + max(0, bytes)
	}
	return p.at + (bytes/p.row-1)*p.stride + p.row
}

// rows is the number of rows, 1 for one run.
func (p place) rows(bytes int64) int64 {
	if !p.strided() {
		return 1
	}
	return bytes / p.row
}

// within is where a tensor of so many bytes comes to lie whose base is put into another one at to: false when that would be neither
// a run nor rows.
func (p place) within(to place, bytes int64) (place, bool) {
	if !to.strided() {
		p.at += to.at
		return p, true
	}
	// The base is cut into rows, so that its bytes from over on come after a gap.
	row, over := p.at/to.row, p.at%to.row
	at := to.at + row*to.stride + over
	switch {
	case !p.strided() && over+bytes <= to.row:
		return place{at: at}, true
	case !p.strided():
		return place{at, to.row, to.stride}, over == 0 && bytes%to.row == 0
	case p.stride == to.row:
		return place{at, p.row, to.stride}, over+p.row <= to.row
	case p.stride%to.row == 0:
		return place{at, p.row, p.stride / to.row * to.stride}, over+p.row <= to.row
	}
	return place{}, false
}

// moving is where a base of so many bytes must lie in another one so that a tensor at from, which is all of it where whole says so,
// comes to lie at to; false when there is no such place.
func moving(from, to place, whole bool, bytes int64) (place, bool) {
	switch {
	case whole:
		return to, !to.strided() || bytes%to.row == 0
	case !from.strided() && !to.strided() || from.stride == to.stride && from.row == to.row:
		return place{at: to.at - from.at}, true
	case from.strided() && to.strided() && from.row == to.row:
		return place{to.at - from.at/from.stride*to.stride - from.at%from.stride, from.stride, to.stride}, bytes%from.stride == 0 && from.stride < to.stride
	}
	return place{}, false
}

// meet reports whether two tensors in one base have bytes in common. Of rows at different strides it says so wherever the one
// begins before the other ends.
func meet(p place, bytes int64, q place, other int64) bool {
	if bytes <= 0 || other <= 0 || p.at >= q.end(other) || q.at >= p.end(bytes) {
		return false
	}
	stride := max(p.stride, q.stride)
	if stride == 0 || p.strided() && q.strided() && p.stride != q.stride {
		return true
	}
	width := func(x place, bytes int64) int64 {
		if x.strided() {
			return x.row
		}
		return bytes
	}
	// Row i of the one and row j of the other meet when q.at - p.at + (j-i)*stride is above -other's width and below the one's.
	apart, n, m := q.at-p.at, p.rows(bytes), q.rows(other)
	least := ceil(1-width(q, other)-apart, stride)
	return max(least, 1-n) <= m-1 && apart+max(least, 1-n)*stride < width(p, bytes)
}

// ceil is the least whole number that is not below a/b, for positive b.
func ceil(a, b int64) int64 {
	q := a / b
	if a%b > 0 {
		q++
	}
	return q
}

// span is a half-open range of bytes.
type span struct{ from, to int64 }

// takesRows reports whether all that is in a base can lie where the base comes to lie in another. What becomes rows must be seen by
// the graph's ops alone, by ops that take it so. In one base, rows that begin before others end have their stride, so that it is
// known which of them meet.
func (a *analysis) takesRows(op *graph.Op, from, to graph.TensorID, moved place, taken func(*graph.Op, graph.TensorID, int64) bool) bool {
	var rows []extent
	for _, id := range a.members[from] {
		at, ok := a.lies[id].within(moved, a.bytes(id))
		switch {
		case !a.used[id]:
		case !ok:
			return false
		case !at.strided():
		case taken == nil || a.persisting(id) || a.input[id] || !a.taken(op, id, at.row, taken):
			return false
		default:
			rows = append(rows, extent{at, at.end(a.bytes(id))})
		}
	}
	if len(rows) == 0 {
		return true
	}
	for _, id := range a.members[to] {
		if x := a.lies[id]; a.used[id] && x.strided() {
			rows = append(rows, extent{x, x.end(a.bytes(id))})
		}
	}
	return oneStride(rows)
}

// taken reports whether all ops that touch a tensor can have it in rows, but for the given one, which puts it there, and those that
// do nothing.
func (a *analysis) taken(op *graph.Op, id graph.TensorID, row int64, taken func(*graph.Op, graph.TensorID, int64) bool) bool {
	return !slices.ContainsFunc(a.touchingOps()[id], func(step int32) bool {
		by := &a.g.Ops[step]
		return by != op && !a.standing(by) && !taken(by, id, row)
	})
}

// extent is where rows lie, up to the byte end.
type extent struct {
	place
	end int64
}

// oneStride reports whether rows that begin before others end have their stride.
func oneStride(rows []extent) bool {
	slices.SortFunc(rows, func(a, b extent) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.end, b.end)) })
	end := int64(0)
	for i, x := range rows {
		if i > 0 && x.at < end && x.stride != rows[i-1].stride {
			return false
		}
		end = max(end, x.end)
	}
	return true
}

// standing reports whether an op has nothing to do, since its results are already where it would copy its operands to.
func (a *analysis) standing(op *graph.Op) bool {
	if reshapes(a.g, op) {
		return a.base[op.Inputs[0]] == a.base[op.Outputs[0]] && a.lies[op.Inputs[0]] == a.lies[op.Outputs[0]]
	}
	parts := a.g.Parts(op)
	return op.Op == "Slice" && len(parts) > 0 && !slices.ContainsFunc(parts, func(part graph.Part) bool {
		to, ok := a.target(part)
		return !ok || a.base[part.Piece] != a.base[part.Whole] || a.lies[part.Piece] != to
	})
}
