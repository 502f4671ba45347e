package layout

// hinted reports whether some buffer of the part says where it stood before.
func (s *scene) hinted(lo, hi int32) bool {
	for b := lo; b < hi; b++ {
		if s.buffer(b).Hint != nil {
			return true
		}
	}
	return false
}

// follow places the part as its hints say where that is legal, and the rest by size with first fit.
func (s *scene) follow(lo, hi int32, work *budget) {
	s.reset(lo, hi)
	line := s.sorted(orders[0], lo, hi)
	rest := line[:0]
	for i, b := range line {
		if work.stop() {
			s.stack(append(rest, line[i:]...))
			return
		}
		if !s.fixed(b) && !s.putAtHint(b, work) {
			rest = append(rest, b)
		}
	}
	s.run(rest, firstFit, work)
}

// putAtHint places a buffer where it stood before; false when it may not stand there.
func (s *scene) putAtHint(b int32, work *budget) bool {
	hint := s.buffer(b).Hint
	if hint == nil || hint.Offset < 0 || hint.Offset > maxPeak-s.size[b] {
		return false
	}
	for _, k := range s.candidates(b) {
		if k != hint.Pool {
			continue
		}
		end := hint.Offset + s.size[b]
		if hint.Offset%s.align(b, k) != 0 || !s.fits(b, k, hint.Offset) || !free(s.extents(b, k, work), hint.Offset, end) {
			return false
		}
		s.set(b, k, hint.Offset)
		return true
	}
	return false
}

// mostSettled is the effort for settling all parts of a scene together.
const mostSettled = 1 << 19

// keepHints puts each part that has hints back to where they say, as far as it can be settled there with little effort, unless
// that leaves more bytes without a place or outside better choices, or raises a pool's peak above that of the placement as a
// whole. Hints that all hold need no settling, so that the limit never keeps a placement from being made again from itself.
func (s *scene) keepHints(work *budget) {
	peaks := s.score(0, s.len()).peaks
	left := int64(mostSettled)
	for part := range len(s.parts) - 1 {
		lo, hi := s.parts[part], s.parts[part+1]
		if !s.hinted(lo, hi) || work.stop() {
			continue
		}
		found := s.snapshot(lo, hi, nil, nil)
		s.follow(lo, hi, work)
		if len(s.pools) == 1 && !s.score(lo, hi).within(found.score, peaks) {
			before := work.spent
			work.further(left, func() { s.settle(lo, hi, peaks, work) })
			left -= min(left, work.spent-before)
		}
		if !s.score(lo, hi).within(found.score, peaks) {
			s.restore(lo, found)
		}
	}
}

// within reports whether a placement is as good as another of the same buffers as far as peaks do not matter, and exceeds
// none of the given peaks.
func (a score) within(b score, peaks []int64) bool {
	if a.unplaced > b.unplaced || a.displaced > b.displaced || a.depth > b.depth {
		return false
	}
	for slot, peak := range a.peaks {
		if peak > peaks[slot] {
			return false
		}
	}
	return true
}
