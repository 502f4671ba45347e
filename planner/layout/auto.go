package layout

// auto is greedy followed by proof.
//
//  1. greedy places everything with half of the effort, all of it when every part is too large for what follows; a part
//     that meets its proved bound is done.
//  2. A part of one pool with at most 64 buffers that misses the bound is searched exactly for something better. An
//     exhausted search proves the best placement found, and raises the pool's floor to its peak.
//  3. A part of several pools with at most 16 buffers that does not stand in its first choices is searched over all
//     assignments; see assign.
type auto struct{}

func (auto) place(s *scene, work *budget) {
	shares := 1
	for part := range len(s.parts) - 1 {
		if s.parts[part+1]-s.parts[part] <= word {
			shares = 2
		}
	}
	work.within(shares, func() { greedy{}.place(s, work) })
	if s.proof.infeasible {
		return
	}
	proofs := s.proof
	proofs.assignment = true
	var open []int
	for part := range len(s.parts) - 1 {
		if !s.done(s.score(s.parts[part], s.parts[part+1])) {
			open = append(open, part)
		}
	}
	for i, part := range open {
		work.within(len(open)-i, func() {
			exhausted := s.prove(s.parts[part], s.parts[part+1], work)
			proofs.assignment = proofs.assignment && exhausted
			proofs.infeasible = proofs.infeasible || exhausted && s.score(s.parts[part], s.parts[part+1]).unplaced > 0
		})
	}
	proofs.assignment = proofs.assignment && len(s.parts) == 2 && len(open) == 1 && !s.decide
	s.proof = proofs
}

// prove searches one part exactly, leaves the best placement in the scene and reports whether nothing is better.
func (s *scene) prove(lo, hi int32, work *budget) bool {
	switch {
	case hi-lo > word:
		return false
	case len(s.pools) == 1:
		return s.proveOnePool(lo, hi, work)
	case hi-lo > mostAssigned:
		return false
	}
	return s.assign(lo, hi, work)
}

func (s *scene) proveOnePool(lo, hi int32, work *budget) bool {
	k := s.pools[0]
	now := s.score(lo, hi)
	p, ranked := s.newPacking(s.sequence(lo, hi), s.live.cliques(s, lo, hi), k, work)
	p.floor, p.limit = s.floor[0], s.ceiling(k)
	if now.unplaced == 0 {
		p.limit = now.peaks[0]
	}
	if s.decide {
		p.floor = p.limit
	}
	p.search()
	if p.best != nil {
		s.adopt(ranked, p.best, k)
	}
	if p.cut {
		return false
	}
	if after := s.score(lo, hi); after.unplaced == 0 && !s.decide {
		s.floor[0] = max(s.floor[0], after.peaks[0])
	}
	return true
}

// ceiling is one more than the highest peak allowed in pool k.
func (s *scene) ceiling(k int) int64 {
	if c := s.p.Pools[k].Capacity; c != Unlimited && c < maxPeak {
		return c + 1
	}
	return maxPeak
}

// adopt places the buffers of a packing.
func (s *scene) adopt(ranked []int32, at []int64, k int) {
	for i, b := range ranked {
		s.lo[b], s.pool[b] = at[i], int32(k)
	}
}
