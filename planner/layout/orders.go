package layout

import (
	"cmp"
	"math/bits"
	"slices"
)

// order is one way to line buffers up before placing them one by one: by the first key that tells two apart, in the end
// by problem index.
type order []key

// key is negative when a comes before b.
type key func(s *scene, a, b int32) int

// orders are tried in this order; of equally good results the earlier one counts.
var orders = []order{
	{bySize, byStart},
	{byTotal, bySize},
	{bySize},
	{byArea},
	{byLength},
	{byStart},
	{byLength, byArea},
	{byTotal, byArea, byLength},
	{byTotal, byLength, bySize},
	{byDegree, bySize},
	{byEnd, bySize},
	{byLength, bySize},
	{bySize, byLength},
}

func (o order) compare(s *scene, a, b int32) int {
	for _, k := range o {
		if c := k(s, a, b); c != 0 {
			return c
		}
	}
	return cmp.Compare(s.id[a], s.id[b])
}

// sorted lines up the buffers of [lo, hi).
func (s *scene) sorted(o order, lo, hi int32) []int32 {
	out := s.sequence(lo, hi)
	slices.SortFunc(out, func(a, b int32) int { return o.compare(s, a, b) })
	return out
}

// Larger sizes, areas, lengths, degrees, totals and ends come first, and earlier starts.

func bySize(s *scene, a, b int32) int { return cmp.Compare(s.size[b], s.size[a]) }

// byStart is by local index, which is by start and then by problem index; without lifetimes it is by problem index.
func byStart(_ *scene, a, b int32) int { return cmp.Compare(a, b) }

func byEnd(s *scene, a, b int32) int {
	if s.p.Conflicts != nil {
		return 0
	}
	return cmp.Compare(s.buffer(b).Live.Last, s.buffer(a).Live.Last)
}

func byLength(s *scene, a, b int32) int { return cmp.Compare(s.live.length(s, b), s.live.length(s, a)) }

// byArea compares size times length in 128 bits.
func byArea(s *scene, a, b int32) int {
	aHigh, aLow := bits.Mul64(uint64(s.size[a]), uint64(s.live.length(s, a)))
	bHigh, bLow := bits.Mul64(uint64(s.size[b]), uint64(s.live.length(s, b)))
	return cmp.Or(cmp.Compare(bHigh, aHigh), cmp.Compare(bLow, aLow))
}

func byDegree(s *scene, a, b int32) int {
	if s.degree == nil {
		s.degree = s.live.degrees(s)
	}
	return cmp.Compare(s.degree[b], s.degree[a])
}

func byTotal(s *scene, a, b int32) int {
	if s.total == nil {
		s.total = s.live.totals(s)
	}
	return cmp.Compare(s.total[b], s.total[a])
}
