package layout

import (
	"cmp"
	"math"
	"slices"
)

// tfliteGreedy places as TensorFlow Lite's arena planner does (tensorflow/lite/arena_planner.cc and
// simple_memory_arena.cc, read 2026; own implementation).
//
//  1. Buffers that live from the first step to the last come first, in the order of the problem; then the others by
//     size, largest first; equal sizes by first step, then by index. TensorFlow Lite leaves the last tie to its sort.
//  2. Each goes into the gap between placed buffers of overlapping lifetimes that the arena thinks tightest, else behind
//     the last of them. With several candidate pools the first with room takes it, which TensorFlow Lite does not have.
//
// It does not look for a lower peak. With k neighbours per buffer it costs O(n (log n + k)).
type tfliteGreedy struct{}

func (tfliteGreedy) place(s *scene, work *budget) {
	s.whole = true
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for b := range s.len() {
		live := s.buffer(b).Live
		first, last = min(first, live.First), max(last, live.Last)
	}
	whole := make([]bool, s.len())
	for b := range s.len() {
		whole[b] = s.p.Conflicts == nil && s.buffer(b).Live == (Span{first, last})
	}
	order := s.sequence(0, s.len())
	slices.SortFunc(order, func(a, b int32) int {
		switch {
		case whole[a] && whole[b]:
			return cmp.Compare(s.id[a], s.id[b])
		case whole[a]:
			return -1
		case whole[b]:
			return 1
		}
		return tfliteOrder.compare(s, a, b)
	})
	s.run(order, arenaFit, work)
}

var tfliteOrder = order{bySize, byStart}

func arenaFit(s *scene, b int32, k int, work *budget) int64 {
	return tightestInArena(s.extents(b, k, work), s.size[b], s.align(b, k))
}

// tightestInArena is TensorFlow Lite's choice of a gap. It measures a gap from the aligned offset but remembers it from the
// unaligned one, so that with alignments it may keep a gap that is not the tightest; it stops at a remembered gap of 0.
func tightestInArena(taken []extent, size, align int64) int64 {
	at, best, tightest := int64(0), int64(-1), int64(math.MaxInt64)
	for _, t := range taken {
		aligned := alignUp(at, align)
		if t.lo-aligned >= size && t.lo-aligned < tightest {
			best, tightest = aligned, t.lo-at
		}
		at = max(at, t.hi)
		if tightest == 0 {
			break
		}
	}
	if best >= 0 {
		return best
	}
	return alignUp(at, align)
}
