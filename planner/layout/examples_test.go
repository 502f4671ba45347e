package layout_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/layout"
)

const kib = 1024

// together is a problem of buffers that are all live at once, each allowed in every pool in order.
func together(pools []layout.Pool, sizes ...int64) *layout.Problem {
	p := &layout.Problem{Pools: pools}
	for _, size := range sizes {
		p.Buffers = append(p.Buffers, layout.Buffer{Size: size, Alignment: 1, Live: layout.Span{First: 0, Last: 1}, Pools: sequence(len(pools))})
	}
	return p
}

func TestPeaksThatAreKnown(t *testing.T) {
	for _, c := range []struct {
		name        string
		p           *layout.Problem
		peak, bound int64
	}{
		{"a chain of 100, 50, 50 needs 150", onePool(-1, 1, [3]int64{100, 0, 2}, [3]int64{50, 1, 3}, [3]int64{50, 2, 4}), 150, 150},
		{"input, output and scratch of one op are apart", onePool(-1, 1, [3]int64{32, 0, 1}, [3]int64{32, 0, 1}, [3]int64{16, 0, 1}), 80, 80},
		{"alignment 16 costs 20 and 4 bytes 36", onePool(-1, 16, [3]int64{20, 0, 1}, [3]int64{4, 0, 1}), 36, 36},
		{"an alignment that is no power of two", onePool(-1, 6, [3]int64{5, 0, 1}, [3]int64{7, 0, 1}), 13, 13},
		{"an empty buffer costs nothing", onePool(-1, 16, [3]int64{20, 0, 1}, [3]int64{0, 0, 1}), 20, 20},
		{"a buffer that is never live costs nothing", onePool(-1, 1, [3]int64{20, 0, 2}, [3]int64{30, 1, 1}), 20, 20},
		{"nothing", onePool(-1, 1), 0, 0},
		{"a least peak above the live bytes is proved by search", gapped(), 8, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := solved(t, c.p, "auto", 0)
			require.Equal(t, layout.Optimal, r.Status)
			require.Equal(t, layout.PoolResult{Peak: c.peak, Bound: c.bound, Proved: true}, r.Pools[0])
		})
	}
}

// gapped has at most 7 bytes live at once but, by its pins, needs 8.
func gapped() *layout.Problem {
	p := onePool(-1, 1, [3]int64{2, 0, 1}, [3]int64{4, 0, 2}, [3]int64{3, 1, 2})
	p.Buffers[0].Pinned, p.Buffers[0].Offset = true, 1
	p.Buffers[1].Alignment = 4
	return p
}

func TestSmallHotBuffersStayInTheFastPool(t *testing.T) {
	p := together([]layout.Pool{{Capacity: kib, Alignment: 1}, {Capacity: kib * kib, Alignment: 1}}, 512, 4096)
	for _, algorithm := range layout.Algorithms() {
		r := solved(t, p, algorithm, 0)
		require.Equal(t, []int{0, 1}, []int{r.Places[0].Pool, r.Places[1].Pool}, algorithm)
	}
}

func TestSpillingFindsTheOneAssignmentThatFits(t *testing.T) {
	pools := []layout.Pool{{Capacity: 64 * kib, Alignment: 1}, {Capacity: 128 * kib, Alignment: 1}}
	r := solved(t, together(pools, 48*kib, 24*kib, 16*kib, 100*kib), "auto", 0)
	require.Equal(t, layout.Optimal, r.Status)
	for i, pool := range []int{0, 1, 0, 1} {
		require.Equal(t, pool, r.Places[i].Pool)
	}
	r = solved(t, together(pools, 48*kib, 24*kib, 16*kib+1, 100*kib), "auto", 0)
	require.Equal(t, layout.Infeasible, r.Status)
}

func TestPinsStandWhereTheyMustAndOthersGoAround(t *testing.T) {
	p := onePool(100, 1, [3]int64{10, 0, 5}, [3]int64{40, 0, 5}, [3]int64{50, 0, 5})
	p.Buffers[0].Pinned, p.Buffers[0].Offset = true, 40
	r := solved(t, p, "auto", 0)
	require.Equal(t, layout.Optimal, r.Status)
	require.Equal(t, []layout.Place{{Offset: 40}, {Offset: 0}, {Offset: 50}}, r.Places)
}

func TestTFLiteOrderAndGapsAreItsOwn(t *testing.T) {
	// Whole-life buffers first by index, then by size and first step: 8 at 0, then 30 (steps 0-2) at 8, 30 (2-4) at 8,
	// 20 (1-3) at 38, and 10 (3-4) in the tighter of the gaps above 38: nothing else is live there.
	p := onePool(-1, 1, [3]int64{10, 3, 4}, [3]int64{30, 2, 4}, [3]int64{30, 0, 2}, [3]int64{20, 1, 3}, [3]int64{8, 0, 4})
	r := solved(t, p, "tflite_greedy", 0)
	require.Equal(t, []layout.Place{{Offset: 38}, {Offset: 8}, {Offset: 8}, {Offset: 38}, {Offset: 0}}, r.Places)
}

func TestTFLiteRemembersAGapFromItsUnalignedStart(t *testing.T) {
	// With alignment 8 the gap [5, 16) offers 8 bytes at 8 but is remembered as 11 bytes wide; the gap [40, 50) offers 10 at
	// 40, less than the 11 remembered, and is taken although it is wider.
	p := onePool(-1, 1, [3]int64{5, 0, 1}, [3]int64{24, 0, 1}, [3]int64{20, 0, 1}, [3]int64{8, 0, 1})
	for i, offset := range []int64{0, 16, 50} {
		p.Buffers[i].Pinned, p.Buffers[i].Offset = true, offset
	}
	p.Buffers[3].Alignment = 8
	require.Equal(t, int64(40), solved(t, p, "tflite_greedy", 0).Places[3].Offset)
	require.Equal(t, int64(8), solved(t, p, "greedy", 0).Places[3].Offset)
}

