package schedule

import "math/bits"

// set is a set of ops of one part, one bit each.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

// newSets is that many empty sets.
func newSets(count, n int) []set {
	words := (n + 63) / 64
	out, all := make([]set, count), make(set, count*words)
	for i := range out {
		out[i], all = all[:words:words], all[words:]
	}
	return out
}

func (s set) add(v int)      { s[v>>6] |= 1 << (v & 63) }
func (s set) has(v int) bool { return s[v>>6]&(1<<(v&63)) != 0 }

// holds reports whether all of o is in s.
func (s set) holds(o set) bool {
	for i, w := range o {
		if w&^s[i] != 0 {
			return false
		}
	}
	return true
}

// meets reports whether any of o is in s.
func (s set) meets(o set) bool {
	for i, w := range o {
		if w&s[i] != 0 {
			return true
		}
	}
	return false
}

// missing is the number of elements of o that are not in s, counted up to 2.
func (s set) missing(o set) int {
	n := 0
	for i, w := range o {
		n += bits.OnesCount64(w &^ s[i])
		if n > 1 {
			return 2
		}
	}
	return n
}

func (s set) empty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

func (s set) join(o set) {
	for i, w := range o {
		s[i] |= w
	}
}

func (s set) equal(o set) bool {
	for i, w := range o {
		if s[i] != w {
			return false
		}
	}
	return true
}

// hash mixes the words as FNV does, a word at a time, and spreads the result over the low bits.
func (s set) hash() uint64 {
	h := uint64(14695981039346656037)
	for _, w := range s {
		h = (h ^ w) * 1099511628211
		h ^= h >> 29
	}
	return h ^ h>>32
}
