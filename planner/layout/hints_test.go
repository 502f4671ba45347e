package layout_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/layout"
)

// hintedBy is the problem with the places of a result as hints.
func hintedBy(p *layout.Problem, r *layout.Result) *layout.Problem {
	out := *p
	out.Buffers = append([]layout.Buffer(nil), p.Buffers...)
	for i := range out.Buffers {
		out.Buffers[i].Hint = nil
		if r.Places[i].Pool != layout.Unplaced {
			out.Buffers[i].Hint = &r.Places[i]
		}
	}
	return &out
}

func TestSolvingAgainFromItsOwnResultChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t, limits{buffers: 30, pools: 2, steps: 60, size: 100})
		for i := range p.Buffers {
			p.Buffers[i].Hint = nil
		}
		for _, algorithm := range []string{"greedy", "auto"} {
			before := solved(t, p, algorithm, 5000)
			if len(before.Unplaced) > 0 {
				continue
			}
			after := solved(t, hintedBy(p, before), algorithm, 5000)
			require.Equal(t, before.Places, after.Places)
		}
	})
}

func TestUntouchedPartsKeepTheirOffsetsAfterAnEdit(t *testing.T) {
	// Two parts; the first has offsets that no algorithm would choose, the second sets the peak.
	p := onePool(-1, 1, [3]int64{10, 0, 2}, [3]int64{20, 1, 3}, [3]int64{50, 5, 7}, [3]int64{30, 6, 8})
	for i, offset := range []int64{55, 7, 0, 50} {
		p.Buffers[i].Hint = &layout.Place{Offset: offset}
	}
	p.Buffers[3].Size = 31
	p.Buffers = append(p.Buffers, layout.Buffer{Size: 5, Alignment: 1, Live: layout.Span{First: 7, Last: 8}, Pools: []int{0}})
	for _, algorithm := range []string{"greedy", "auto"} {
		r := solved(t, p, algorithm, 0)
		require.Equal(t, []layout.Place{{Offset: 55}, {Offset: 7}, {Offset: 0}, {Offset: 50}, {Offset: 0}}, r.Places, algorithm)
	}
}

func TestAHintThatRaisesThePeakIsNotKept(t *testing.T) {
	p := onePool(-1, 1, [3]int64{10, 0, 2}, [3]int64{20, 1, 3})
	p.Buffers[0].Hint = &layout.Place{Offset: 25}
	require.Equal(t, int64(30), solved(t, p, "auto", 0).Pools[0].Peak)
}

func TestDecidingStopsAtTheFirstPlacementThatFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t, limits{buffers: 6, pools: 2, steps: 5, size: 12})
		want := brute(p)
		r, err := layout.Solve(context.Background(), p, "auto", layout.Effort{Decide: true})
		require.NoError(t, err)
		requireConsistent(t, p, r)
		require.Equal(t, want.fits, len(r.Unplaced) == 0)
		switch r.Status {
		case layout.Infeasible:
			require.False(t, want.fits)
		case layout.Optimal:
			require.Equal(t, want, cost(p, r))
		}
	})
}
