package layout

import "slices"

// hole is a half-open range of sections [lo, hi) in which a buffer is not live.
type hole struct{ lo, hi int32 }

// sectionStarts lists the steps at which lifetimes of ids, sorted by start, begin or go on, ascending.
func sectionStarts(p *Problem, ids []int32) []int64 {
	starts := make([]int64, 0, len(ids))
	gaps := false
	for _, id := range ids {
		starts = append(starts, p.Buffers[id].Live.First)
		for _, gap := range p.Buffers[id].Gaps {
			starts, gaps = append(starts, gap.Last), true
		}
	}
	if gaps {
		slices.Sort(starts)
	}
	return slices.Compact(starts)
}

// section is the first section that starts at the step or later.
func (t *timeline) section(step int64) int32 {
	k, _ := slices.BinarySearch(t.start, step)
	return int32(k)
}

// addHoles translates the gaps, all of whole buffers, into sections; gaps in which no section starts are in nobody's way.
func (t *timeline) addHoles(p *Problem, ids []int32) {
	for i, id := range ids {
		for _, gap := range p.Buffers[id].Gaps {
			h := hole{t.section(gap.First), t.section(gap.Last)}
			if h.lo == h.hi {
				continue
			}
			if t.holes == nil {
				t.holes = make([][]hole, len(ids))
			}
			t.holes[i] = append(t.holes[i], h)
		}
	}
}

func (t *timeline) holesOf(b int32) []hole {
	if t.holes == nil {
		return nil
	}
	return t.holes[b]
}

// meet reports whether two buffers share a section that is in no hole of either.
func (t *timeline) meet(a, b int32) bool {
	at, end := max(t.first[a], t.first[b]), min(t.last[a], t.last[b])
	ours, theirs := t.holes[a], t.holes[b]
	for at < end {
		was := at
		ours, at = pass(ours, at)
		theirs, at = pass(theirs, at)
		if at == was {
			return true
		}
	}
	return false
}

// pass moves a section out of the hole it is in, and drops the holes before it.
func pass(holes []hole, at int32) ([]hole, int32) {
	for len(holes) > 0 && holes[0].lo <= at {
		at = max(at, holes[0].hi)
		holes = holes[1:]
	}
	return holes, at
}

// awake lists those of a live set that are in no hole at the section.
func (t *timeline) awake(live []int32, section int32) []int32 {
	out := make([]int32, 0, len(live))
	for _, b := range live {
		if !slices.ContainsFunc(t.holesOf(b), func(h hole) bool { return h.lo <= section && section < h.hi }) {
			out = append(out, b)
		}
	}
	return out
}
