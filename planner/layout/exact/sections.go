package exact

import (
	bits64 "math/bits"
	"slices"
)

// sectionsOf lists the sections of the buffers ids, by their places in ids; nil when there are too many buffers or sections to
// search.
func sectionsOf(p *Problem, ids []int32) [][]int32 {
	if len(ids) > maxSearched {
		return nil
	}
	if p.Conflicts != nil {
		return cliques(p, ids)
	}
	sections := sweep(p, ids)
	for _, id := range ids {
		if len(p.Buffers[id].Live) > 1 {
			return maximal(sections, len(ids))
		}
	}
	for _, members := range sections {
		slices.Sort(members)
	}
	return sections
}

// maximal drops the sections that are part of another one and sorts the members of the rest. A bound or a conflict in a
// dropped section is as strong in the one that covers it. O(sections² · n/64).
func maximal(sections [][]int32, n int) [][]int32 {
	sets := make([]bits, len(sections))
	for i, members := range sections {
		slices.Sort(members)
		sets[i] = newBits(n)
		for _, b := range members {
			sets[i].set(b)
		}
	}
	var kept [][]int32
	for i := range sections {
		covered := false
		for k := range sections {
			if k != i && sets[i].within(sets[k]) && (k < i || !sets[k].within(sets[i])) {
				covered = true
				break
			}
		}
		if !covered {
			kept = append(kept, sections[i])
		}
	}
	return kept
}

// bits is a set of small numbers.
type bits []uint64

func newBits(n int) bits { return make(bits, (n+63)/64) }

func (b bits) set(i int32)      { b[i>>6] |= 1 << (i & 63) }
func (b bits) has(i int32) bool { return b[i>>6]>>(i&63)&1 != 0 }

func (b bits) add(other bits) {
	for i, w := range other {
		b[i] |= w
	}
}

func (b bits) size() int {
	n := 0
	for _, w := range b {
		n += bits64.OnesCount64(w)
	}
	return n
}

// list appends the members, ascending.
func (b bits) list(to []int32) []int32 {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			to = append(to, int32(i<<6+bits64.TrailingZeros64(w)))
		}
	}
	return to
}

func (b bits) within(other bits) bool {
	for i, w := range b {
		if w&^other[i] != 0 {
			return false
		}
	}
	return true
}

// index fills in what follows from the sections: members, runs, hulls and conflicts.
func (m *model) index(sections [][]int32) {
	n := m.len()
	m.runs, m.hull = make([][]run, n), make([]run, n)
	m.meets = make([]bits, n)
	for b := range m.meets {
		m.meets[b] = newBits(n)
	}
	together := newBits(n)
	m.members.reserve(len(sections), sizeOf(sections))
	for s, members := range sections {
		m.members.add(members)
		clear(together)
		for _, b := range members {
			together.set(b)
		}
		for _, b := range members {
			m.meets[b].add(together)
			m.extend(b, int32(s))
		}
	}
	pairs := 0
	for _, met := range m.meets {
		pairs += met.size() - 1
	}
	m.conflicts.reserve(n, pairs)
	var row []int32
	for b := range int32(n) {
		row = m.meets[b].list(row[:0])
		self := slices.Index(row, b)
		m.conflicts.add(slices.Delete(row, self, self+1))
		runs := m.runs[b]
		m.hull[b] = run{runs[0].lo, runs[len(runs)-1].hi}
	}
}

// sizeOf is the total size of sections.
func sizeOf(sections [][]int32) int {
	total := 0
	for _, members := range sections {
		total += len(members)
	}
	return total
}

// extend adds a section to b's runs.
func (m *model) extend(b, section int32) {
	runs := m.runs[b]
	if k := len(runs) - 1; k >= 0 && runs[k].hi == section-1 {
		runs[k].hi = section
		return
	}
	m.runs[b] = append(runs, run{section, section})
}
