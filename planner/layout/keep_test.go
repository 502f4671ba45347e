package layout_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/layout"
)

// hintedAtRandom is the problem with hints that may be legal or not.
func hintedAtRandom(t *rapid.T, p *layout.Problem) *layout.Problem {
	out := *p
	out.Buffers = append([]layout.Buffer(nil), p.Buffers...)
	for i := range out.Buffers {
		out.Buffers[i].Hint = nil
		if rapid.Bool().Draw(t, "hinted") {
			out.Buffers[i].Hint = &layout.Place{Pool: rapid.IntRange(0, len(p.Pools)-1).Draw(t, "pool"), Offset: rapid.Int64Range(-1, 60).Draw(t, "offset")}
		}
	}
	return &out
}

func TestKeepingCostsNothingAndIsAFixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t, limits{buffers: 12, pools: 2, steps: 12, size: 20})
		for i := range p.Buffers {
			p.Buffers[i].Hint = nil
		}
		fresh := solved(t, p, "auto", 2000)
		kept := layout.Keep(context.Background(), hintedAtRandom(t, p), fresh, "auto")
		requireConsistent(t, p, kept)
		for k := range p.Pools {
			require.LessOrEqual(t, kept.Pools[k].Peak, fresh.Pools[k].Peak)
			require.Equal(t, fresh.Pools[k].Bound, kept.Pools[k].Bound)
		}
		for i := range p.Buffers {
			require.Equal(t, fresh.Places[i].Pool, kept.Places[i].Pool, "a buffer stays in the pool that was chosen for it")
		}
		again := layout.Keep(context.Background(), hintedBy(p, kept), fresh, "auto")
		require.Equal(t, kept.Places, again.Places)
	})
}

func TestAlgorithmsOfOtherSystemsKeepNothing(t *testing.T) {
	p := onePool(-1, 1, [3]int64{10, 0, 2}, [3]int64{20, 2, 4})
	fresh := solved(t, p, "tflite_greedy", 0)
	p.Buffers[0].Hint = &layout.Place{Offset: 5}
	require.Same(t, fresh, layout.Keep(context.Background(), p, fresh, "tflite_greedy"))
	require.Equal(t, int64(5), layout.Keep(context.Background(), p, fresh, "auto").Places[0].Offset)
}

// TestAGrownBufferMovesFewOthers grows one buffer of a chain in which every buffer meets the next: the whole is one part. The
// grown one takes another place, and what was in its way there makes room, but the rest stays.
func TestAGrownBufferMovesFewOthers(t *testing.T) {
	var rows [][3]int64
	for i := range int64(40) {
		rows = append(rows, [3]int64{50 + i%7*10, i, i + 2})
	}
	p := onePool(-1, 1, rows...)
	before := solved(t, p, "auto", 0)
	for i := range p.Buffers {
		p.Buffers[i].Hint = &before.Places[i]
	}
	for grown := range p.Buffers {
		edited := *p
		edited.Buffers = append([]layout.Buffer(nil), p.Buffers...)
		edited.Buffers[grown].Size += 25
		fresh := *p
		fresh.Buffers = append([]layout.Buffer(nil), edited.Buffers...)
		for i := range fresh.Buffers {
			fresh.Buffers[i].Hint = nil
		}
		r := solved(t, &fresh, "auto", 0)
		kept := layout.Keep(context.Background(), &edited, r, "auto")
		requireConsistent(t, &fresh, kept)
		require.LessOrEqual(t, kept.Pools[0].Peak, r.Pools[0].Peak)
		moved := 0
		for i := range kept.Places {
			if kept.Places[i] != before.Places[i] {
				moved++
			}
		}
		require.LessOrEqual(t, moved, 4, "growing buffer %d", grown)
	}
}

// TestKeepingGivesUpWhereTooMuchIsInTheWay has hints that leave gaps, each too small for any buffer.
func TestKeepingGivesUpWhereTooMuchIsInTheWay(t *testing.T) {
	const n = 3000
	rows := make([][3]int64, n)
	for i := range rows {
		rows[i] = [3]int64{2, 0, 1}
	}
	p := onePool(-1, 1, rows...)
	fresh, err := layout.Solve(context.Background(), p, "greedy", layout.Effort{})
	require.NoError(t, err)
	for i := range n / 2 {
		p.Buffers[i].Hint = &layout.Place{Offset: int64(3 * i)}
	}
	kept := layout.Keep(context.Background(), p, fresh, "greedy")
	require.Equal(t, fresh.Places, kept.Places)
	require.Equal(t, fresh.Pools, kept.Pools)
}
