package layout

import "slices"

// segment is a range of sections [lo, hi) in which the same bytes of a buffer are live: the runs, counted from its start,
// ascending, not empty, no two of which meet. A buffer is the rigid set of the rectangles that its segments' runs are.
type segment struct {
	lo, hi int32
	runs   []extent
}

// shape cuts the life of a buffer at its gaps. Sections in which all bytes are free are in no segment; steps at which no
// section starts are in nobody's way.
func (t *timeline) shape(b *Buffer) []segment {
	var out []segment
	for _, x := range b.stretches() {
		s := segment{t.section(x.First), t.section(x.Last), x.runs}
		if last := len(out) - 1; last >= 0 && out[last].hi == s.lo && slices.Equal(out[last].runs, s.runs) {
			out[last].hi = s.hi
		} else if s.lo < s.hi {
			out = append(out, s)
		}
	}
	return out
}

// addShapes cuts the lives of all buffers if some buffer has a gap of a part of it; the sections without any live byte become
// holes.
func (t *timeline) addShapes(p *Problem, ids []int32) {
	t.shapes, t.holes, t.inPieces = make([][]segment, len(ids)), make([][]hole, len(ids)), make([]bool, len(ids))
	for i, id := range ids {
		t.shapes[i] = t.shape(&p.Buffers[id])
		t.inPieces[i] = slices.ContainsFunc(t.shapes[i], func(s segment) bool { return !slices.Equal(s.runs, []extent{{0, p.Buffers[id].Size}}) })
		at := t.first[i]
		for _, s := range t.shapes[i] {
			if at < s.lo {
				t.holes[i] = append(t.holes[i], hole{at, s.lo})
			}
			at = s.hi
		}
		if at < t.last[i] {
			t.holes[i] = append(t.holes[i], hole{at, t.last[i]})
		}
	}
}

func (t *timeline) pieced(b int32) bool { return t.shapes != nil && t.inPieces[b] }

// facing calls f with each pair of runs of two buffers that are live together.
func (t *timeline) facing(a, b int32, f func(ours, theirs extent)) {
	theirs := t.shapes[b]
	for _, s := range t.shapes[a] {
		for len(theirs) > 0 && theirs[0].hi <= s.lo {
			theirs = theirs[1:]
		}
		for _, other := range theirs {
			if other.lo >= s.hi {
				break
			}
			for _, ours := range s.runs {
				for _, run := range other.runs {
					f(ours, run)
				}
			}
		}
	}
}

// twins compares shapes, which stand for all that matters.
func (t *timeline) twins(s *scene, a, b int32) bool {
	return t.shapes != nil && s.size[a] == s.size[b] && slices.EqualFunc(t.shapes[a], t.shapes[b], func(x, y segment) bool {
		return x.lo == y.lo && x.hi == y.hi && slices.Equal(x.runs, y.runs)
	})
}

func (t *timeline) barred(s *scene, x, b int32, dst []extent) []extent {
	if t.shapes == nil {
		return append(dst, extent{-s.size[b], s.size[x]})
	}
	t.facing(x, b, func(run, ours extent) {
		e := extent{run.lo - ours.hi, run.hi - ours.lo}
		if last := len(dst) - 1; last < 0 || dst[last] != e {
			dst = append(dst, e)
		}
	})
	return dst
}

// takenByPieces is taken for buffers of which some are live in parts. To say that b may not start strictly between two
// offsets, an extent reaches from the first of them plus b's size to the second, so that its end may lie before its
// start; every fit reads extents in just this way.
func (t *timeline) takenByPieces(s *scene, b int32, pool int32, dst []extent) ([]extent, int) {
	from, to := t.span(b)
	looked := 0
	size := s.size[b]
	for k, block := range t.blocks[from : to+1] {
		looked += len(block)
		for i := range block {
			r := &block[i]
			if r.pool != pool || !t.overlap(b, r.id) || max(from, t.blockOf[r.first]) != from+int32(k) {
				continue
			}
			t.distances = t.barred(s, r.id, b, t.distances[:0])
			looked += len(t.distances)
			for _, d := range t.distances {
				if hi := r.lo + d.hi; hi > 0 {
					dst = append(dst, extent{r.lo + d.lo + size, hi})
				}
			}
		}
	}
	return t.sorter.sort(dst), looked
}
