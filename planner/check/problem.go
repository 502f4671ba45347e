package check

import "fmt"

// Interval is a placed buffer of a bare layout problem, with the limits of its pool.
type Interval struct {
	// Pool tells address spaces apart.
	Pool int
	// Offset and Size are bytes; the buffer takes [Offset, Offset+Size).
	Offset, Size int64
	// First and Last are the half-open lifetime [First, Last).
	First, Last int64
	// Gaps free bytes of the buffer at times.
	Gaps []Gap
	// Alignment that the offset must be a multiple of, 1 or more; Capacity of the pool in bytes, -1 when unlimited.
	Alignment, Capacity int64
}

// Gap is a half-open span of time [First, Last) in which the bytes [From, To) of a buffer, counted from its start, are free for
// others.
type Gap struct{ First, Last, From, To int64 }

// Placement reports what is wrong with a placement: offsets that are negative, misaligned or beyond the capacity, and
// pairs that are live together and share bytes, one pair at least when there is any. What never holds a byte may stand
// anywhere. Buffers are named by index. It costs O(n log n + faults) for n buffers and what gaps leave of them; see without.
func Placement(placed []Interval) []error {
	var faults []error
	var boxes []box
	var of []int
	pools := map[int][]int{}
	var order []int
	for i, x := range placed {
		held := x.held()
		if len(held) == 0 && x.Size >= 0 {
			continue
		}
		end := x.Offset + x.Size
		switch {
		case x.Size < 0 || x.Offset < 0 || end < x.Offset:
			faults = append(faults, fmt.Errorf("buffer %d has offset %d and size %d", i, x.Offset, x.Size))
			continue
		case x.Alignment > 1 && x.Offset%x.Alignment != 0:
			faults = append(faults, fmt.Errorf("buffer %d has offset %d, not a multiple of %d", i, x.Offset, x.Alignment))
		case x.Capacity >= 0 && end > x.Capacity:
			faults = append(faults, fmt.Errorf("buffer %d ends at %d, beyond the pool's %d", i, end, x.Capacity))
		}
		if pools[x.Pool] == nil {
			order = append(order, x.Pool)
		}
		for _, b := range held {
			pools[x.Pool] = append(pools[x.Pool], len(boxes))
			boxes, of = append(boxes, box{lo: x.Offset + b.lo, hi: x.Offset + b.hi, first: b.first, last: b.last}), append(of, i)
		}
	}
	for _, pool := range order {
		collisions(boxes, pools[pool], func(a, b int) {
			faults = append(faults, fmt.Errorf("buffers %d and %d share bytes while both are live", min(of[a], of[b]), max(of[a], of[b])))
		})
	}
	return faults
}

// held is what gaps leave of a buffer, its bytes counted from its start.
func (x *Interval) held() []box {
	whole := box{lo: 0, hi: x.Size, first: x.First, last: x.Last}
	switch {
	case whole.empty():
		return nil
	case len(x.Gaps) == 0:
		return []box{whole}
	}
	free := make([]box, len(x.Gaps))
	for i, gap := range x.Gaps {
		free[i] = box{lo: gap.From, hi: gap.To, first: gap.First, last: gap.Last}
	}
	return whole.without(free)
}
