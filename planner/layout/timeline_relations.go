package layout

import "slices"

// neighbourhoods finds each pair at the one that starts later.
func (t *timeline) neighbourhoods(s *scene) [][]int32 {
	out := make([][]int32, s.len())
	for b := range s.len() {
		for x := b + 1; x < t.from[t.last[b]]; x++ {
			if t.overlap(b, x) {
				out[b], out[x] = append(out[b], x), append(out[x], b)
			}
		}
	}
	return out
}

func (t *timeline) visit(_ *scene, b int32, pool int32, f func(x int32)) int {
	from, to := t.span(b)
	looked := 0
	for _, block := range t.blocks[from : to+1] {
		looked += len(block)
		for i := range block {
			if r := &block[i]; r.pool == pool && t.overlap(b, r.id) {
				f(r.id)
			}
		}
	}
	return looked
}

func (t *timeline) overlap(a, b int32) bool {
	return t.first[a] < t.last[b] && t.first[b] < t.last[a] && (t.holes == nil || t.meet(a, b))
}

// cliques returns the live set of each section of [lo, hi) in which somebody starts and after which somebody ends before
// the next start: every other live set is a part of one of these. With gaps it returns those of all sections.
func (t *timeline) cliques(_ *scene, lo, hi int32) [][]int32 {
	var out [][]int32
	var live []int32
	end := t.first[hi-1] + 1
	if t.holes != nil {
		end = slices.Max(t.last[lo:hi])
	}
	for section := t.first[lo]; section < end; section++ {
		live = slices.DeleteFunc(live, func(b int32) bool { return t.last[b] <= section })
		for ; lo < hi && t.first[lo] == section; lo++ {
			live = append(live, lo)
		}
		ends := lo == hi || slices.ContainsFunc(live, func(b int32) bool { return t.last[b] <= section+1 })
		if ends || t.holes != nil {
			out = append(out, t.awake(live, section))
		}
	}
	return out
}

// length is the lifetime in steps, without its gaps.
func (t *timeline) length(s *scene, b int32) int64 {
	buffer := s.buffer(b)
	if len(buffer.Gaps) == 0 {
		return buffer.Live.Last - buffer.Live.First
	}
	length := int64(0)
	for _, span := range buffer.spans() {
		length += span.Last - span.First
	}
	return length
}

// degrees counts for each buffer the others it overlaps: those that started before its end less those that ended before
// its start. Lifetimes count as if they had no gaps. It costs O(n).
func (t *timeline) degrees(*scene) []int32 {
	ended := make([]int32, len(t.start)+1)
	for _, last := range t.last {
		ended[last]++
	}
	for i := 1; i < len(ended); i++ {
		ended[i] += ended[i-1]
	}
	out := make([]int32, len(t.first))
	for b := range out {
		out[b] = t.from[t.last[b]] - ended[t.first[b]] - 1
	}
	return out
}
