package exact_test

import (
	"context"
	"testing"

	"github.com/memplan/memplan/planner/layout/exact"
	"github.com/memplan/memplan/testdata/needs"
	"github.com/stretchr/testify/require"
)

func TestOneWorkerAndManyGiveTheSameResult(t *testing.T) {
	ctx := context.Background()
	for i, name := range names {
		if !needs.Turn(i, 3) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			p := instance(t, name)
			var decided, least [2]exact.Result
			for i, workers := range []int{1, 3} {
				var err error
				decided[i], err = exact.Decide(ctx, p, capacity, exact.Options{Workers: workers})
				require.NoError(t, err)
				least[i], err = exact.Minimise(ctx, p, exact.Options{Workers: workers, Nodes: 20_000})
				require.NoError(t, err)
			}
			require.Equal(t, decided[0], decided[1])
			require.Equal(t, least[0], least[1])
		})
	}
}

func TestTheEndOfABudgetIsNotInfeasible(t *testing.T) {
	p := instance(t, "A")
	r, err := exact.Decide(context.Background(), p, capacity, exact.Options{Nodes: 100})
	require.NoError(t, err)
	require.Equal(t, exact.Unknown, r.Status)
	require.Nil(t, r.Offsets)
	require.Equal(t, int64(capacity), r.Bound)
	require.LessOrEqual(t, r.Nodes, int64(100))

	r, err = exact.Minimise(context.Background(), p, exact.Options{Nodes: 100})
	require.NoError(t, err)
	require.Equal(t, exact.Feasible, r.Status)
	require.Less(t, r.Bound, r.Peak)
	require.Empty(t, fault(p, r.Offsets))
}

func TestACancelledSearchSaysSoAndKeepsWhatItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := instance(t, "D")
	r, err := exact.Minimise(ctx, p, exact.Options{})
	require.NoError(t, err)
	require.True(t, r.Interrupted)
	require.Equal(t, exact.Feasible, r.Status)
	require.Empty(t, fault(p, r.Offsets))
}

func TestAKnownPlacementIsNeverMadeWorse(t *testing.T) {
	p := instance(t, "E")
	best, err := exact.Minimise(context.Background(), p, exact.Options{})
	require.NoError(t, err)
	again, err := exact.Minimise(context.Background(), p, exact.Options{Nodes: 1, Incumbent: best.Offsets})
	require.NoError(t, err)
	require.Equal(t, exact.Optimal, again.Status)
	require.Equal(t, best.Offsets, again.Offsets)

	wrong := make([]int64, len(p.Buffers))
	r, err := exact.Minimise(context.Background(), p, exact.Options{Nodes: 1, Incumbent: wrong})
	require.NoError(t, err)
	require.Empty(t, fault(p, r.Offsets), "a placement that does not hold is ignored")

	for i := range p.Buffers {
		p.Buffers[i].Hint = best.Offsets[i]
	}
	hinted, err := exact.Minimise(context.Background(), p, exact.Options{Nodes: 1})
	require.NoError(t, err)
	require.Equal(t, exact.Optimal, hinted.Status, "hints of an optimal placement lead to one")
}
