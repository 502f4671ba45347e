package layout_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/testdata/needs"
)

// chains makes graphs of so many buffers each, each of which lives for two steps or now and then longer, and the problem in
// which everything of one conflicts with everything of the others.
func chains(seed uint64, graphs, buffers int) (alone []*layout.Problem, together *layout.Problem) {
	random := rand.New(rand.NewPCG(seed, 3))
	pools := []layout.Pool{{Capacity: layout.Unlimited, Alignment: 64}}
	together = &layout.Problem{Pools: pools}
	for range graphs {
		p := &layout.Problem{Pools: pools}
		for i := range int64(buffers) {
			last := i + 2
			if random.IntN(4) == 0 {
				last += random.Int64N(12)
			}
			p.Buffers = append(p.Buffers, layout.Buffer{Size: int64(1 + random.IntN(64<<random.IntN(10))), Alignment: 1, Live: layout.Span{First: i, Last: last}, Pools: []int{0}})
		}
		first := len(together.Buffers)
		for i, b := range p.Buffers {
			var near []int
			for j := range first + i {
				if other := together.Buffers[j].Live; j < first || other.First < b.Live.Last && b.Live.First < other.Last {
					near = append(near, j)
				}
			}
			together.Buffers, together.Conflicts = append(together.Buffers, b), append(together.Conflicts, near)
		}
		alone = append(alone, p)
	}
	return alone, together
}

func TestTheLeastPeakOfGraphsThatMayRunAtTheSameTimeIsTheSumOfTheirs(t *testing.T) {
	for seed := range uint64(2) {
		if !needs.Turn(int(seed), 2) {
			continue
		}
		alone, together := chains(seed, 3, 100)
		sum, bound := int64(0), int64(0)
		for _, p := range alone {
			r := solved(t, p, "greedy", 0)
			sum += (r.Pools[0].Peak + 63) / 64 * 64
			bound += (r.Pools[0].Bound + 63) / 64 * 64
		}
		for _, algorithm := range []string{"greedy", "auto"} {
			r := solved(t, together, algorithm, 0)
			require.LessOrEqual(t, r.Pools[0].Peak, sum, "seed %d, %s", seed, algorithm)
			require.Greater(t, r.Pools[0].Bound, bound-64, "seed %d, %s", seed, algorithm)
		}
		// Without lifetimes the conflicts of each graph are all that is known of it.
		for i := range together.Buffers {
			together.Buffers[i].Live = layout.Span{}
		}
		require.LessOrEqual(t, solved(t, together, "greedy", 0).Pools[0].Peak, sum+sum/20, "seed %d", seed)
	}
}

func TestACapacityForGraphsThatMayRunAtTheSameTimeIsDecided(t *testing.T) {
	_, p := chains(1, 2, 100)
	least := solved(t, p, "auto", 0).Pools[0]
	require.True(t, least.Proved)
	for _, c := range []struct {
		capacity int64
		status   layout.Status
	}{{least.Peak + 64, layout.Feasible}, {least.Peak, layout.Optimal}, {least.Peak - 1, layout.Infeasible}} {
		p.Pools = []layout.Pool{{Capacity: c.capacity, Alignment: 64}}
		r, err := layout.Solve(context.Background(), p, "auto", layout.Effort{Decide: true})
		require.NoError(t, err)
		requireConsistent(t, p, r)
		if c.status == layout.Feasible {
			require.Empty(t, r.Unplaced)
			continue
		}
		require.Equal(t, c.status, r.Status, "capacity %d", c.capacity)
	}
}

// drawCotree adds buffers whose conflicts split into modules again and again, and returns their indexes.
func drawCotree(t *rapid.T, p *layout.Problem, buffers int, series bool) []int {
	if buffers == 1 {
		first := rapid.Int64Range(0, 3).Draw(t, "first")
		p.Buffers = append(p.Buffers, layout.Buffer{Size: rapid.Int64Range(1, 9).Draw(t, "size"), Alignment: 1, Pools: []int{0}, Live: layout.Span{First: first, Last: first + 2}})
		p.Conflicts = append(p.Conflicts, nil)
		return []int{len(p.Buffers) - 1}
	}
	left := rapid.IntRange(1, buffers-1).Draw(t, "left")
	a := drawCotree(t, p, left, rapid.Bool().Draw(t, "series"))
	b := drawCotree(t, p, buffers-left, rapid.Bool().Draw(t, "series"))
	for _, i := range a {
		for _, j := range b {
			if series || rapid.IntRange(0, 4).Draw(t, "stray") == 0 {
				p.Conflicts[i] = append(p.Conflicts[i], j)
			}
		}
	}
	return append(a, b...)
}

func TestConflictsThatSplitIntoModulesAreSolvedAsTryingEverythingDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &layout.Problem{Pools: []layout.Pool{{Capacity: layout.Unlimited, Alignment: rapid.SampledFrom([]int64{1, 4, 6}).Draw(t, "alignment")}}}
		if rapid.IntRange(0, 2).Draw(t, "capped") == 0 {
			p.Pools[0].Capacity = rapid.Int64Range(1, 40).Draw(t, "capacity")
		}
		drawCotree(t, p, rapid.IntRange(1, mostBuffers-2).Draw(t, "buffers"), rapid.Bool().Draw(t, "series"))
		want, r := brute(p), solved(t, p, "auto", 0)
		if !want.fits {
			require.Equal(t, layout.Infeasible, r.Status)
			return
		}
		require.Equal(t, layout.Optimal, r.Status)
		require.Equal(t, want, cost(p, r))
	})
}

func BenchmarkGraphsThatMayRunAtTheSameTime(b *testing.B) {
	for _, n := range []int{250, 1000} {
		_, p := chains(1, 2, n)
		b.Run(fmt.Sprintf("buffers=2x%d", n), func(b *testing.B) {
			var r *layout.Result
			for b.Loop() {
				var err error
				if r, err = layout.Solve(context.Background(), p, "auto", layout.Effort{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(r.Pools[0].Peak)/float64(r.Pools[0].Bound), "peak/bound")
			b.ReportMetric(float64(r.Nodes), "nodes")
		})
	}
}
