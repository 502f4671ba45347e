package layout

import (
	"cmp"
	"slices"
)

// mostInterlocked is the most buffers of a part with pieces that are searched exactly.
const mostInterlocked = 64

// interlocking is the exact search for one pool where some buffers are live in parts: such a buffer can stand above
// another one in some steps and below it in others, so that no order of offsets builds every placement.
//
//  1. Every two buffers that are live together have distances between their starts at which they would share live bytes:
//     open intervals. Between and beside them lie the sides on which the two may stand. A placement chooses one side for
//     each pair.
//  2. Sides that are chosen bound differences of offsets; the least offsets that meet them, all alignments and pins are
//     their least fixed point, found by raising one after the other (Bellman and Ford).
//  3. Where no two buffers clash at the least offsets, these are a placement, and none with these sides has a lower offset
//     of anything. Else the pair whose cheapest side raises an offset the most gets each of its sides in turn.
//  4. A branch fails when an offset is raised beyond a pin or ends at the limit; each better placement lowers the limit.
//  5. Twins, which differ in nothing but their number, stand in order of number.
//
// This is the branching on disjunctions of Balas (1969), complete for any shape. Exponential in the worst case; the budget
// ends it.
type interlocking struct {
	size, align, pin []int64
	pairs            []pairing
	// arcs are the bounds of differences in force, by the buffer that they start from.
	arcs [][]arc
	// low are the least offsets under the arcs; raised takes changes back; queue is scratch space.
	low    []int64
	raised []raise
	// queue, queued and times are scratch space of relax: what is to be looked at, whether a buffer is in there, and how
	// often it has been.
	queue  []int32
	queued []bool
	times  []int
	// uniform says that all alignments are equal.
	uniform bool
	// limit is one more than the highest peak allowed; floor a peak that cannot be beaten.
	limit, floor int64
	work         *budget
	// best holds the offsets of the best placement, nil when none was found.
	best []int64
	// cut is set when the budget ended the search.
	cut bool
}

// pairing is two buffers, and where b may not start relative to a: strictly between lo and hi of each extent, ascending and
// disjoint.
type pairing struct {
	a, b   int32
	barred []extent
}

// arc says that to starts at least by bytes above the buffer whose arc it is.
type arc struct {
	to int32
	by int64
}

// raise is an offset as it was.
type raise struct {
	b   int32
	low int64
}

// newInterlocking relates the members to each other and to pool k.
func (s *scene) newInterlocking(members []int32, k int, work *budget) *interlocking {
	n := len(members)
	q := &interlocking{size: make([]int64, n), align: make([]int64, n), pin: make([]int64, n), arcs: make([][]arc, n), low: make([]int64, n),
		queued: make([]bool, n), times: make([]int, n), uniform: true, work: work}
	for i, b := range members {
		q.size[i], q.align[i], q.pin[i] = s.size[b], s.align(b, k), -1
		if s.buffer(b).Pinned {
			q.pin[i] = s.buffer(b).Offset
		}
		q.uniform = q.uniform && q.align[i] == q.align[0]
		for j, x := range members[:i] {
			if !s.live.overlap(x, b) {
				continue
			}
			q.pairs = append(q.pairs, pairing{int32(j), int32(i), joined(s.live.barred(s, x, b, nil))})
			if q.pin[i] < 0 && q.pin[j] < 0 && s.live.twins(s, x, b) && q.align[i] == q.align[j] {
				q.arcs[j] = append(q.arcs[j], arc{int32(i), 0})
			}
		}
	}
	return q
}

// joined sorts open intervals and joins those that share a whole number.
func joined(barred []extent) []extent {
	slices.SortFunc(barred, func(a, b extent) int { return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi)) })
	out := barred[:1]
	for _, e := range barred[1:] {
		if last := &out[len(out)-1]; e.lo < last.hi {
			last.hi = max(last.hi, e.hi)
		} else {
			out = append(out, e)
		}
	}
	return out
}

// search runs to the end or to the budget; best and cut tell the outcome.
func (q *interlocking) search() {
	total := int64(0)
	for i := range q.size {
		total = saturatingAdd(total, q.size[i]+q.align[i]+max(0, q.pin[i]), 1)
	}
	if total >= maxPeak/4 {
		q.cut = true
		return
	}
	q.limit = min(q.limit, total+1)
	for i, pin := range q.pin {
		if pin >= 0 && pin%q.align[i] != 0 {
			return
		}
		q.low[i] = max(0, pin)
	}
	q.descend()
}

// descend returns true to end the search.
func (q *interlocking) descend() bool {
	if q.work.over() {
		q.cut = true
		return true
	}
	q.work.spend(len(q.pairs))
	for i, low := range q.low {
		if low+q.size[i] >= q.limit {
			return false
		}
	}
	clash, sides := q.worst()
	if clash == nil {
		q.best = slices.Clone(q.low)
		q.limit = q.peak()
		return q.limit <= q.floor
	}
	for _, side := range sides {
		if q.try(clash, side) {
			return true
		}
	}
	return false
}

func (q *interlocking) peak() int64 {
	peak := int64(0)
	for i, low := range q.low {
		peak = max(peak, low+q.size[i])
	}
	return peak
}
