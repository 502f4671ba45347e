package layout

import (
	"cmp"
	"slices"
)

// timeline is the liveness of buffers with lifetimes. Time is counted in sections: section k starts at the k-th distinct
// step at which a lifetime starts or goes on after a gap. Two lifetimes overlap exactly when they share a section.
//
// Sections are grouped into blocks, each with the list of the placed buffers that are live in it, in order of offset. A
// buffer that lives in one block finds its neighbours there, already sorted; one that lives in several merges their
// lists. A block holds at least as many starts as buffers were live before it, so all lists together have at most about
// three entries for each buffer.
type timeline struct {
	// first and last are the half-open lifetime in sections, by local index.
	first, last []int32
	// holes are the gaps of each buffer's lifetime in sections, ascending; nil when no buffer has any.
	holes [][]hole
	// shapes are the lives of all buffers cut at their gaps, inPieces those of which only some bytes are live in some section;
	// nil when that is so of none. distances is scratch space.
	shapes    [][]segment
	inPieces  []bool
	distances []extent
	// from is the local index of the first buffer that starts in each section or later, with one more entry at the end.
	from []int32
	// start is the step at which each section starts.
	start []int64
	// blockOf is the block of each section; blocks their lists.
	blockOf []int32
	blocks  [][]resident
	sorter  sorter
	// runs are the bytes that each block's list takes in each pool of the scene, whoever takes them: all that a buffer that
	// lives through the whole block needs to know. They are sorted and do not touch; nil when some buffer has gaps.
	runs [][]extent
	// top is the highest end of all that was ever placed; cursors are scratch space of lowestAcross.
	top     int64
	cursors []int32
}

// resident is a placed buffer in the list of a block.
type resident struct {
	extent
	first, last int32
	pool        int32
	id          int32
}

// newTimeline reads the lifetimes of ids, which are sorted by start, for a scene of that many pools. The second result is the parts: no lifetime
// crosses from one into the next. It costs O(n log n).
func newTimeline(p *Problem, ids []int32, pools int) (*timeline, []int32) {
	n := len(ids)
	t := &timeline{first: make([]int32, n), last: make([]int32, n), start: sectionStarts(p, ids)}
	t.from = make([]int32, 0, len(t.start)+1)
	for i, id := range ids {
		for len(t.from) < len(t.start) && t.start[len(t.from)] <= p.Buffers[id].Live.First {
			t.from = append(t.from, int32(i))
		}
		t.first[i] = int32(len(t.from) - 1)
		t.last[i] = t.section(p.Buffers[id].Live.Last)
	}
	for len(t.from) <= len(t.start) {
		t.from = append(t.from, int32(n))
	}
	if slices.ContainsFunc(ids, func(id int32) bool { return p.Buffers[id].partial() }) {
		t.addShapes(p, ids)
	} else {
		t.addHoles(p, ids)
	}
	t.addBlocks()
	if t.holes == nil {
		t.runs = make([][]extent, len(t.blocks)*pools)
	}
	return t, t.split()
}

// split finds the sections that no lifetime reaches from before.
func (t *timeline) split() []int32 {
	parts := []int32{}
	reach := int32(0)
	for i := range t.first {
		if t.first[i] >= reach {
			parts = append(parts, int32(i))
		}
		reach = max(reach, t.last[i])
	}
	return append(parts, int32(len(t.first)))
}

// addBlocks starts a new block whenever the current one has as many starts as buffers were live before it, and makes
// room for the list of each.
func (t *timeline) addBlocks() {
	const fewest = 64
	t.blockOf = make([]int32, len(t.start))
	var live []int32
	var room []int
	before, blockStart := 0, int32(0)
	for section := range t.start {
		at := t.from[section]
		if section == 0 || int(at-blockStart) >= max(fewest, before) {
			live = slices.DeleteFunc(live, func(b int32) bool { return t.last[b] <= int32(section) })
			before, blockStart = len(live), at
			room = append(room, before)
		}
		t.blockOf[section] = int32(len(room) - 1)
		starts := t.from[section+1] - at
		room[len(room)-1] += int(starts)
		for b := at; b < at+starts; b++ {
			live = append(live, b)
		}
	}
	total := 0
	for _, n := range room {
		total += n
	}
	slab := make([]resident, total)
	t.blocks = make([][]resident, len(room))
	for i, n := range room {
		t.blocks[i], slab = slab[:0:n], slab[n:]
	}
}

// span is the first and the last block that b lives in.
func (t *timeline) span(b int32) (int32, int32) { return t.blockOf[t.first[b]], t.blockOf[t.last[b]-1] }

func (t *timeline) insert(s *scene, b int32) {
	r := resident{extent{s.lo[b], s.lo[b] + s.size[b]}, t.first[b], t.last[b], s.pool[b], b}
	t.top = max(t.top, r.hi)
	for k, end := t.span(b); k <= end; k++ {
		if t.runs != nil {
			i := t.runsOf(s, k, r.pool)
			t.runs[i] = cover(t.runs[i], r.extent)
		}
		at, _ := slices.BinarySearchFunc(t.blocks[k], r.lo, func(x resident, lo int64) int { return cmp.Compare(x.lo, lo) })
		t.blocks[k] = slices.Insert(t.blocks[k], at, r)
	}
}

func (t *timeline) forget(s *scene, lo, hi int32) {
	reach := t.first[lo]
	for _, last := range t.last[lo:hi] {
		reach = max(reach, last-1)
	}
	for k := t.blockOf[t.first[lo]]; k <= t.blockOf[reach]; k++ {
		t.blocks[k] = slices.DeleteFunc(t.blocks[k], func(r resident) bool { return lo <= r.id && r.id < hi })
		if t.runs == nil {
			continue
		}
		for slot := range s.pools {
			t.runs[int(k)*len(s.pools)+slot] = t.runs[int(k)*len(s.pools)+slot][:0]
		}
		for _, r := range t.blocks[k] {
			i := t.runsOf(s, k, r.pool)
			t.runs[i] = cover(t.runs[i], r.extent)
		}
	}
}

// taken joins extents of a block that touch into one as it reads them, which leaves few to merge for a buffer of many
// blocks. One that lives in several of them is read as often.
func (t *timeline) taken(s *scene, b int32, pool int32, dst []extent) ([]extent, int) {
	if t.shapes != nil && !s.whole {
		return t.takenByPieces(s, b, pool, dst)
	}
	first, last := t.first[b], t.last[b]
	from, to := t.span(b)
	looked := 0
	for k := from; k <= to; k++ {
		if t.runs != nil && from < k && k < to {
			runs := t.runs[t.runsOf(s, k, pool)]
			dst = append(dst, runs...)
			looked += len(runs)
			continue
		}
		block := t.blocks[k]
		looked += len(block)
		run := extent{0, 0}
		for i := range block {
			r := &block[i]
			if r.first < last && first < r.last && r.pool == pool && (t.holes == nil || t.meet(b, r.id)) {
				dst, run = join(dst, run, r.extent, 0)
			}
		}
		if run.hi > 0 {
			dst = append(dst, run)
		}
	}
	if from < to {
		dst = t.sorter.sort(dst)
	}
	return dst, looked
}
