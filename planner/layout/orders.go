package layout

import (
	"cmp"
	"math/bits"
	"slices"
)

// order is one way to line buffers up before placing them one by one. Every order ends in the problem index.
type order struct {
	name    string
	compare func(s *scene, a, b int32) int
}

// orders are tried in this order; of equally good results the earlier one counts.
var orders = []order{
	{"size", func(s *scene, a, b int32) int { return cmp.Or(bySize(s, a, b), byStart(s, a, b)) }},
	{"area", func(s *scene, a, b int32) int { return cmp.Or(byArea(s, a, b), bySize(s, a, b)) }},
	{"length, area", func(s *scene, a, b int32) int { return cmp.Or(byLength(s, a, b), byArea(s, a, b)) }},
	{"total, area, length", func(s *scene, a, b int32) int {
		return cmp.Or(byTotal(s, a, b), byArea(s, a, b), byLength(s, a, b))
	}},
	{"total, length, size", func(s *scene, a, b int32) int {
		return cmp.Or(byTotal(s, a, b), byLength(s, a, b), bySize(s, a, b))
	}},
	{"total, size", func(s *scene, a, b int32) int { return cmp.Or(byTotal(s, a, b), bySize(s, a, b)) }},
	{"degree, size", func(s *scene, a, b int32) int { return cmp.Or(byDegree(s, a, b), bySize(s, a, b)) }},
	{"start, size", func(s *scene, a, b int32) int { return cmp.Or(byStart(s, a, b), bySize(s, a, b)) }},
	{"end, size", func(s *scene, a, b int32) int { return cmp.Or(byEnd(s, a, b), bySize(s, a, b)) }},
	{"length, size", func(s *scene, a, b int32) int { return cmp.Or(byLength(s, a, b), bySize(s, a, b)) }},
	{"size, length", func(s *scene, a, b int32) int { return cmp.Or(bySize(s, a, b), byLength(s, a, b)) }},
}

// sorted lines up the buffers of [lo, hi).
func (s *scene) sorted(o order, lo, hi int32) []int32 {
	out := s.sequence(lo, hi)
	slices.SortFunc(out, func(a, b int32) int { return cmp.Or(o.compare(s, a, b), cmp.Compare(s.id[a], s.id[b])) })
	return out
}

// Larger sizes, areas, lengths, degrees, totals and ends come first, and earlier starts.

func bySize(s *scene, a, b int32) int { return cmp.Compare(s.size[b], s.size[a]) }

func byStart(s *scene, a, b int32) int { return cmp.Compare(s.firstStep(a), s.firstStep(b)) }

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
