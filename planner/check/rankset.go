package check

import "math/bits"

// rankSet is a set of numbers below n. Each level has a bit for every word of the level below that is not 0, so that
// neighbours are found in as many steps as there are levels: O(log n) with base 64.
type rankSet struct{ levels [][]uint64 }

func newRankSet(n int) *rankSet {
	s := &rankSet{}
	for {
		n = (n + 63) / 64
		s.levels = append(s.levels, make([]uint64, max(1, n)))
		if n <= 1 {
			return s
		}
	}
}

func (s *rankSet) add(i int) {
	for _, level := range s.levels {
		level[i/64] |= 1 << (i % 64)
		i /= 64
	}
}

func (s *rankSet) remove(i int) {
	for _, level := range s.levels {
		level[i/64] &^= 1 << (i % 64)
		if level[i/64] != 0 {
			return
		}
		i /= 64
	}
}

// before returns the largest member below i, -1 when there is none.
func (s *rankSet) before(i int) int {
	for k, level := range s.levels {
		if word := level[i/64] & (1<<(i%64) - 1); word != 0 {
			return s.descend(k, i/64*64+63-bits.LeadingZeros64(word), func(w uint64) int { return 63 - bits.LeadingZeros64(w) })
		}
		i /= 64
	}
	return -1
}

// after returns the smallest member above i, -1 when there is none.
func (s *rankSet) after(i int) int {
	for k, level := range s.levels {
		if word := level[i/64] &^ (1<<(i%64)<<1 - 1); word != 0 {
			return s.descend(k, i/64*64+bits.TrailingZeros64(word), bits.TrailingZeros64)
		}
		i /= 64
	}
	return -1
}

// descend follows a bit of level k down to a member.
func (s *rankSet) descend(k, i int, pick func(uint64) int) int {
	for ; k > 0; k-- {
		i = i*64 + pick(s.levels[k-1][i])
	}
	return i
}
