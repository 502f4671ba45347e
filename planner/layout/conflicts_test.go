package layout_test

import (
	"context"
	"math/rand/v2"
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

// concurrent makes a few graphs that may run at the same time: each holds what a step makes until the next, now and then
// longer, and everything in one conflicts with everything in the others.
func concurrent(seed uint64) *layout.Problem {
	random := rand.New(rand.NewPCG(seed, 9))
	p := &layout.Problem{Pools: []layout.Pool{{Capacity: layout.Unlimited, Alignment: 64}}}
	var of []int
	for g := range 2 + random.IntN(3) {
		for i := range int64(10 + random.IntN(50)) {
			last := i + 2
			if random.IntN(4) == 0 {
				last += random.Int64N(12)
			}
			p.Buffers = append(p.Buffers, layout.Buffer{Size: int64(64 * (1 + random.IntN(1<<random.IntN(10)))), Alignment: 1, Live: layout.Span{First: i, Last: last}, Pools: []int{0}})
			of = append(of, g)
		}
	}
	p.Conflicts = make([][]int, len(p.Buffers))
	for i := range p.Buffers {
		for j := range i {
			a, b := p.Buffers[i].Live, p.Buffers[j].Live
			if of[i] != of[j] || a.First < b.Last && b.First < a.Last {
				p.Conflicts[i] = append(p.Conflicts[i], j)
			}
		}
	}
	return p
}

func TestAutoIsNoWorseThanAHillClimbOnConcurrentGraphs(t *testing.T) {
	for seed := range uint64(10) {
		p := concurrent(seed)
		for _, nodes := range []int64{1000, 5000} {
			auto := solved(t, p, "auto", nodes)
			climbed := solved(t, p, "tvm_hill_climb", nodes)
			require.LessOrEqual(t, auto.Pools[0].Peak, climbed.Pools[0].Peak, "seed %d, effort %d", seed, nodes)
		}
	}
}
