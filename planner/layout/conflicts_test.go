package layout_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/layout"
)

// TestABoundWithExplicitConflictsIsNoLessThanTheLiveBytes draws conflicts that hold for all buffers that are live at one
// step, and more of them, as graphs have that may run at the same time.
func TestABoundWithExplicitConflictsIsNoLessThanTheLiveBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &layout.Problem{Pools: []layout.Pool{{Capacity: layout.Unlimited, Alignment: 1}}}
		live := make([]int64, 16)
		for range rapid.IntRange(1, 40).Draw(t, "buffers") {
			first := rapid.Int64Range(0, 11).Draw(t, "first")
			b := layout.Buffer{Size: rapid.Int64Range(1, 100).Draw(t, "size"), Alignment: 1, Pools: []int{0},
				Live: layout.Span{First: first, Last: first + rapid.Int64Range(1, 4).Draw(t, "length")}}
			p.Buffers = append(p.Buffers, b)
			for step := b.Live.First; step < b.Live.Last; step++ {
				live[step] += b.Size
			}
		}
		p.Conflicts = make([][]int, len(p.Buffers))
		for i := range p.Buffers {
			for j := range i {
				a, b := p.Buffers[i].Live, p.Buffers[j].Live
				if a.First < b.Last && b.First < a.Last || rapid.IntRange(0, 3).Draw(t, "apart") == 0 {
					p.Conflicts[i] = append(p.Conflicts[i], j)
				}
			}
		}
		r, err := layout.Solve(context.Background(), p, "none", layout.Effort{})
		require.NoError(t, err)
		for _, bytes := range live {
			require.GreaterOrEqual(t, r.Pools[0].Bound, bytes)
		}
	})
}

// TestLargeNeighboursDoNotHideWhatIsLiveAtOnce: each of six small buffers that are live together conflicts with a larger
// one of its own, which cliques that take the largest neighbour first never look beyond.
func TestLargeNeighboursDoNotHideWhatIsLiveAtOnce(t *testing.T) {
	p := &layout.Problem{Pools: []layout.Pool{{Capacity: layout.Unlimited, Alignment: 1}}}
	const together = 6
	for i := range 2 * together {
		size, first := int64(2), int64(0)
		if i >= together {
			size, first = 3, int64(i)
		}
		p.Buffers = append(p.Buffers, layout.Buffer{Size: size, Alignment: 1, Pools: []int{0}, Live: layout.Span{First: first, Last: first + 1}})
		var near []int
		for k := range min(i, together) {
			if i < together || k == i-together {
				near = append(near, k)
			}
		}
		p.Conflicts = append(p.Conflicts, near)
	}
	r, err := layout.Solve(context.Background(), p, "none", layout.Effort{})
	require.NoError(t, err)
	require.Equal(t, int64(2*together), r.Pools[0].Bound)
}
