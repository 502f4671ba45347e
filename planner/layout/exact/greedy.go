package exact

import (
	"cmp"
	"slices"
)

// greedyOrders are the orders of the first incumbents. Each is tried with gaps filled from below.
var greedyOrders = []string{"Z", "A", "W", "S", "O", "C", "TWA", "TAW", "WAT", "ZWT", "L", "E", "U"}

// incumbent is a first placement, in bytes by the model's numbers, and its peak: the known one when it holds, else the best
// of the greedy ones; none, with offsets nil, when pins left no room in any. Ties go to the earlier order. O(orders ·
// conflicts · log).
func (m *model) incumbent(known []int64) (offsets []int64, peak int64) {
	peak = far
	keep := func(o []int64) {
		if h := m.peak(o); h < peak && m.holds(o) {
			offsets, peak = o, h
		}
	}
	if known != nil {
		keep(known)
	}
	if slices.ContainsFunc(m.hint, func(h int64) bool { return h >= 0 }) {
		keep(m.firstFit(m.byHint()))
	}
	if offsets != nil {
		return offsets, peak
	}
	totals := newState(m, far, nil).total
	rank := make([]int32, m.len())
	for _, keys := range greedyOrders {
		sequence := make([]int32, m.len())
		for i := range sequence {
			sequence[i] = int32(i)
		}
		newRanking(m, order{keys: keys}).sort(sequence, totals, rank)
		keep(m.firstFit(sequence))
	}
	return offsets, peak
}

// byHint lists the buffers by hint, those without one last.
func (m *model) byHint() []int32 {
	sequence := make([]int32, m.len())
	for i := range sequence {
		sequence[i] = int32(i)
	}
	key := func(b int32) int64 {
		if m.hint[b] < 0 {
			return far
		}
		return m.hint[b]
	}
	slices.SortFunc(sequence, func(a, b int32) int { return cmp.Or(cmp.Compare(key(a), key(b)), cmp.Compare(a, b)) })
	return sequence
}

// firstFit places the pinned buffers, then the others in turn, each in the lowest gap between its placed conflicts. O(n²).
func (m *model) firstFit(sequence []int32) []int64 {
	at := make([]int64, m.len())
	var placed []int32
	put := func(b int32, offset int64) {
		at[b] = offset
		k := len(placed)
		for placed = append(placed, b); k > 0 && at[placed[k-1]] > offset; k-- {
			placed[k] = placed[k-1]
		}
		placed[k] = b
	}
	for b, pin := range m.pin {
		if pin != none {
			put(int32(b), pin)
		}
	}
	for _, b := range sequence {
		if m.pin[b] == none {
			put(b, m.lowestGap(b, placed, at))
		}
	}
	for b := range at {
		at[b] *= m.unit
	}
	return at
}

// lowestGap is the lowest offset with room for b among the placed buffers, which are in order of offset.
func (m *model) lowestGap(b int32, placed []int32, at []int64) int64 {
	gap, size, meets := int64(0), m.size[b], m.meets[b]
	for _, other := range placed {
		if !meets.has(other) {
			continue
		}
		if gap+size <= at[other] {
			break
		}
		gap = alignUp(max(gap, at[other]+m.size[other]), m.align[b])
	}
	return gap
}
