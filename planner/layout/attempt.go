package layout

import "slices"

// method is a way to place the buffers of a line that are not pinned.
type method func(s *scene, line []int32, work *budget)

func byFirstFit(s *scene, line []int32, work *budget) { s.run(line, firstFit, work) }
func byBestFit(s *scene, line []int32, work *budget)  { s.run(line, bestFit, work) }
func byRising(s *scene, line []int32, work *budget)   { s.rise(line, work) }

// methods lists the methods for a part.
func (s *scene) methods(lo, hi int32) []method {
	if s.rises(lo, hi) {
		return []method{byFirstFit, byBestFit, byRising}
	}
	return []method{byFirstFit, byBestFit}
}

// attempt is a finished placement of a part and how it was reached.
type attempt struct {
	order  []int32
	method method
	score  score
	lo     []int64
	pool   []int32
}

// retry places the part again and keeps the result in best when it is better.
func (s *scene) retry(line []int32, m method, best *attempt, lo, hi int32, work *budget) {
	if !s.attemptBelow(best.peak()-1, m, line, lo, hi, work) {
		return
	}
	if sc := s.score(lo, hi); sc.compare(best.score) < 0 {
		*best = *s.snapshot(lo, hi, line, m)
		work.tell(s)
	}
}

// run places the buffers of a line that are not pinned, one after the other. Once the context has ended it only stacks,
// so that even the first attempt comes to an end.
func (s *scene) run(line []int32, f fit, work *budget) {
	for i, b := range line {
		if work.stop() {
			s.stack(line[i:])
			return
		}
		if s.fixed(b) {
			continue
		}
		if s.put(b, f, work); s.givesUp(b) {
			return
		}
	}
}

// givesUp reports whether the placement of b makes the attempt useless.
func (s *scene) givesUp(b int32) bool {
	s.useless = s.useless || s.limit < maxPeak && (s.pool[b] == nowhere || s.lo[b]+s.size[b] > s.limit)
	return s.useless
}

// attemptBelow places a part anew and reports whether that came to an end: with one pool the attempt is given up as soon
// as a buffer ends above the limit or finds no place.
func (s *scene) attemptBelow(limit int64, m method, line []int32, lo, hi int32, work *budget) bool {
	s.reset(lo, hi)
	if s.hasPins {
		work.spend(int(hi - lo)) // for what reset put back: a line of pins alone would be free
	}
	if len(s.pools) == 1 {
		s.limit = limit
	}
	m(s, line, work)
	useless := s.useless
	s.limit, s.useless = maxPeak, false
	return !useless
}

// peak is the highest peak that an attempt may have to be as good as this one; no limit when that places not everything.
func (a *attempt) peak() int64 {
	if a.score.unplaced > 0 {
		return maxPeak
	}
	return slices.Max(a.score.peaks)
}

// stack puts the buffers above everything else in their candidate pools, which needs no look at neighbours.
func (s *scene) stack(line []int32) {
	top := make([]int64, len(s.pools))
	for b := range s.len() {
		if s.pool[b] != nowhere {
			slot := s.slot[s.pool[b]]
			top[slot] = max(top[slot], s.lo[b]+s.size[b])
		}
	}
	for _, b := range line {
		if !s.fixed(b) {
			s.append(b, make([][]extent, len(s.pools)), top)
		}
	}
}

func (s *scene) snapshot(lo, hi int32, line []int32, m method) *attempt {
	return &attempt{order: line, method: m, score: s.score(lo, hi), lo: slices.Clone(s.lo[lo:hi]), pool: slices.Clone(s.pool[lo:hi])}
}

// restore puts an attempt on the part that starts at lo back into the scene.
func (s *scene) restore(lo int32, a *attempt) {
	copy(s.lo[lo:], a.lo)
	copy(s.pool[lo:], a.pool)
}
