package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/memplan/memplan/planner/check"
	"github.com/memplan/memplan/planner/layout"
)

// verify holds a placement against the problem; a fault is ours.
func verify(p *layout.Problem, r *layout.Result) error {
	placed := make([]check.Interval, 0, len(p.Buffers))
	for i, at := range r.Places {
		if at.Pool == layout.Unplaced {
			continue
		}
		b := &p.Buffers[i]
		x := check.Interval{Pool: at.Pool, Offset: at.Offset, Size: b.Size, Alignment: b.Alignment, Capacity: p.Pools[at.Pool].Capacity}
		if b.Pinned && at.Offset != b.Offset {
			return fmt.Errorf("buffer %d was moved from its pin", i)
		}
		switch {
		case p.Conflicts != nil:
			// A time of its own for each: limits are checked here, pairs below.
			x.First, x.Last = int64(i), int64(i)+1
			placed = append(placed, x)
		case len(b.Gaps) == 0:
			x.First, x.Last = b.Live.First, b.Live.Last
			placed = append(placed, x)
		default:
			placed = append(placed, pieces(b, x)...)
			// The limits are those of the whole buffer, in a space of its own.
			x.Pool, x.First, x.Last = len(p.Pools)+i, b.Live.First, b.Live.Last
			placed = append(placed, x)
		}
	}
	if faults := check.Placement(placed); len(faults) > 0 {
		return errors.Join(faults[:min(len(faults), 10)]...)
	}
	return verifyConflicts(p, r)
}

// pieces cuts a buffer at the ends of its gaps, which are in order, and keeps what none frees.
func pieces(b *layout.Buffer, whole check.Interval) []check.Interval {
	times := []int64{b.Live.First, b.Live.Last}
	for _, gap := range b.Gaps {
		times = append(times, gap.First, gap.Last)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	var out []check.Interval
	var open []layout.Gap
	next := 0
	for i := range len(times) - 1 {
		open = slices.DeleteFunc(open, func(gap layout.Gap) bool { return gap.Last <= times[i] })
		for ; next < len(b.Gaps) && b.Gaps[next].First <= times[i]; next++ {
			open = append(open, b.Gaps[next])
		}
		slices.SortFunc(open, func(x, y layout.Gap) int { return cmp.Compare(x.From, y.From) })
		at := int64(0)
		keep := func(to int64) {
			if at < to {
				out = append(out, check.Interval{Pool: whole.Pool, Offset: whole.Offset + at, Size: to - at,
					First: times[i], Last: times[i+1], Alignment: 1, Capacity: whole.Capacity})
			}
		}
		for _, gap := range open {
			keep(gap.From)
			at = max(at, gap.To)
		}
		keep(b.Size)
	}
	return out
}

func verifyConflicts(p *layout.Problem, r *layout.Result) error {
	for i, list := range p.Conflicts {
		for _, j := range list {
			a, b := r.Places[i], r.Places[j]
			if i != j && a.Pool == b.Pool && a.Pool != layout.Unplaced &&
				max(a.Offset, b.Offset) < min(a.Offset+p.Buffers[i].Size, b.Offset+p.Buffers[j].Size) {
				return fmt.Errorf("buffers %d and %d conflict and share bytes", i, j)
			}
		}
	}
	return nil
}
