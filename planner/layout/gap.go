package layout

import (
	"cmp"
	"math/bits"
	"slices"
)

// extent is the bytes [lo, hi) of a placed buffer.
type extent struct{ lo, hi int64 }

// A fit chooses an offset in pool k for a buffer that is not placed. Choosing the end is always possible: capacities are
// checked by the caller.
type fit func(s *scene, b int32, k int, work *budget) int64

// firstFit is the lowest offset that is free.
func firstFit(s *scene, b int32, k int, work *budget) int64 {
	at, looked := s.live.lowest(s, b, int32(k))
	work.spend(looked)
	return at
}

// bestFit is the offset that leaves the fewest bytes of its gap unused.
func bestFit(s *scene, b int32, k int, work *budget) int64 {
	return tightestGap(s.extents(b, k, work), s.size[b], s.align(b, k))
}

// lowestGap is the lowest offset with room among the extents, which are sorted by lo.
func lowestGap(taken []extent, size, align int64) int64 {
	at := int64(0)
	for _, t := range taken {
		if t.lo-at >= size {
			return at
		}
		if t.hi > at {
			at = alignUp(t.hi, align)
		}
	}
	return at
}

// tightestGap is the offset that leaves the fewest bytes of its gap unused, the lower one of two that are as good; the end
// is taken only when no gap has room. The extents are sorted by lo.
func tightestGap(taken []extent, size, align int64) int64 {
	at, best, left := int64(0), int64(-1), int64(0)
	for _, t := range taken {
		if spare := t.lo - at - size; spare >= 0 && (best < 0 || spare < left) {
			best, left = at, spare
			if spare == 0 {
				break
			}
		}
		if t.hi > at {
			at = alignUp(t.hi, align)
		}
	}
	if best >= 0 {
		return best
	}
	return at
}

// sorter sorts the extents gathered for one buffer. They number up to thousands, and this is where placing spends its
// time: they are dealt into about as many equal ranges of offsets as there are extents, which leaves little to sort
// inside one. Ties need no rule, for no fit depends on the order of extents that start together.
type sorter struct {
	// dealt is memory to deal into.
	dealt []extent
	// from is where each range starts in dealt.
	from []int32
}

// sort returns the extents in order of lo. It takes the argument's memory over when it returns other memory.
func (s *sorter) sort(taken []extent) []extent {
	const few = 16
	if len(taken) <= few {
		insertionSort(taken)
		return taken
	}
	top := int64(0)
	for _, t := range taken {
		top = max(top, t.lo)
	}
	shift := max(0, bits.Len64(uint64(top))-bits.Len(uint(len(taken)))-1)
	ranges := int(top>>shift) + 1
	s.from = slices.Grow(s.from[:0], ranges+2)[:ranges+2]
	clear(s.from)
	for _, t := range taken {
		s.from[t.lo>>shift+2]++
	}
	for i := 2; i < len(s.from); i++ {
		s.from[i] += s.from[i-1]
	}
	s.dealt = slices.Grow(s.dealt[:0], len(taken))[:len(taken)]
	for _, t := range taken {
		at := &s.from[t.lo>>shift+1]
		s.dealt[*at] = t
		*at++
	}
	for i := range ranges {
		if same := s.dealt[s.from[i]:s.from[i+1]]; len(same) > few {
			slices.SortFunc(same, func(a, b extent) int { return cmp.Compare(a.lo, b.lo) })
		} else if len(same) > 1 {
			insertionSort(same)
		}
	}
	taken, s.dealt = s.dealt, taken
	return taken
}

func insertionSort(taken []extent) {
	for i := 1; i < len(taken); i++ {
		t, j := taken[i], i
		for ; j > 0 && taken[j-1].lo > t.lo; j-- {
			taken[j] = taken[j-1]
		}
		taken[j] = t
	}
}
