package layout

import (
	"cmp"
	"slices"
)

// none shares nothing: every buffer has bytes of its own.
//
//  1. Pinned buffers stand where they must; their bytes are used up in their pools.
//  2. The others follow in the order of the problem, each behind the one before it in the first candidate pool with
//     room, past the pins in its way.
//
// It costs O(n log n).
type none struct{}

func (none) place(s *scene, work *budget) {
	pins := make([][]extent, len(s.pools))
	for b := range s.len() {
		if s.pool[b] != nowhere {
			slot := s.slot[s.pool[b]]
			pins[slot] = append(pins[slot], extent{s.lo[b], s.lo[b] + s.size[b]})
		}
	}
	for _, list := range pins {
		slices.SortFunc(list, func(a, b extent) int { return cmp.Compare(a.lo, b.lo) })
	}
	next := make([]int64, len(s.pools))
	for _, b := range s.inProblemOrder() {
		if !s.fixed(b) {
			s.append(b, pins, next)
			work.spend(0)
		}
	}
}

// append puts b at the end of the first candidate pool with room.
func (s *scene) append(b int32, pins [][]extent, next []int64) {
	for _, k := range s.candidates(b) {
		slot, align := s.slot[k], s.align(b, k)
		at := alignUp(next[slot], align)
		rest := pins[slot]
		for len(rest) > 0 && rest[0].lo < at+s.size[b] {
			if rest[0].hi > at {
				at = alignUp(rest[0].hi, align)
			}
			rest = rest[1:]
		}
		if s.fits(b, k, at) {
			s.lo[b], s.pool[b] = at, int32(k)
			next[slot], pins[slot] = at+s.size[b], rest
			return
		}
	}
}

// inProblemOrder lists the local buffers by problem index.
func (s *scene) inProblemOrder() []int32 {
	order := s.sequence(0, s.len())
	slices.SortFunc(order, func(a, b int32) int { return int(s.id[a]) - int(s.id[b]) })
	return order
}

// sequence lists the local buffers of [lo, hi).
func (s *scene) sequence(lo, hi int32) []int32 {
	out := make([]int32, 0, hi-lo)
	for b := lo; b < hi; b++ {
		out = append(out, b)
	}
	return out
}
