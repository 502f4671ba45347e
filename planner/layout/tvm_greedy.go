package layout

import (
	"math"
)

// tvmGreedy places as the greedy planners of TVM's unified static memory planner do (src/tir/usmp/algo/greedy.cc, read
// 2026; own implementation).
//
//  1. Buffers come by size, then by the number of buffers they conflict with; or by these two the other way around. The
//     larger comes first, in the end the one whose name is further down the alphabet (see [Buffer.Rank]).
//  2. Each stands on the highest end of the buffers placed in the pool that it conflicts with, rounded up to that one's
//     alignment. Gaps below are never used.
//  3. Candidates in which it would end beyond the capacity are dropped; the first that is left takes it.
//
// TVM takes a pool up again when a later neighbour offers a lower offset there, so that two live buffers may overlap, and
// does not align an offset to the buffer's own alignment. Here a dropped pool stays dropped and every offset is aligned.
// With k neighbours per buffer it costs O(n (log n + k)).
type tvmGreedy struct{ order order }

var (
	tvmBySize      = order{bySize, byDegree, byNameDescending, byIndexDescending}
	tvmByConflicts = order{byDegree, bySize, byNameDescending, byIndexDescending}
)

func byNameDescending(s *scene, b int32) int64 { return ^int64(s.buffer(b).Rank) }

func byIndexDescending(s *scene, b int32) int64 { return -int64(s.id[b]) }

func (g tvmGreedy) place(s *scene, work *budget) {
	line := s.sorted(g.order, 0, s.len())
	for i, b := range line {
		if work.stop() {
			s.stack(line[i:])
			return
		}
		if !s.fixed(b) {
			s.putOnTop(b, work)
		}
	}
}

// putOnTop places a buffer above all its placed neighbours in the first candidate with room.
func (s *scene) putOnTop(b int32, work *budget) {
	for _, k := range s.candidates(b) {
		at := int64(0)
		align := s.align(b, k)
		looked := s.live.visit(s, b, int32(k), func(x int32) { at = max(at, s.above(x, k, align)) })
		work.spend(looked)
		if s.hasRoomAt(b, k, at) {
			s.set(b, k, at)
			return
		}
	}
}

// above is the end of a placed buffer rounded up to its own alignment, where TVM lets the next one start, and then to
// the next one's; 2^63-1 when that is too large a number.
func (s *scene) above(x int32, pool int, align int64) int64 {
	own := alignUp(s.lo[x]+s.size[x], s.align(x, pool))
	if own < 0 || alignUp(own, align) < 0 {
		return math.MaxInt64
	}
	return alignUp(own, align)
}

// hasRoomAt is fits for offsets of any size.
func (s *scene) hasRoomAt(b int32, pool int, at int64) bool {
	return at <= math.MaxInt64-s.size[b] && s.fits(b, pool, at)
}

// tvmSlot is where TVM's hill climb puts a buffer in a pool: it looks at the placed neighbours by offset and moves past
// each that it would touch. The second result is false when some neighbour, touched or not, leaves no room above it:
// TVM then drops the pool.
func (s *scene) tvmSlot(b int32, pool int, work *budget) (int64, bool) {
	align := s.align(b, pool)
	taken := s.space[:0]
	work.spend(s.live.visit(s, b, int32(pool), func(x int32) {
		taken = append(taken, extent{s.lo[x], s.above(x, pool, align)})
	}))
	taken = s.sorter.sort(taken)
	s.space = taken
	at := int64(0)
	for _, t := range taken {
		if !s.hasRoomAt(b, pool, t.hi) {
			return 0, false
		}
		if t.hi > at && at+s.size[b] > t.lo {
			at = t.hi
		}
	}
	return at, s.fits(b, pool, at)
}
