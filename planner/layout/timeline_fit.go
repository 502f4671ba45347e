package layout

import (
	"cmp"
	"slices"
)

// lowest reads lists from the bottom up and stops at the first gap with room, which mostly comes early.
func (t *timeline) lowest(s *scene, b int32, pool int32) (int64, int) {
	from, to := t.span(b)
	switch {
	case t.holes != nil:
		taken, looked := t.taken(s, b, pool, s.space[:0])
		s.space = taken
		return lowestGap(taken, s.size[b], s.align(b, int(pool))), looked
	case from == to:
		return t.lowestInBlock(s, b, pool, t.blocks[from])
	}
	return t.lowestAcross(s, b, pool)
}

// lowestInBlock is for a buffer that lives in one block, whose list is sorted.
func (t *timeline) lowestInBlock(s *scene, b int32, pool int32, block []resident) (int64, int) {
	first, last, size, align := t.first[b], t.last[b], s.size[b], s.align(b, int(pool))
	at := int64(0)
	for i := range block {
		r := &block[i]
		if r.hi <= at || r.first >= last || first >= r.last || r.pool != pool {
			continue
		}
		if r.lo-at >= size {
			return at, i
		}
		at = alignUp(r.hi, align)
	}
	return at, len(block)
}

// lowestAcross merges the lists of several blocks stripe by stripe of offsets, each twice as high as the one below it, so
// that what lies above the gap it finds is hardly looked at.
func (t *timeline) lowestAcross(s *scene, b int32, pool int32) (int64, int) {
	const stripes = 16
	from, to := t.span(b)
	size, align := s.size[b], s.align(b, int(pool))
	t.cursors = append(t.cursors[:0], make([]int32, to-from+1)...)
	at, looked := int64(0), 0
	for height := max(size, t.top/stripes); ; height *= 2 {
		below := max(at+size, height)
		taken, seen, more := t.stripe(s, b, pool, extent{at, below})
		s.space = taken
		looked += seen
		for _, x := range taken {
			if x.lo-at >= size {
				return at, looked
			}
			if x.hi > at {
				at = alignUp(x.hi, align)
			}
		}
		if !more || at+size <= below {
			return at, looked
		}
	}
}

// stripe gathers what starts below a stripe's end and ends above its start, from where the cursors stand, and moves these
// on. The last result says that a list goes on above.
func (t *timeline) stripe(s *scene, b int32, pool int32, within extent) (taken []extent, looked int, more bool) {
	first, last := t.first[b], t.last[b]
	from, to := t.span(b)
	dst := s.space[:0]
	for k := from; k <= to; k++ {
		i := t.cursors[k-from]
		if from < k && k < to {
			runs := t.runs[t.runsOf(s, k, pool)]
			for ; int(i) < len(runs) && runs[i].lo < within.hi; i++ {
				if runs[i].hi > within.lo {
					dst = append(dst, runs[i])
				}
			}
			more = more || int(i) < len(runs)
		} else {
			block := t.blocks[k]
			run := extent{0, within.lo}
			for ; int(i) < len(block) && block[i].lo < within.hi; i++ {
				r := &block[i]
				if r.hi > run.hi && r.first < last && first < r.last && r.pool == pool {
					dst, run = join(dst, run, r.extent, within.lo)
				}
			}
			if run.hi > within.lo {
				dst = append(dst, run)
			}
			more = more || int(i) < len(block)
		}
		looked += int(i - t.cursors[k-from])
		t.cursors[k-from] = i
	}
	return t.sorter.sort(dst), looked, more
}

// join makes a run longer by an extent that starts no lower, or appends the run, unless it ends at floor or below, and starts a new
// one.
func join(dst []extent, run, x extent, floor int64) ([]extent, extent) {
	if x.lo <= run.hi {
		run.hi = max(run.hi, x.hi)
		return dst, run
	}
	if run.hi > floor {
		dst = append(dst, run)
	}
	return dst, x
}

// runsOf is the index in runs of a block's for a pool of the scene.
func (t *timeline) runsOf(s *scene, block, pool int32) int {
	return int(block)*len(s.pools) + int(s.slot[pool])
}

// cover adds an extent to sorted runs that do not touch.
func cover(runs []extent, x extent) []extent {
	from, _ := slices.BinarySearchFunc(runs, x.lo, func(r extent, lo int64) int { return cmp.Compare(r.hi, lo) })
	to := from
	for to < len(runs) && runs[to].lo <= x.hi {
		x.lo, x.hi = min(x.lo, runs[to].lo), max(x.hi, runs[to].hi)
		to++
	}
	if to == from {
		return slices.Insert(runs, from, x)
	}
	runs[from] = x
	return slices.Delete(runs, from+1, to)
}
