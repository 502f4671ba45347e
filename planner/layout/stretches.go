package layout

import "slices"

// stretch is a span of steps in which the same bytes of a buffer are live: the runs, counted from its start, ascending, not
// empty, no two of which meet.
type stretch struct {
	Span
	runs []extent
}

// Load is how many bytes of a buffer are live in a span of steps.
type Load struct {
	Span
	Bytes int64
}

// Loads lists the live bytes of a buffer, in order of time: one load for a buffer without gaps, none for one that is never
// live. It costs as much as cutting the buffer at its gaps.
func (b *Buffer) Loads() []Load {
	if len(b.Gaps) == 0 {
		return []Load{{b.Live, b.Size}}
	}
	var out []Load
	for _, s := range b.stretches() {
		load := Load{Span: s.Span}
		for _, run := range s.runs {
			load.Bytes += run.hi - run.lo
		}
		out = append(out, load)
	}
	return out
}

// partial reports whether some gap frees a part of the buffer only, or overlaps another one.
func (b *Buffer) partial() bool {
	at := b.Live.First
	for _, gap := range b.Gaps {
		if !b.frees(gap) || gap.First < at {
			return true
		}
		at = gap.Last
	}
	return false
}

// stretches cuts the life of a buffer at its gaps. Steps in which all bytes are free are in none. It costs
// O(g log g + g · gaps that overlap in time).
func (b *Buffer) stretches() []stretch {
	cuts := []int64{b.Live.First, b.Live.Last}
	for _, gap := range b.Gaps {
		cuts = append(cuts, gap.First, gap.Last)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var out []stretch
	var open []Gap
	rest := b.Gaps
	for k := range len(cuts) - 1 {
		open = slices.DeleteFunc(open, func(gap Gap) bool { return gap.Last <= cuts[k] })
		for ; len(rest) > 0 && rest[0].First <= cuts[k]; rest = rest[1:] {
			open = append(open, rest[0])
		}
		if runs := liveRuns(open, b.Size); len(runs) > 0 {
			out = append(out, stretch{Span{cuts[k], cuts[k+1]}, runs})
		}
	}
	return out
}

// liveRuns is what open gaps leave of a buffer.
func liveRuns(open []Gap, size int64) []extent {
	free := make([]extent, len(open))
	for i, gap := range open {
		free[i] = extent{gap.From, gap.To}
	}
	insertionSort(free)
	var runs []extent
	at := int64(0)
	for _, f := range free {
		if at < f.lo {
			runs = append(runs, extent{at, f.lo})
		}
		at = max(at, f.hi)
	}
	if at < size {
		runs = append(runs, extent{at, size})
	}
	return runs
}
