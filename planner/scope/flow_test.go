package scope

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestTheCutIsTheLeastAndItsSourceSideTheSmallest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 8).Draw(t, "nodes")
		type link struct {
			from, to int32
			room     int64
		}
		var links []link
		for range rapid.IntRange(0, 20).Draw(t, "arcs") {
			links = append(links, link{int32(rapid.IntRange(0, n-1).Draw(t, "from")), int32(rapid.IntRange(0, n-1).Draw(t, "to")), rapid.Int64Range(0, 5).Draw(t, "room")})
		}
		least, smallest := int64(math.MaxInt64), uint(0)
		for side := uint(0); side < 1<<n; side++ {
			if side&1 == 0 || side&2 != 0 {
				continue
			}
			cost := int64(0)
			for _, l := range links {
				if side>>l.from&1 == 1 && side>>l.to&1 == 0 {
					cost += l.room
				}
			}
			if cost < least {
				least, smallest = cost, side
			} else if cost == least {
				smallest &= side // The least cuts are closed under intersection.
			}
		}
		w := newNetwork(0)
		for len(w.first) < n {
			w.node()
		}
		for _, l := range links {
			w.link(l.from, l.to, l.room)
		}
		require.Equal(t, least, w.saturate())
		for i, with := range w.withSource() {
			require.Equal(t, smallest>>i&1 == 1, with)
		}
		slices.Reverse(links)
		again := newNetwork(0)
		for len(again.first) < n {
			again.node()
		}
		for _, l := range links {
			again.link(l.from, l.to, l.room)
		}
		require.Equal(t, least, again.saturate())
		require.Equal(t, w.withSource(), again.withSource())
	})
}
