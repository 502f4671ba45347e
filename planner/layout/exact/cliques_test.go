package exact

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Sections of explicit conflicts need no look at each other: dropping what is part of another one drops none of them, and each
// conflict is in one.
func TestCliquesAreMaximal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "buffers")
		// One in so many pairs conflicts: from everything with everything to next to nothing.
		odds := rapid.IntRange(1, 8).Draw(t, "odds")
		p := &Problem{Buffers: make([]Buffer, n), Conflicts: make([][]int, n)}
		ids := make([]int32, n)
		for a := range n {
			ids[a], p.Buffers[a].Size = int32(a), 1
			for b := range a {
				if rapid.IntRange(1, odds).Draw(t, "pair") == 1 {
					p.Conflicts[a] = append(p.Conflicts[a], b)
				}
			}
		}
		sections := cliques(p, ids)
		require.Equal(t, maximal(cliques(p, ids), n), sections)
		together := make([]bits, n)
		for a := range together {
			together[a] = newBits(n)
		}
		for _, members := range sections {
			for _, a := range members {
				for _, b := range members {
					together[a].set(b)
				}
			}
		}
		for a := range n {
			meets := newBits(n)
			meets.set(int32(a))
			for b := range n {
				for _, x := range p.Conflicts[b] {
					if b == a {
						meets.set(int32(x))
					} else if x == a {
						meets.set(int32(b))
					}
				}
			}
			require.Equal(t, meets, together[a], "conflicts of %d", a)
		}
	})
}

// Two programs that may run at the same time have a section for each pair of moments: more than a search can use.
func TestTooManyCliques(t *testing.T) {
	for n, searched := range map[int]bool{256: true, 257: false} {
		p := &Problem{Buffers: make([]Buffer, 4*n), Conflicts: make([][]int, 4*n)}
		var ids []int32
		for a := range 2 * n {
			ids = append(ids, int32(2*a), int32(2*a+1))
			// A pair of buffers at each moment of each of two programs.
			p.Conflicts[2*a] = []int{2*a + 1}
			for b := 2 * n; a < n && b < 4*n; b++ {
				p.Conflicts[2*a], p.Conflicts[2*a+1] = append(p.Conflicts[2*a], b), append(p.Conflicts[2*a+1], b)
			}
		}
		require.Equal(t, searched, cliques(p, ids) != nil, "%d moments each", n)
	}
}
