package main

import (
	"errors"
	"fmt"

	"github.com/memplan/memplan/planner/check"
	"github.com/memplan/memplan/planner/layout"
)

// verify holds a placement against the problem; a fault is ours.
func verify(p *layout.Problem, r *layout.Result) error {
	var placed []check.Interval
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
			placed = append(placed, x)
			continue
		}
		for _, live := range spansOf(b) {
			x.First, x.Last = live.First, live.Last
			placed = append(placed, x)
		}
	}
	if faults := check.Placement(placed); len(faults) > 0 {
		return errors.Join(faults[:min(len(faults), 10)]...)
	}
	return verifyConflicts(p, r)
}

// spansOf is the lifetime without the gaps of the whole buffer.
func spansOf(b *layout.Buffer) []layout.Span {
	var out []layout.Span
	at := b.Live.First
	for _, gap := range b.Gaps {
		if gap.From > 0 || gap.To < b.Size {
			continue
		}
		if at < gap.First {
			out = append(out, layout.Span{First: at, Last: gap.First})
		}
		at = max(at, gap.Last)
	}
	if at < b.Live.Last {
		out = append(out, layout.Span{First: at, Last: b.Live.Last})
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
