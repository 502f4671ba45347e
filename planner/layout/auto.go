package layout

// auto is greedy followed by proof.
//
//  1. Each part (buffers that overlap no other part in time) is placed as greedy does, without its last step; one that
//     meets its proved bound is done.
//  2. With one pool, parts of at most 4096 buffers that miss the bound are searched exactly, with three quarters of the
//     effort that is left; those in which some buffer is live in pieces have a search of their own, see interlocking, and
//     may have 64 buffers. An exhausted search proves the least peak, which becomes the pool's floor, or that nothing fits.
//  3. With several pools, a part of at most 16 buffers that does not stand in its first choices is searched over all
//     assignments; see assign.
//  4. What effort is left goes into changing the best order of the parts that miss their bound; see improve. With several
//     pools this comes before the search.
type auto struct {
	// climbs says that the last step is taken; without it all effort goes into the search.
	climbs bool
}

func (a auto) place(s *scene, work *budget) {
	if len(s.pools) > 1 {
		s.placeInPools(work)
		return
	}
	share := 8
	if !s.anySearched() {
		share = 1
	}
	var attempts map[int]*attempt
	work.within(share, func() {
		attempts = s.bestAttempts(work)
		if !s.decide {
			s.dip(work)
		}
	})
	if s.proof.infeasible {
		return
	}
	rest := work.left()
	if a.climbs {
		rest = rest / 4 * 3
	}
	s.search(rest, work)
	s.interlock(rest, work)
	if a.climbs && !s.proof.infeasible {
		s.climb(attempts, work)
	}
}

// placeInPools places a scene of several pools.
func (s *scene) placeInPools(work *budget) {
	shares := 1
	for part := range len(s.parts) - 1 {
		if s.parts[part+1]-s.parts[part] <= mostAssigned {
			shares = 2
		}
	}
	work.within(shares, func() { greedy{}.place(s, work) })
	if s.proof.infeasible {
		return
	}
	proofs := s.proof
	proofs.assignment = true
	open := s.open()
	for i, part := range open {
		work.within(len(open)-i, func() {
			lo, hi := s.parts[part], s.parts[part+1]
			exhausted := hi-lo <= mostAssigned && s.assign(lo, hi, work)
			proofs.assignment = proofs.assignment && exhausted
			proofs.infeasible = proofs.infeasible || exhausted && s.score(lo, hi).unplaced > 0
		})
	}
	proofs.assignment = proofs.assignment && len(s.parts) == 2 && len(open) == 1 && !s.decide
	s.proof = proofs
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
