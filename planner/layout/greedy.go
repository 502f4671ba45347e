package layout

// greedy is the best of many simple placements.
//
//  1. A part (buffers that overlap no other part in time) is placed by size with first fit. Where that misses the proved
//     bound and there is one pool, it is placed again a few times with those first that stood too high; see promotion.
//     Where the first attempt takes all of the default effort, one promotion is made all the same.
//  2. It is placed in each of several orders, with first fit, with best fit and from the bottom up (see rise), until its peaks
//     meet the bound or its share of the effort is spent.
//  3. With one pool, short searches look for what no order gives, once the first orders have had their turn; see dive. Up to
//     five eighths of the effort is kept for them, and a part for which they find something gets no further orders.
//  4. What effort is left goes into changing the best order of each part that misses its bound; see improve.
//
// The result is never worse than placing by size with first fit, which is always finished. It may miss the least peak.
// With k neighbours per buffer one attempt costs O(n (log n + k)); k is at most the number of buffers live at once plus
// those that start during the buffer's life. It needs memory linear in n.
type greedy struct{}

// greedyNodes is the default effort for n buffers: some milliseconds for a small network, half a second for a trace of
// 100,000, where placing by size alone takes all of it.
func greedyNodes(n int) int64 {
	const fewest, each, most = 1 << 15, 1 << 6, 1 << 19
	return min(most, max(fewest, each*int64(n)))
}

func (greedy) place(s *scene, work *budget) { s.placeGreedily(work) }

// placeGreedily returns the parts that its first attempt left open.
func (s *scene) placeGreedily(work *budget) []*trial {
	tries := s.firstAttempts(work)
	s.promoteOnce(tries, work)
	open := tries
	if s.dives() {
		kept := min(work.left()/8*5, allDives)
		work.upTo(min(work.left()-kept, s.beforeDive()), func() { s.tryMore(tries, firstPromotions, work) })
		work.upTo(kept, func() { s.dive(work) })
		open = s.unbeaten(tries)
	}
	s.tryMore(open, firstPromotions, work)
	s.climb(open, work)
	return tries
}

// trial is how far a part has come.
type trial struct {
	part int
	best *attempt
	// turn is the next order and method to try.
	turn      int
	promotion promotion
}

// better is what stands in the scene when that is better than the best attempt, which is so when it came from elsewhere.
func (s *scene) better(t *trial) *attempt {
	lo, hi := s.parts[t.part], s.parts[t.part+1]
	if s.score(lo, hi).compare(t.best.score) < 0 {
		return s.snapshot(lo, hi, nil, nil)
	}
	return t.best
}

// keep puts the best placement into the scene, and takes it for the best attempt when it came from an order.
func (s *scene) keep(t *trial, best *attempt) {
	s.restore(s.parts[t.part], best)
	if best.order != nil {
		t.best = best
	}
}

// tryMore goes on with the promotions of that many orders and with all orders.
func (s *scene) tryMore(tries []*trial, promotions int, work *budget) {
	s.promoteAll(tries, promotions, work)
	s.tryOrders(tries, work)
}

// tryOrders places every part in more orders, from its turn on.
func (s *scene) tryOrders(tries []*trial, work *budget) {
	for i, t := range tries {
		work.within(len(tries)-i, func() { s.bestOfOrders(t, work) })
	}
}

// climb improves the order of each open part from its best attempt on, unless something better was found otherwise: no
// order near the attempt is likely to reach that.
func (s *scene) climb(tries []*trial, work *budget) {
	for i, t := range tries {
		lo, hi := s.parts[t.part], s.parts[t.part+1]
		if now := s.score(lo, hi); s.done(now) || now.compare(t.best.score) < 0 {
			continue
		}
		work.within(len(tries)-i, func() { s.improve(lo, hi, t.best, s.methods(lo, hi), work) })
	}
}

// open lists the parts that could be better.
func (s *scene) open() []int {
	var open []int
	for part := range len(s.parts) - 1 {
		if !s.done(s.score(s.parts[part], s.parts[part+1])) {
			open = append(open, part)
		}
	}
	return open
}

// firstAttempts places every part by size, or as its hints say when that needs no improvement, and returns the parts that
// could be better.
func (s *scene) firstAttempts(work *budget) []*trial {
	before := work.spent
	defer func() { work.first = work.spent - before }()
	var tries []*trial
	for part := range len(s.parts) - 1 {
		lo, hi := s.parts[part], s.parts[part+1]
		if s.hinted(lo, hi) {
			if s.follow(lo, hi, work); s.done(s.score(lo, hi)) {
				continue
			}
			s.reset(lo, hi)
		}
		line := s.sorted(orders[0], lo, hi)
		s.run(line, firstFit, work)
		if s.done(s.score(lo, hi)) {
			continue
		}
		t := &trial{part: part, best: s.snapshot(lo, hi, line, byFirstFit), turn: 1}
		if tower := s.tower(line); tower != nil {
			s.retry(tower, byFirstFit, t.best, lo, hi, work)
			s.keep(t, t.best)
		}
		if !s.done(t.best.score) {
			tries = append(tries, t)
		}
	}
	return tries
}

// bestOfOrders tries what orders and methods are left and leaves the best placement in the scene, which may have come from
// elsewhere.
func (s *scene) bestOfOrders(t *trial, work *budget) {
	lo, hi := s.parts[t.part], s.parts[t.part+1]
	best := s.better(t)
	methods := s.methods(lo, hi)
	for ; t.turn < len(orders)*len(methods) && !s.done(best.score) && !work.over(); t.turn++ {
		i, j := turnOf(t.turn, len(methods))
		s.retry(s.sorted(orders[i], lo, hi), methods[j], best, lo, hi, work)
	}
	s.keep(t, best)
}

// turnOf says which order and which method have a turn: one order after the other, but that the second one with best fit,
// which does best on large traces, comes right after the first attempt.
func turnOf(turn, methods int) (order, method int) {
	second := methods + 1
	switch {
	case turn == 1:
		turn = second
	case 1 < turn && turn <= second:
		turn--
	}
	return turn / methods, turn % methods
}
