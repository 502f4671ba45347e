package layout

import "slices"

// piece is the live bytes of a buffer in a range of sections: how many, how many more when each run is rounded up to a unit,
// and the most of these for one run.
type piece struct {
	hole
	bytes, more, largest int64
	// loose says that a run starts inside a unit, where it may share one with the end of another buffer.
	loose bool
}

// pieces lists those of a buffer, for offsets that are multiples of unit.
func (t *timeline) pieces(b int32, unit int64) []piece {
	out := make([]piece, len(t.shapes[b]))
	for i, s := range t.shapes[b] {
		out[i].hole = hole{s.lo, s.hi}
		for _, run := range s.runs {
			bytes := run.hi - run.lo
			more := alignUp(bytes, unit) - bytes
			out[i].bytes += bytes
			out[i].more += more
			out[i].largest = max(out[i].largest, more)
			out[i].loose = out[i].loose || run.lo%unit != 0
		}
	}
	return out
}

// loadsByPieces sums the live bytes of each section. Where all runs start at a multiple of the unit, each but the topmost takes
// up whole units, as in [timeline.bound].
func (t *timeline) loadsByPieces(member func(int32) bool, unit int64) []int64 {
	n := len(t.start)
	bytes, more, loose := make([]int64, n+1), make([]int64, n+1), make([]int64, n+1)
	var roundings []rounding
	for b := range t.shapes {
		if !member(int32(b)) {
			continue
		}
		for _, p := range t.pieces(int32(b), unit) {
			addRange(bytes, p.hole, p.bytes)
			addRange(more, p.hole, p.more)
			if p.loose {
				addRange(loose, p.hole, 1)
			}
			if p.largest > 0 {
				roundings = append(roundings, rounding{p.hole, p.largest})
			}
		}
	}
	largest := t.largestRoundings(roundings)
	for i := 1; i < n; i++ {
		bytes[i] += bytes[i-1]
		more[i] += more[i-1]
		loose[i] += loose[i-1]
	}
	for i := range n {
		if loose[i] == 0 {
			bytes[i] += more[i] - largest[i]
		}
	}
	return bytes[:n]
}

// addRange adds to a range of sections of sums of differences.
func addRange(sums []int64, at hole, v int64) {
	sums[at.lo] += v
	sums[at.hi] -= v
}

// pieceAt is what is live of a buffer at the step at which a section starts.
func (t *timeline) pieceAt(s *scene, b int32, step, unit int64) piece {
	span := s.buffer(b).Live
	switch {
	case step < span.First || step >= span.Last || s.buffer(b).absent(step):
		return piece{}
	case t.shapes == nil:
		return piece{bytes: s.size[b], more: alignUp(s.size[b], unit) - s.size[b]}
	}
	section := t.section(step)
	for _, p := range t.pieces(b, unit) {
		if p.lo <= section && section < p.hi {
			return p
		}
	}
	return piece{}
}

// crowds lists what is live of the buffers [lo, hi) in each section of their part, without repeating what was live before.
func (t *timeline) crowds(s *scene, lo, hi int32) [][]share {
	first := t.first[lo]
	out := make([][]share, slices.Max(t.last[lo:hi])-first)
	for b := lo; b < hi; b++ {
		for _, p := range t.pieces(b, 1) {
			for section := p.lo; section < p.hi && p.bytes > 0; section++ {
				out[section-first] = append(out[section-first], share{b: b, bytes: p.bytes})
			}
		}
	}
	return slices.CompactFunc(out, slices.Equal)
}
