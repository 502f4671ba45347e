package layout

import (
	"cmp"
	"math/bits"
	"slices"
)

// mostSumWords bounds the words of all tables of sums of one search: 8 MiB.
const mostSumWords = 1 << 20

// sums are the sums of the subsets of some items, which come one after the other in a line, and of those that are still to
// come at any position of it.
type sums struct {
	// at are the items' positions, ascending; total[i] is the sum of items from the i-th on, rounding[i] how much of it is
	// due to rounding up.
	at              []int32
	total, rounding []int64
	// sets[i] has the bit n when some of the items from the i-th on sum to n*unit; nil when the tables would be too large
	// or everything has room.
	unit int64
	sets [][]uint64
}

// item is a position of the line and the bytes that it adds, with how many of them are due to rounding up.
type item struct {
	at              int32
	bytes, rounding int64
}

// newSums sums items up to a limit, above which no sum is of interest. It costs O(items * limit / unit / 64), at most the
// words that are left.
func newSums(items []item, limit int64, words *int) *sums {
	slices.SortFunc(items, func(a, b item) int { return cmp.Compare(a.at, b.at) })
	s := &sums{total: make([]int64, len(items)+1), rounding: make([]int64, len(items)+1), at: make([]int32, len(items))}
	for i := len(items) - 1; i >= 0; i-- {
		s.at[i], s.total[i], s.rounding[i] = items[i].at, s.total[i+1]+items[i].bytes, s.rounding[i+1]+items[i].rounding
		s.unit = gcd(s.unit, items[i].bytes)
	}
	if s.total[0] <= limit || limit < 0 {
		return s
	}
	width := limit/s.unit/64 + 1
	if width > int64(*words)/int64(len(items)+1) {
		return s
	}
	*words -= int(width) * (len(items) + 1)
	s.sets = make([][]uint64, len(items)+1)
	s.sets[len(items)] = make([]uint64, width)
	s.sets[len(items)][0] = 1
	for i := len(items) - 1; i >= 0; i-- {
		s.sets[i] = shifted(s.sets[i+1], items[i].bytes/s.unit)
	}
	return s
}

// shifted is a set of numbers and of the same numbers raised by n, as far as there is room for them.
func shifted(set []uint64, n int64) []uint64 {
	out := slices.Clone(set)
	words, shift := n/64, uint(n%64)
	for i := int64(len(set)) - 1; i >= words; i-- {
		out[i] |= set[i-words] << shift
		if shift > 0 && i > words {
			out[i] |= set[i-words-1] >> (64 - shift)
		}
	}
	return out
}

// from is the first item from a position of the line on.
func (s *sums) from(position int) int {
	i, _ := slices.BinarySearch(s.at, int32(position))
	return i
}

// most is the largest sum of items from a position of the line on that is not above the limit, or a number not below it;
// -1 when the limit is negative.
func (s *sums) most(position int, limit int64) int64 {
	i := s.from(position)
	switch {
	case limit < 0:
		return -1
	case s.total[i] <= limit:
		return s.total[i]
	case s.sets == nil:
		return limit
	}
	set, n := s.sets[i], limit/s.unit
	word := n / 64
	for mask := ^uint64(0) >> (63 - uint(n%64)); word >= 0; word, mask = word-1, ^uint64(0) {
		if found := set[word] & mask; found != 0 {
			return (word*64 + int64(bits.Len64(found)) - 1) * s.unit
		}
	}
	return 0
}
