package layout

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// order is one way to line buffers up before placing them one by one: by the first key that tells two apart, in the end
// by problem index.
type order []key

// key is what buffers are compared by: the one with the smaller value comes first.
type key func(s *scene, b int32) int64

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
		if c := cmp.Compare(k(s, a), k(s, b)); c != 0 {
			return c
		}
	}
	return cmp.Compare(s.id[a], s.id[b])
}

// sorted lines up the buffers of [lo, hi).
func (s *scene) sorted(o order, lo, hi int32) []int32 {
	out := s.sequence(lo, hi)
	sortBy(out, func(b int32) int64 { return o[0](s, b) }, func(a, b int32) int { return o.compare(s, a, b) })
	return out
}

// sortBy sorts by value, and buffers of equal value by compare. It keeps the values beside the buffers, so that it mostly needs
// no look elsewhere in memory.
func sortBy(list []int32, value func(b int32) int64, compare func(a, b int32) int) {
	type valued struct {
		value int64
		b     int32
	}
	work := make([]valued, len(list))
	for i, b := range list {
		work[i] = valued{value(b), b}
	}
	slices.SortFunc(work, func(x, y valued) int {
		if x.value != y.value {
			return cmp.Compare(x.value, y.value)
		}
		return compare(x.b, y.b)
	})
	for i := range work {
		list[i] = work[i].b
	}
}

// Larger sizes, areas, lengths, degrees, totals and ends come first, and earlier starts.

func bySize(s *scene, b int32) int64 { return -s.size[b] }

// byStart is by local index, which is by start and then by problem index; without lifetimes it is by problem index.
func byStart(_ *scene, b int32) int64 { return int64(b) }

func byEnd(s *scene, b int32) int64 {
	if s.p.Conflicts != nil {
		return 0
	}
	return ^s.buffer(b).Live.Last
}

func byLength(s *scene, b int32) int64 { return -s.live.length(s, b) }

// byArea takes all areas of 2^63 and more for equal.
func byArea(s *scene, b int32) int64 {
	high, low := bits.Mul64(uint64(s.size[b]), uint64(s.live.length(s, b)))
	if high > 0 || low > math.MaxInt64 {
		return -math.MaxInt64
	}
	return -int64(low)
}

func byDegree(s *scene, b int32) int64 {
	if s.degree == nil {
		s.degree = s.live.degrees(s)
	}
	return -int64(s.degree[b])
}

func byTotal(s *scene, b int32) int64 {
	if s.total == nil {
		s.total = s.live.totals(s)
	}
	return -s.total[b]
}
