package layout

import "slices"

// promotion is a line of a part that is placed again and again, each time with those first that stood too high: squeaky wheel
// optimisation (Joslin and Clements, "Squeaky Wheel" Optimization, JAIR 10, 1999). What ends above the floor is mostly little,
// and little is lost when it goes first.
type promotion struct {
	// order is the next of orders to begin with, line the present line, nil when one is over, and rounds how often it was
	// placed.
	order  int
	line   []int32
	rounds int
}

const (
	// mostRounds is how often a line is placed; mostPromoted divides the buffers of a part: where more of them stand too high,
	// the order is to blame and not they.
	mostRounds, mostPromoted = 8, 4
	// firstPromotions is the number of orders that greedy promotes; auto promotes all.
	firstPromotions = 2
	// mostPromotedOnce is the most nodes of first attempts that promoteOnce repeats.
	mostPromotedOnce = 1 << 22
)

// promoteOnce places each part in the leading order, and once more with those first that stood too high, when the first
// attempts took all of a default effort. On traces of tens of thousands of buffers little else wins as much.
func (s *scene) promoteOnce(tries []*trial, work *budget) {
	if len(s.pools) > 1 || !work.standard || !work.over() || work.first > mostPromotedOnce {
		return
	}
	for _, t := range tries {
		lo, hi := s.parts[t.part], s.parts[t.part+1]
		best := s.better(t)
		line := s.sorted(orders[leading(0)], lo, hi)
		s.attemptBelow(maxPeak, byFirstFit, line, lo, hi, work)
		if sc := s.score(lo, hi); sc.compare(best.score) < 0 {
			best = s.snapshot(lo, hi, line, byFirstFit)
		}
		if line = s.promoted(line); line != nil && !work.stop() {
			s.retry(line, byFirstFit, best, lo, hi, work)
		}
		s.keep(t, best)
	}
}

// promoteAll goes on with the promotion of each part until that many orders have had their turn. It is for scenes of one pool.
func (s *scene) promoteAll(tries []*trial, most int, work *budget) {
	if len(s.pools) > 1 {
		return
	}
	for i, t := range tries {
		work.within(len(tries)-i, func() { s.promote(t, most, work) })
	}
}

func (s *scene) promote(t *trial, most int, work *budget) {
	lo, hi := s.parts[t.part], s.parts[t.part+1]
	best := s.better(t)
	for p := &t.promotion; !s.done(best.score) && !work.over(); p.rounds++ {
		if p.line == nil || p.rounds == mostRounds {
			if p.order == min(most, len(orders)) {
				break
			}
			p.line, p.rounds = s.sorted(orders[leading(p.order)], lo, hi), 0
			p.order++
		}
		s.attemptBelow(maxPeak, byFirstFit, p.line, lo, hi, work)
		if sc := s.score(lo, hi); !work.stop() && sc.compare(best.score) < 0 {
			best = s.snapshot(lo, hi, p.line, byFirstFit)
			work.tell(s)
		}
		p.line = s.promoted(p.line)
	}
	s.keep(t, best)
}

// leading is the order with a turn: the second one comes first, for it stacks what is live at the peak.
func leading(turn int) int {
	if turn < 2 {
		return 1 - turn
	}
	return turn
}

// promoted is the line with those first that have no place or end above the floor; nil when they are too many.
func (s *scene) promoted(line []int32) []int32 {
	high := func(b int32) bool { return s.pool[b] == nowhere || s.lo[b]+s.size[b] > s.floor[0] }
	front := make([]int32, 0, len(line))
	for _, b := range line {
		if high(b) {
			front = append(front, b)
		}
	}
	if len(front) > len(line)/mostPromoted+1 || slices.Equal(front, line[:len(front)]) {
		return nil
	}
	for _, b := range line {
		if !high(b) {
			front = append(front, b)
		}
	}
	return front
}
