package layout

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestTheLowestOffsetAgreesWithAllNeighbours places buffers of many blocks and two pools at random and holds each lowest offset
// against the definition, with parts forgotten and placed again on the way.
func TestTheLowestOffsetAgreesWithAllNeighbours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := random(rapid.Uint64().Draw(t, "seed"))
		n, longest := rapid.IntRange(2, 400).Draw(t, "buffers"), rapid.SampledFrom([]int{4, 40, 600}).Draw(t, "longest")
		p := &Problem{Pools: []Pool{{Unlimited, 1}, {Unlimited, 4}}}
		for range n {
			first := int64(random.below(500))
			p.Buffers = append(p.Buffers, Buffer{Size: 1 + int64(random.below(50)), Alignment: 1 << random.below(3), Pools: []int{0, 1},
				Live: Span{First: first, Last: first + 1 + int64(random.below(longest))}})
		}
		s := scenes(p)[0]
		work := &budget{ctx: context.Background()}
		for range 2 * n {
			b, k := int32(random.below(n)), random.below(2)
			if s.pool[b] == nowhere {
				s.requireLowest(t, b, k)
				at := firstFit(s, b, k, work)
				if random.below(3) == 0 {
					at = alignUp(s.live.(*timeline).top+int64(random.below(20)), s.align(b, k)) // leaves a gap
				}
				s.set(b, k, at)
			} else if part := random.below(len(s.parts) - 1); random.below(40) == 0 {
				s.reset(s.parts[part], s.parts[part+1])
			}
		}
	})
}

func (s *scene) requireLowest(t *rapid.T, b int32, k int) {
	var sort sorter
	var all []extent
	for x := range s.len() {
		if s.pool[x] == int32(k) && s.live.overlap(b, x) {
			all = append(all, extent{s.lo[x], s.lo[x] + s.size[x]})
		}
	}
	all = sort.sort(all)
	at, _ := s.live.lowest(s, b, int32(k))
	require.Equal(t, lowestGap(all, s.size[b], s.align(b, k)), at)
	taken, _ := s.live.taken(s, b, int32(k), nil)
	require.Equal(t, tightestGap(all, s.size[b], s.align(b, k)), tightestGap(taken, s.size[b], s.align(b, k)))
}
