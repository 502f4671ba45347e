package exact

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// order is a way to rank buffers: by keys, descending, the first that differs decides, and by number in the end. Keys:
// W length of life, A size times W, T largest total of unplaced sizes in a section of the buffer, Z size, O conflicts,
// C sections, S size times C, L start, E early start, U end.
type order struct {
	keys string
	// again says that each part of a split is ranked anew, by what is unplaced then.
	again bool
	// noise, when not 0, seeds a perturbation of the order: each buffer may fall back by an eighth of the others.
	noise uint64
}

// ranking holds the values an order ranks by: one row of keys for each buffer.
type ranking struct {
	order
	m      *model
	values []int64
}

// newRanking measures the static keys once. O(n · keys).
func newRanking(m *model, o order) *ranking {
	r := &ranking{order: o, m: m, values: make([]int64, m.len()*len(o.keys))}
	for b := range int32(m.len()) {
		row := r.row(b)
		for k, key := range []byte(o.keys) {
			row[k] = m.value(b, key)
		}
	}
	return r
}

func (r *ranking) row(b int32) []int64 {
	k := len(r.keys)
	return r.values[int(b)*k : int(b)*k+k]
}

// value is a buffer's value of a static key.
func (m *model) value(b int32, key byte) int64 {
	switch key {
	case 'W':
		return m.span[b]
	case 'A':
		return saturated(m.span[b], m.size[b])
	case 'Z':
		return m.size[b]
	case 'O':
		return int64(len(m.conflicts.row(b)))
	case 'C':
		return m.sectionCount(b)
	case 'S':
		return saturated(m.sectionCount(b), m.size[b])
	case 'L':
		return m.start[b]
	case 'E':
		return -m.start[b]
	case 'U':
		return m.end[b]
	}
	return 0
}

func (m *model) sectionCount(b int32) int64 {
	n := int64(0)
	for _, r := range m.runs[b] {
		n += int64(r.hi - r.lo + 1)
	}
	return n
}

// saturated is a·b, or far when that is more.
func saturated(a, b int64) int64 {
	if a > 0 && b > far/a {
		return far
	}
	return a * b
}

// sort puts buffers in order and gives them ranks from 0; total is each section's unplaced total. O(n · (sections +
// log n)).
func (r *ranking) sort(buffers []int32, total []int64, rank []int32) {
	for k, key := range []byte(r.keys) {
		if key == 'T' {
			for _, b := range buffers {
				r.row(b)[k] = r.m.largest(b, total)
			}
		}
	}
	slices.SortFunc(buffers, func(a, b int32) int {
		return cmp.Or(slices.Compare(r.row(b), r.row(a)), cmp.Compare(a, b))
	})
	for i, b := range buffers {
		rank[b] = int32(i)
	}
	if r.noise != 0 {
		r.disturb(buffers, rank)
	}
}

// disturb lets each buffer fall back by up to an eighth of all places, as the seed says.
func (r *ranking) disturb(buffers, rank []int32) {
	source := rand.New(rand.NewPCG(r.noise, 0))
	reach := int32(len(buffers)/8 + 1)
	for _, b := range buffers {
		rank[b] += source.Int32N(reach)
	}
	slices.SortStableFunc(buffers, func(a, b int32) int { return cmp.Compare(rank[a], rank[b]) })
	for i, b := range buffers {
		rank[b] = int32(i)
	}
}

func (m *model) largest(b int32, total []int64) int64 {
	most := int64(0)
	for _, r := range m.runs[b] {
		for s := r.lo; s <= r.hi; s++ {
			most = max(most, total[s])
		}
	}
	return most
}
