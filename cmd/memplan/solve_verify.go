package main

import (
	"errors"
	"fmt"

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
		if p.Conflicts != nil {
			// A time of its own for each: limits are checked here, pairs below.
			x.First, x.Last = int64(i), int64(i)+1
		} else {
			x.First, x.Last = b.Live.First, b.Live.Last
			for _, gap := range b.Gaps {
				x.Gaps = append(x.Gaps, check.Gap{First: gap.First, Last: gap.Last, From: gap.From, To: gap.To})
			}
		}
		placed = append(placed, x)
	}
	if faults := check.Placement(placed); len(faults) > 0 {
		return errors.Join(faults[:min(len(faults), 10)]...)
	}
	return verifyConflicts(p, r)
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