func TestNoSharingStacksInTheOrderOfTheProblem(t *testing.T) {
	p := onePool(-1, 4, [3]int64{10, 0, 1}, [3]int64{3, 5, 6}, [3]int64{8, 9, 10})
	r := solved(t, p, "none", 0)
	require.Equal(t, []layout.Place{{Offset: 0}, {Offset: 12}, {Offset: 16}}, r.Places)
}

func TestConflictsOfOneSideCountForBoth(t *testing.T) {
	p := onePool(-1, 1, [3]int64{10, 0, 1}, [3]int64{10, 5, 6}, [3]int64{7, 9, 10})
	p.Conflicts = [][]int{nil, {0}, nil}
	r := solved(t, p, "auto", 0)
	require.Equal(t, int64(20), r.Pools[0].Peak)
	require.Equal(t, layout.Optimal, r.Status)
}

func explained(t *testing.T, p *layout.Problem) []layout.Misfit {
	r := solved(t, p, "auto", 0)
	require.NotEmpty(t, r.Unplaced)
	return layout.Explain(context.Background(), p, r)
}

func TestTooManyLiveBytesAreNamedWithAMinimalSet(t *testing.T) {
	p := onePool(1000, 1, [3]int64{10, 0, 9}, [3]int64{600, 2, 4}, [3]int64{500, 3, 5})
	require.Equal(t, []layout.Misfit{{Cause: layout.CauseCapacity, Pool: 0, Pools: []int{0}, Needed: 1110, Available: 1000, Excess: 110,
		Step: 3, Buffers: []int{1, 2}, Proved: true}}, explained(t, p))
}

func TestABufferLargerThanItsPoolIsNamedAlone(t *testing.T) {
	p := onePool(10, 1, [3]int64{11, 0, 9}, [3]int64{2, 2, 4})
	m := explained(t, p)
	require.Len(t, m, 1)
	require.Equal(t, []int{0}, m[0].Buffers)
}

func TestPoolsThatAreTooSmallTogetherAreNamedTogether(t *testing.T) {
	pools := []layout.Pool{{Capacity: 10, Alignment: 1}, {Capacity: 20, Alignment: 1}}
	require.Equal(t, []layout.Misfit{{Cause: layout.CauseCapacity, Pool: 1, Pools: []int{0, 1}, Needed: 40, Available: 30, Excess: 10,
		Step: 0, Buffers: []int{0, 1, 2, 3}, Proved: true}}, explained(t, together(pools, 10, 10, 10, 10)))
}

func TestAnAssignmentThatDoesNotExistIsExplainedBySearch(t *testing.T) {
	pools := []layout.Pool{{Capacity: 64 * kib, Alignment: 1}, {Capacity: 128 * kib, Alignment: 1}}
	p := together(pools, 48*kib, 24*kib, 16*kib+1, 100*kib)
	m := explained(t, p)
	require.Len(t, m, 1)
	require.True(t, m[0].Proved)
	require.Equal(t, []int{0, 1}, m[0].Pools)
	require.Equal(t, []int{0, 1, 2, 3}, m[0].Buffers)
	require.Equal(t, int64(192*kib), m[0].Available)
	require.Equal(t, m[0].Needed-m[0].Available, m[0].Excess)
	require.Positive(t, m[0].Excess)
	require.Equal(t, int64(-1), m[0].Step)
}

func TestAPackingThatDoesNotExistIsExplainedBySearch(t *testing.T) {
	p := gapped()
	p.Pools[0].Capacity = 7
	p.Buffers = append(p.Buffers, layout.Buffer{Size: 1, Alignment: 1, Live: layout.Span{First: 1, Last: 2}, Pools: []int{0}})
	p.Buffers[3].Size = 0
	require.Equal(t, []layout.Misfit{{Cause: layout.CauseCapacity, Pool: 0, Pools: []int{0}, Needed: 8, Available: 7, Excess: 1, Step: -1,
		Buffers: []int{0, 1}, Proved: true}}, explained(t, p))
}

func TestFaultyPinsAreExplained(t *testing.T) {
	p := onePool(100, 8, [3]int64{10, 0, 5}, [3]int64{10, 0, 5}, [3]int64{10, 0, 5}, [3]int64{10, 4, 5})
	for i, offset := range []int64{3, 96, 16, 24} {
		p.Buffers[i].Pinned, p.Buffers[i].Offset = true, offset
	}
	r := solved(t, p, "greedy", 0)
	require.Equal(t, layout.Infeasible, r.Status)
	require.Equal(t, []layout.Misfit{
		{Cause: layout.CausePinAlignment, Pools: []int{0}, Needed: 3, Available: 8, Excess: 3, Step: -1, Buffers: []int{0}, Proved: true},
		{Cause: layout.CausePinCapacity, Pools: []int{0}, Needed: 106, Available: 100, Excess: 6, Step: -1, Buffers: []int{1}, Proved: true},
		{Cause: layout.CausePinOverlap, Pools: []int{0}, Needed: 2, Excess: 2, Step: -1, Buffers: []int{2, 3}, Proved: true},
	}, layout.Explain(context.Background(), p, r))
}

func TestAPlacementThatFitsNeedsNoExplanation(t *testing.T) {
	p := onePool(100, 1, [3]int64{10, 0, 5})
	require.Empty(t, layout.Explain(context.Background(), p, solved(t, p, "auto", 0)))
}
