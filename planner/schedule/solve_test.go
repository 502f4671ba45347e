package schedule_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/schedule"
)

var background = context.Background()

// drawProblem draws a problem with up to most ops: buffers that one op writes and some read, some of which are there before
// or stay after, shared results as a concatenation has, scratch memory, and ways to reuse operands.
func drawProblem(t *rapid.T, most int) *schedule.Problem {
	p := &schedule.Problem{}
	if rapid.IntRange(0, 2).Draw(t, "unread") == 0 {
		p.First = drawSize(t)
	}
	n := rapid.IntRange(1, most).Draw(t, "ops")
	for range rapid.IntRange(0, 2).Draw(t, "inputs") {
		p.Buffers = append(p.Buffers, schedule.Buffer{Size: drawSize(t), Before: true, After: rapid.IntRange(0, 5).Draw(t, "kept") == 0})
	}
	var writer []int
	for range p.Buffers {
		writer = append(writer, -1)
	}
	for v := range n {
		op := schedule.Op{}
		if rapid.IntRange(0, 4).Draw(t, "scratch") == 0 {
			op.Scratch = drawSize(t)
		}
		touched := map[int]bool{}
		for range rapid.IntRange(0, 2).Draw(t, "reads") {
			if len(p.Buffers) == 0 {
				break
			}
			b := rapid.IntRange(0, len(p.Buffers)-1).Draw(t, "read")
			if touched[b] {
				continue
			}
			touched[b] = true
			op.Touches = append(op.Touches, b)
			if writer[b] >= 0 {
				op.Needs = append(op.Needs, writer[b])
			}
		}
		result := len(p.Buffers)
		if v > 0 && rapid.IntRange(0, 3).Draw(t, "shares") == 0 {
			// A piece of a buffer that another op writes too.
			result = rapid.IntRange(0, len(p.Buffers)-1).Draw(t, "whole")
		}
		if result == len(p.Buffers) {
			p.Buffers = append(p.Buffers, schedule.Buffer{Size: drawSize(t), After: rapid.IntRange(0, 3).Draw(t, "output") == 0})
			writer = append(writer, v)
		}
		if !touched[result] {
			for _, b := range op.Touches {
				if rapid.Bool().Draw(t, "reuses") {
					op.Reuses = append(op.Reuses, schedule.Reuse{From: drawRest(t, p, b, op.Touches), To: []int{result}, Bytes: rapid.Int64Range(0, min(p.Buffers[b].Size, p.Buffers[result].Size)).Draw(t, "bytes")})
					break
				}
			}
			op.Touches = append(op.Touches, result)
		}
		p.Ops = append(p.Ops, op)
	}
	return p
}

// drawRest adds buffers to one, as the other pieces of what it is a piece of.
func drawRest(t *rapid.T, p *schedule.Problem, b int, touched []int) []int {
	out := []int{b}
	for other := range p.Buffers {
		if other != b && !slices.Contains(touched, other) && rapid.IntRange(0, 5).Draw(t, "rest") == 0 {
			out = append(out, other)
		}
	}
	return out
}

func drawSize(t *rapid.T) int64 { return rapid.Int64Range(0, 12).Draw(t, "size") }

// leastPeak tries every order.
func leastPeak(p *schedule.Problem) int64 {
	best := int64(math.MaxInt64)
	done := make([]bool, len(p.Ops))
	var order []int
	var extend func()
	extend = func() {
		if len(order) == len(p.Ops) {
			best = min(best, p.Peak(order))
			return
		}
	next:
		for v := range p.Ops {
			if done[v] {
				continue
			}
			for _, u := range p.Ops[v].Needs {
				if !done[u] {
					continue next
				}
			}
			done[v] = true
			order = append(order, v)
			extend()
			order = order[:len(order)-1]
			done[v] = false
		}
	}
	extend()
	return best
}

func requireValid(t require.TestingT, p *schedule.Problem, order []int) {
	require.Len(t, order, len(p.Ops))
	at := make([]int, len(order))
	for i := range at {
		at[i] = -1
	}
	for i, v := range order {
		require.Equal(t, -1, at[v], "op %d stands twice", v)
		at[v] = i
	}
	for v := range p.Ops {
		for _, u := range p.Ops[v].Needs {
			require.Less(t, at[u], at[v], "op %d needs op %d", v, u)
		}
	}
}

func TestTheOrderIsTheBestOfAllOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 9)
		r, err := schedule.Solve(background, p, 0)
		require.NoError(t, err)
		requireValid(t, p, r.Order)
		require.Equal(t, leastPeak(p), r.Peak)
		require.Equal(t, r.Peak, r.Bound)
		require.Equal(t, p.Peak(r.Order), r.Peak)
	})
}

func TestWithoutEffortTheOrderIsNoWorseAndTheBoundHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 8)
		r, err := schedule.Solve(background, p, rapid.Int64Range(1, 20).Draw(t, "nodes"))
		require.NoError(t, err)
		requireValid(t, p, r.Order)
		require.LessOrEqual(t, r.Peak, r.Given)
		least := leastPeak(p)
		require.LessOrEqual(t, r.Bound, least)
		require.GreaterOrEqual(t, r.Peak, least)
	})
}

func TestAnOrderThatCannotBeImprovedStays(t *testing.T) {
	p := &schedule.Problem{
		Buffers: []schedule.Buffer{{Size: 4, Before: true}, {Size: 2}, {Size: 2}, {Size: 4, After: true}},
		Ops: []schedule.Op{
			{Touches: []int{0, 1}}, {Touches: []int{0, 2}}, {Needs: []int{0, 1}, Touches: []int{1, 2, 3}},
		},
	}
	r, err := schedule.Solve(background, p, 0)
	require.NoError(t, err)
	require.Equal(t, []int{0, 1, 2}, r.Order)
	require.Equal(t, int64(8), r.Peak) // 4 + 2 + 2, then 2 + 2 + 4
	require.True(t, r.Proved())
}

func TestBadProblemsAreReported(t *testing.T) {
	for name, p := range map[string]*schedule.Problem{
		"a size below zero":          {Buffers: []schedule.Buffer{{Size: -1}}},
		"an op that needs a later":   {Ops: []schedule.Op{{Needs: []int{0}}}},
		"a buffer that is not there": {Ops: []schedule.Op{{Touches: []int{0}}}},
		"scratch below zero":         {Ops: []schedule.Op{{Scratch: -1}}},
		"a reuse of nothing":         {Ops: []schedule.Op{{Reuses: []schedule.Reuse{{From: []int{0}}}}}},
	} {
		_, err := schedule.Solve(background, p, 0)
		require.Error(t, err, name)
	}
}
