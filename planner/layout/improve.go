package layout

import "slices"

// improve changes the best order of a part for as long as the effort lasts.
//
//  1. Pick a critical buffer: one without a place, else one outside its first choice, else one that reaches a peak above
//     its floor.
//  2. Move it, or a random neighbour in the order, to a random earlier position, and place the part again.
//  3. Keep the new order when the result is no worse, so that plateaus are crossed.
//
// The random numbers depend on the part alone. It gives up after a number of moves without a better result that grows
// with the part.
func (s *scene) improve(lo, hi int32, best *attempt, methods []method, work *budget) {
	random := random(uint64(lo) + 1)
	current := &attempt{order: slices.Clone(best.order), method: best.method, score: best.score, lo: slices.Clone(best.lo), pool: slices.Clone(best.pool)}
	patience := 500 + 20*int(hi-lo)
	for idle := 0; idle < patience && !s.done(best.score) && !work.over(); idle++ {
		line, m := s.mutate(current, methods, lo, &random)
		if !s.attemptBelow(current.peak(), m, line, lo, hi, work) {
			continue
		}
		next := s.score(lo, hi)
		if work.stop() || next.compare(current.score) > 0 {
			continue
		}
		current = s.snapshot(lo, hi, line, m)
		if next.compare(best.score) < 0 {
			*best, idle = *current, 0
			work.tell(s)
		}
	}
	s.restore(lo, best)
}

// mutate returns a changed copy of the order, and now and then another method.
func (s *scene) mutate(a *attempt, methods []method, lo int32, random *random) ([]int32, method) {
	line := slices.Clone(a.order)
	critical := s.critical(a, lo)
	for moves := 1 + random.below(3); moves > 0; moves-- {
		from := random.below(len(line))
		if len(critical) > 0 && random.below(4) > 0 {
			from = slices.Index(line, critical[random.below(len(critical))])
		}
		to := random.below(from + 1)
		b := line[from]
		copy(line[to+1:from+1], line[to:from])
		line[to] = b
	}
	if random.below(16) == 0 {
		return line, methods[random.below(len(methods))]
	}
	return line, a.method
}

// critical lists the buffers of an attempt that keep it from being better.
func (s *scene) critical(a *attempt, lo int32) []int32 {
	var out []int32
	for i, k := range a.pool {
		b := lo + int32(i)
		switch {
		case s.fixed(b):
		case k == nowhere:
			out = append(out, b)
		case a.score.unplaced > 0:
		case a.score.displaced > 0:
			if s.rank(b, int(k)) > 0 {
				out = append(out, b)
			}
		default:
			top, slot := a.lo[i]+s.size[b], s.slot[k]
			if top == a.score.peaks[slot] && top > s.floor[slot] {
				out = append(out, b)
			}
		}
	}
	return out
}

// random is a splitmix64 generator.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9E3779B97F4A7C15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// below returns a number of 0..n-1.
func (r *random) below(n int) int { return int(r.next() % uint64(n)) }
