package exact_test

import (
	"context"
	"math"
	"testing"

	"github.com/memplan/memplan/planner/layout/exact"
	"github.com/stretchr/testify/require"
)

func live(first, last int64) []exact.Span { return []exact.Span{{First: first, Last: last}} }

func TestMalformedProblemsAreRefused(t *testing.T) {
	one := func(b exact.Buffer) *exact.Problem { return &exact.Problem{Buffers: []exact.Buffer{b}} }
	for name, p := range map[string]*exact.Problem{
		"a negative size":                 one(exact.Buffer{Size: -1}),
		"a negative alignment":            one(exact.Buffer{Size: 1, Alignment: -1}),
		"a pin below the start":           one(exact.Buffer{Size: 1, Pinned: true, Offset: -1}),
		"sizes beyond what can be summed": one(exact.Buffer{Size: math.MaxInt64}),
		"a pin beyond what can be summed": one(exact.Buffer{Size: 1, Pinned: true, Offset: math.MaxInt64}),
		"an alignment beyond that":        one(exact.Buffer{Size: 1, Alignment: math.MaxInt64}),
		"spans out of order":              one(exact.Buffer{Size: 1, Live: []exact.Span{{First: 4, Last: 5}, {First: 0, Last: 1}}}),
		"too few rows of conflicts":       {Buffers: make([]exact.Buffer, 2), Conflicts: [][]int{{1}}},
		"a conflict with no buffer":       {Buffers: make([]exact.Buffer, 1), Conflicts: [][]int{{1}}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := exact.Minimise(context.Background(), p, exact.Options{})
			require.ErrorIs(t, err, exact.ErrMalformed)
			_, err = exact.Decide(context.Background(), p, 1, exact.Options{})
			require.ErrorIs(t, err, exact.ErrMalformed)
		})
	}
}

func TestSmallCases(t *testing.T) {
	mib := int64(1 << 20)
	for name, c := range map[string]struct {
		buffers   []exact.Buffer
		conflicts [][]int
		status    exact.Status
		peak      int64
	}{
		"nothing":                                   {nil, nil, exact.Optimal, 0},
		"a buffer that is never live":               {[]exact.Buffer{{Size: 9}}, nil, exact.Optimal, 0},
		"two that meet":                             {[]exact.Buffer{{Size: 2, Live: live(0, 2)}, {Size: 3, Live: live(1, 3)}}, nil, exact.Optimal, 5},
		"two that touch":                            {[]exact.Buffer{{Size: 2, Live: live(0, 1)}, {Size: 3, Live: live(1, 3)}}, nil, exact.Optimal, 3},
		"a buffer within another's hole":            {[]exact.Buffer{{Size: 2, Live: []exact.Span{{First: 0, Last: 1}, {First: 2, Last: 3}}}, {Size: 3, Live: live(1, 2)}}, nil, exact.Optimal, 3},
		"a pin that leaves a gap":                   {[]exact.Buffer{{Size: 2, Live: live(0, 2), Pinned: true, Offset: 10}, {Size: 3, Live: live(0, 2)}}, nil, exact.Optimal, 12},
		"pins that overlap":                         {[]exact.Buffer{{Size: 2, Live: live(0, 2), Pinned: true}, {Size: 3, Live: live(0, 2), Pinned: true, Offset: 1}}, nil, exact.Infeasible, 0},
		"a pin off its alignment":                   {[]exact.Buffer{{Size: 2, Alignment: 4, Live: live(0, 2), Pinned: true, Offset: 2}}, nil, exact.Infeasible, 0},
		"alignment wastes only below":               {[]exact.Buffer{{Size: 5, Alignment: 64, Live: live(0, 2)}, {Size: 7, Alignment: 64, Live: live(0, 2)}}, nil, exact.Optimal, 69},
		"a cycle of conflicts needs only two rows":  {[]exact.Buffer{{Size: mib}, {Size: mib}, {Size: mib}, {Size: mib}}, [][]int{{1}, {2}, {3}, {0}}, exact.Optimal, 2 * mib},
		"an odd cycle of conflicts needs three":     {[]exact.Buffer{{Size: mib}, {Size: mib}, {Size: mib}, {Size: mib}, {Size: mib}}, [][]int{{1}, {2}, {3}, {4}, {0}}, exact.Optimal, 3 * mib},
		"a conflict with itself says nothing":       {[]exact.Buffer{{Size: 4}}, [][]int{{0}}, exact.Optimal, 4},
		"the peak is that of the highest component": {[]exact.Buffer{{Size: 4, Live: live(0, 1)}, {Size: 9, Live: live(1, 2)}}, nil, exact.Optimal, 9},
	} {
		t.Run(name, func(t *testing.T) {
			p := &exact.Problem{Buffers: c.buffers, Conflicts: c.conflicts}
			r, err := exact.Minimise(context.Background(), p, exact.Options{})
			require.NoError(t, err)
			require.Equal(t, c.status, r.Status)
			require.Equal(t, c.peak, r.Peak)
			if c.status == exact.Optimal {
				require.Empty(t, fault(p, r.Offsets))
				require.Equal(t, c.peak, r.Bound)
			}
		})
	}
}

func TestAGroupTooLargeToSearchKeepsTheGivenPlacement(t *testing.T) {
	p, known := &exact.Problem{}, []int64{}
	for i := range int64(5000) {
		p.Buffers = append(p.Buffers, exact.Buffer{Size: 4, Live: live(i, i+2)})
		known = append(known, 4*(i%2))
	}
	for name, problem := range map[string]*exact.Problem{"by lifetimes": p, "by conflicts": chain(p)} {
		t.Run(name, func(t *testing.T) {
			r, err := exact.Minimise(context.Background(), problem, exact.Options{})
			require.NoError(t, err)
			require.Equal(t, exact.Unknown, r.Status)
			r, err = exact.Minimise(context.Background(), problem, exact.Options{Incumbent: known})
			require.NoError(t, err)
			require.NotNil(t, r.Offsets)
			require.Equal(t, int64(8), r.Peak)
			r, err = exact.Decide(context.Background(), problem, 8, exact.Options{Incumbent: known})
			require.NoError(t, err)
			require.Equal(t, known, r.Offsets)
			known[1] = 0
			r, err = exact.Decide(context.Background(), problem, 8, exact.Options{Incumbent: known})
			known[1] = 4
			require.NoError(t, err)
			require.Equal(t, exact.Unknown, r.Status, "the placement does not hold")
		})
	}
}

// chain is the problem with explicit conflicts between neighbours.
func chain(p *exact.Problem) *exact.Problem {
	out := &exact.Problem{Buffers: p.Buffers, Conflicts: make([][]int, len(p.Buffers))}
	for i := 1; i < len(p.Buffers); i++ {
		out.Conflicts[i] = []int{i - 1}
	}
	return out
}
