package layout

import (
	"cmp"
	"slices"
)

// totals is for each buffer the largest sum of live sizes in a section of its lifetime. It costs O(n log n).
func (t *timeline) totals(s *scene) []int64 {
	loads := t.loads(s.size, func(int32) bool { return true })
	if t.shapes != nil {
		loads = t.loadsByPieces(func(int32) bool { return true }, 1)
	}
	// tree[m+i] is section i; tree[k] the larger of its two children.
	m := len(loads)
	tree := append(make([]int64, m), loads...)
	for k := m - 1; k > 0; k-- {
		tree[k] = max(tree[2*k], tree[2*k+1])
	}
	out := make([]int64, len(t.first))
	for b := range out {
		lo, hi := int(t.first[b])+m, int(t.last[b])+m
		for ; lo < hi; lo, hi = lo/2, hi/2 {
			if lo&1 == 1 {
				out[b] = max(out[b], tree[lo])
				lo++
			}
			if hi&1 == 1 {
				hi--
				out[b] = max(out[b], tree[hi])
			}
		}
	}
	return out
}

// loads sums the sizes live in each section.
func (t *timeline) loads(size []int64, member func(int32) bool) []int64 {
	loads := make([]int64, len(t.start)+1)
	for b := range t.first {
		if member(int32(b)) {
			loads[t.first[b]] += size[b]
			loads[t.last[b]] -= size[b]
			for _, h := range t.holesOf(int32(b)) {
				loads[h.lo] -= size[b]
				loads[h.hi] += size[b]
			}
		}
	}
	for i := 1; i < len(loads); i++ {
		loads[i] += loads[i-1]
	}
	return loads[:len(t.start)]
}

// bound is the largest sum of live bytes. When offsets are multiples of unit, each buffer of a live set but the topmost
// takes its size rounded up, so the rounded sum less the largest rounding holds as well.
func (t *timeline) bound(s *scene, member func(int32) bool, unit int64) (int64, int64) {
	most, step := int64(0), int64(-1)
	for section, load := range t.heights(s, member, unit) {
		if load > most {
			most, step = load, t.start[section]
		}
	}
	return most, step
}

// heights is the least height of what is live in each section.
func (t *timeline) heights(s *scene, member func(int32) bool, unit int64) []int64 {
	if t.shapes != nil {
		return t.loadsByPieces(member, unit)
	}
	if unit == 1 {
		return t.loads(s.size, member)
	}
	rounded := make([]int64, len(s.size))
	var roundings []rounding
	for b, size := range s.size {
		rounded[b] = alignUp(size, unit)
		if member(int32(b)) && rounded[b] > size {
			roundings = append(roundings, rounding{hole{t.first[b], t.last[b]}, rounded[b] - size})
		}
	}
	loads := t.loads(rounded, member)
	for section, bytes := range t.largestRoundings(roundings) {
		loads[section] -= bytes
	}
	return loads
}

// rounding is how many bytes of something in a range of sections are due to rounding up.
type rounding struct {
	hole
	bytes int64
}

// largestRoundings is the largest of the roundings in each section. A buffer counts in gaps of the whole of it as well, which
// leaves the bound lower than it could be. It costs O(n log n).
func (t *timeline) largestRoundings(by []rounding) []int64 {
	slices.SortFunc(by, func(a, b rounding) int { return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.lo, b.lo)) })
	out := make([]int64, len(t.start))
	// next[i] leads to the first section at or after i that has no value yet.
	next := make([]int32, len(t.start)+1)
	for i := range next {
		next[i] = int32(i)
	}
	free := func(i int32) int32 {
		for next[i] != i {
			next[i] = next[next[i]]
			i = next[i]
		}
		return i
	}
	for _, r := range by {
		for i := free(r.lo); i < r.hi; i = free(i) {
			out[i] = r.bytes
			next[i] = i + 1
		}
	}
	return out
}

// crowd lists the members live at the step that bound names.
func (t *timeline) crowd(s *scene, member func(int32) bool, unit int64) []share {
	_, step := t.bound(s, member, unit)
	var out []share
	loose := false
	for b := range s.len() {
		if !member(b) {
			continue
		}
		if p := t.pieceAt(s, b, step, unit); p.bytes > 0 {
			out, loose = append(out, share{b, p.bytes, p.more}), loose || p.loose
		}
	}
	for i := range out {
		if loose {
			out[i].rounding = 0
		}
	}
	return out
}
