package texture

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/layout"
)

// TestAnExhaustedSearchIsBetterThanItsLimitAndThanAnyImprovement draws images of one kind in one pool.
func TestAnExhaustedSearchIsBetterThanItsLimitAndThanAnyImprovement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &Problem{Pools: []Pool{{Capacity: Unlimited, PitchAlignment: 1, MaxWidth: 40, MaxHeight: 40}}}
		for range rapid.IntRange(1, 14).Draw(t, "images") {
			first := rapid.Int64Range(0, 8).Draw(t, "first")
			p.Images = append(p.Images, Image{Width: rapid.Int64Range(1, 20).Draw(t, "width"), Height: rapid.Int64Range(1, 20).Draw(t, "height"), TexelBytes: 4,
				Live: layout.Span{First: first, Last: first + rapid.Int64Range(1, 5).Draw(t, "length")}, Pools: []int{0}})
		}
		s := newScene(p)
		greedy := s.run(s.line, growing, &budget{ctx: context.Background(), limit: 1 << 20})
		c := s.cell(0, greedy.members()[0])
		improved := c.improve(greedy.stores[0], s.most[0], &budget{ctx: context.Background(), limit: 1 << 12})
		for _, limit := range []int64{sum(improved), sum(improved) + 1, refused} {
			slots, exhausted := c.exact(limit, s.most[0], &budget{ctx: context.Background(), limit: 1 << 20})
			require.True(t, exhausted)
			if slots == nil {
				require.Equal(t, sum(improved), limit, "the search may find nothing only where nothing is better")
				continue
			}
			require.Less(t, sum(c.storesOf(slots)), limit)
			require.LessOrEqual(t, sum(c.storesOf(slots)), sum(improved))
		}
	})
}
