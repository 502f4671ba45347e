package layout_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/layout"
)

func TestTVMGreedyStacksWithoutFillingGaps(t *testing.T) {
	// By size: 30 at 0, 20 (steps 1-2) on it, 10 (steps 1-2) on both although the bytes beside the 30 are free at step 2.
	p := onePool(-1, 1, [3]int64{30, 0, 2}, [3]int64{20, 1, 3}, [3]int64{10, 2, 3})
	r := solved(t, p, "tvm_greedy_by_size", 0)
	require.Equal(t, []layout.Place{{Offset: 0}, {Offset: 30}, {Offset: 50}}, r.Places)
	require.Equal(t, int64(50), solved(t, p, "greedy", 0).Pools[0].Peak)
}

func TestTVMOrdersBreakTiesByConflictsAndNamesDescending(t *testing.T) {
	p := onePool(-1, 1, [3]int64{10, 0, 2}, [3]int64{10, 0, 4}, [3]int64{10, 3, 4}, [3]int64{40, 1, 2})
	for _, c := range []struct {
		name      string
		algorithm string
		ranks     []int
		offsets   []int64
	}{
		{"by size, then conflicts, then the later index", "tvm_greedy_by_size", []int{0, 0, 0, 0}, []int64{50, 40, 50, 0}},
		{"by conflicts, then size", "tvm_greedy_by_conflicts", []int{0, 0, 0, 0}, []int64{50, 0, 10, 10}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, rank := range c.ranks {
				p.Buffers[i].Rank = rank
			}
			var offsets []int64
			for _, at := range solved(t, p, c.algorithm, 0).Places {
				offsets = append(offsets, at.Offset)
			}
			require.Equal(t, c.offsets, offsets)
		})
	}
	same := onePool(-1, 1, [3]int64{10, 0, 2}, [3]int64{10, 0, 2}, [3]int64{10, 0, 2})
	same.Buffers[0].Rank, same.Buffers[1].Rank, same.Buffers[2].Rank = 1, 3, 2
	require.Equal(t, []layout.Place{{Offset: 20}, {Offset: 0}, {Offset: 10}}, solved(t, same, "tvm_greedy_by_size", 0).Places)
}

func TestAPoolThatTVMDropsStaysDropped(t *testing.T) {
	// TVM puts 11 and 4 into the small pool, finds no room above the 4 for the 3, takes the pool up again at the 11's end
	// and lets the 3 overlap the 4.
	p := together([]layout.Pool{{Capacity: 16, Alignment: 1}, {Capacity: layout.Unlimited, Alignment: 1}}, 4, 11, 3)
	for _, algorithm := range []string{"tvm_greedy_by_size", "tvm_greedy_by_conflicts", "tvm_hill_climb"} {
		r := solved(t, p, algorithm, 0)
		require.Equal(t, []layout.Place{{Pool: 0, Offset: 11}, {Pool: 0, Offset: 0}, {Pool: 1, Offset: 0}}, r.Places, algorithm)
	}
}

func TestTVMHillClimbUsesGapsAndEndsAtTheBound(t *testing.T) {
	p := onePool(-1, 1, [3]int64{30, 0, 2}, [3]int64{20, 1, 3}, [3]int64{10, 2, 3})
	r := solved(t, p, "tvm_hill_climb", 0)
	require.Equal(t, []layout.Place{{Offset: 0}, {Offset: 30}, {Offset: 0}}, r.Places)
	require.Equal(t, layout.Optimal, r.Status)
}

func TestTVMHillClimbIsNeverWorseThanItsFirstAttempt(t *testing.T) {
	p := generated(300, 300)
	first, all := solved(t, p, "tvm_hill_climb", 1), solved(t, p, "tvm_hill_climb", 0)
	require.Less(t, all.Pools[0].Peak, first.Pools[0].Peak)
}

func TestTVMGraphSharesWholeStorages(t *testing.T) {
	for _, c := range []struct {
		name    string
		buffers [][3]int64
		offsets []int64
		peak    int64
	}{
		{"an op's output is never its input", [][3]int64{{10, 0, 2}, {10, 1, 3}, {10, 2, 4}}, []int64{0, 10, 0}, 20},
		{"the smallest that holds it is taken", [][3]int64{{40, 0, 1}, {20, 0, 1}, {15, 1, 2}}, []int64{0, 40, 40}, 60},
		{"else the largest smaller one grows", [][3]int64{{10, 0, 1}, {20, 0, 1}, {5, 0, 9}, {30, 1, 2}}, []int64{0, 10, 40, 10}, 45},
		{"sixteen times larger is taken", [][3]int64{{160, 0, 1}, {10, 1, 2}}, []int64{0, 0}, 160},
		{"more is not", [][3]int64{{161, 0, 1}, {10, 1, 2}}, []int64{0, 161}, 171},
		{"a sixteenth grows", [][3]int64{{10, 0, 1}, {175, 1, 2}}, []int64{0, 0}, 175},
		{"less does not", [][3]int64{{10, 0, 1}, {176, 1, 2}}, []int64{0, 10}, 186},
		{"of equal ones the one free for longest", [][3]int64{{10, 0, 3}, {10, 0, 2}, {10, 3, 4}}, []int64{0, 10, 10}, 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := solved(t, onePool(-1, 1, c.buffers...), "tvm_graph", 0)
			var offsets []int64
			for _, at := range r.Places {
				offsets = append(offsets, at.Offset)
			}
			require.Equal(t, c.offsets, offsets)
			require.Equal(t, c.peak, r.Pools[0].Peak)
		})
	}
}
