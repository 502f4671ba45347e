package layout

import (
	"cmp"
	"math"
)

// score ranks placements by the objectives in order: bytes without a place, bytes outside first choices, how far down
// the lists of candidates those stand, and the sum of the pools' peaks.
type score struct {
	unplaced, displaced, depth, height int64
	// peaks are by slot.
	peaks []int64
}

// score rates the placement of the buffers [lo, hi). When all stand in their first choices a peak counts from the pool's
// floor up: a lower one wins nothing.
func (s *scene) score(lo, hi int32) score {
	out := score{peaks: make([]int64, len(s.pools))}
	for b := lo; b < hi; b++ {
		k := int(s.pool[b])
		if s.pool[b] == nowhere {
			out.unplaced += s.size[b]
			continue
		}
		out.peaks[s.slot[k]] = max(out.peaks[s.slot[k]], s.lo[b]+s.size[b])
		if rank := s.rank(b, k); rank > 0 {
			out.displaced += s.size[b]
			out.depth = saturatingAdd(out.depth, s.size[b], int64(rank))
		}
	}
	for slot, peak := range out.peaks {
		if out.displaced == 0 {
			peak = max(peak, s.floor[slot])
		}
		out.height = saturatingAdd(out.height, peak, 1)
	}
	return out
}

// rank is the position of pool k among the candidates of b.
func (s *scene) rank(b int32, k int) int {
	for i, candidate := range s.candidates(b) {
		if candidate == k {
			return i
		}
	}
	return 0
}

// compare is negative when a is better than b.
func (a score) compare(b score) int {
	return cmp.Or(cmp.Compare(a.unplaced, b.unplaced), cmp.Compare(a.displaced, b.displaced),
		cmp.Compare(a.depth, b.depth), cmp.Compare(a.height, b.height))
}

// done reports whether nothing better is asked for: all buffers stand in their first choices and no peak exceeds its
// floor, or any placement of all buffers will do and this is one.
func (s *scene) done(a score) bool {
	if s.decide && a.unplaced == 0 {
		return true
	}
	if a.unplaced > 0 || a.displaced > 0 {
		return false
	}
	for slot, peak := range a.peaks {
		if peak > s.floor[slot] {
			return false
		}
	}
	return true
}

// saturatingAdd is sum + x*times, at most 2^63-1.
func saturatingAdd(sum, x, times int64) int64 {
	if x > (math.MaxInt64-sum)/times {
		return math.MaxInt64
	}
	return sum + x*times
}
