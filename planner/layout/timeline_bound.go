package layout

import (
	"cmp"
	"slices"
)

// totals is for each buffer the largest sum of live sizes in a section of its lifetime. It costs O(n log n).
func (t *timeline) totals(s *scene) []int64 {
	loads := t.loads(s.size, func(int32) bool { return true })
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
	rounded := s.size
	var waste []int64
	if unit > 1 {
		rounded = make([]int64, len(s.size))
		for b, size := range s.size {
			rounded[b] = alignUp(size, unit)
		}
		waste = t.largestRounding(s, rounded, member)
	}
	most, step := int64(0), int64(-1)
	for section, load := range t.loads(rounded, member) {
		if waste != nil {
			load -= waste[section]
		}
		if load > most {
			most, step = load, t.start[section]
		}
	}
	return most, step
}

// largestRounding is the largest rounded[b]-size[b] of the members live in each section; a member counts in its gaps as
// well, which leaves the bound lower than it could be. It costs O(n log n).
func (t *timeline) largestRounding(s *scene, rounded []int64, member func(int32) bool) []int64 {
	var by []int32
	for b := range s.len() {
		if member(b) && rounded[b] > s.size[b] {
			by = append(by, b)
		}
	}
	slices.SortFunc(by, func(a, b int32) int {
		return cmp.Or(cmp.Compare(rounded[b]-s.size[b], rounded[a]-s.size[a]), cmp.Compare(a, b))
	})
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
	for _, b := range by {
		for i := free(t.first[b]); i < t.last[b]; i = free(i) {
			out[i] = rounded[b] - s.size[b]
			next[i] = i + 1
		}
	}
	return out
}

// crowd lists the members live at the step that bound names.
func (t *timeline) crowd(s *scene, member func(int32) bool, unit int64) []int32 {
	_, step := t.bound(s, member, unit)
	var out []int32
	for b := range s.len() {
		if span := s.buffer(b).Live; member(b) && span.First <= step && step < span.Last && !s.buffer(b).absent(step) {
			out = append(out, b)
		}
	}
	return out
}
