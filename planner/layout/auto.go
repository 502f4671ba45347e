package layout

import "slices"

// auto is greedy followed by proof.
//
//  1. The scene is placed as greedy does with its default effort, or with the effort given when that is less; parts that meet
//     their proved bound are done. Nothing that follows makes the placement worse.
//  2. What orders and promotions greedy did not come to are tried, with an eighth of the effort that is left.
//  3. With one pool, parts of at most 4096 buffers that miss the bound are searched exactly, with three quarters of the
//     effort that is left; those in which some buffer is live in pieces have a search of their own, see interlocking, and
//     may have 64 buffers. An exhausted search proves the least peak, which becomes the pool's floor, or that nothing fits.
//  4. With several pools, a part of at most 512 buffers that does not stand in its first choices is searched over all
//     assignments; see assign.
//  5. What effort is left goes into changing the best order of the parts that miss their bound; see improve. With several
//     pools this comes before the search.
//
// When any placement will do, a short search comes right after a few orders, then more orders and all of the search, and greedy
// only where that fails.
type auto struct {
	// climbs says that the last step is taken; without it all effort goes into the search.
	climbs bool
}

func (a auto) place(s *scene, work *budget) {
	if len(s.pools) > 1 {
		s.placeInPools(work)
		return
	}
	if s.decide {
		s.placeAnywhere(work)
		return
	}
	var tries []*trial
	work.upTo(greedyNodes(int(s.len())), func() { tries = s.placeGreedily(work) })
	if s.proof.infeasible || len(s.open()) == 0 {
		return
	}
	work.extend()
	share := 1
	if s.anySearched() {
		share = 8
	}
	work.within(share, func() { s.tryMore(tries, len(orders), work) })
	rest := work.left()
	if a.climbs {
		rest = rest / 4 * 3
	}
	s.search(mostSearched, rest, work)
	s.interlock(rest, work)
	if a.climbs && !s.proof.infeasible {
		s.climb(tries, work)
	}
}

// placeAnywhere looks for any placement in one pool.
func (s *scene) placeAnywhere(work *budget) {
	tries := s.firstAttempts(work)
	work.upTo(s.beforeDive(), func() { s.tryMore(tries, firstPromotions, work) })
	s.search(mostDived, diveToDecide, work)
	if !s.proof.infeasible {
		work.within(8, func() { s.tryMore(tries, firstPromotions, work) })
		s.search(mostSearched, work.left(), work)
		s.interlock(work.left(), work)
	}
	if !s.proof.infeasible && len(s.open()) > 0 {
		s.reset(0, s.len())
		work.further(greedyNodes(int(s.len())), func() { s.placeGreedily(work) })
	}
}

// placeInPools places a scene of several pools.
func (s *scene) placeInPools(work *budget) {
	work.upTo(greedyNodes(int(s.len())), func() { s.placeGreedily(work) })
	if s.proof.infeasible {
		return
	}
	open := s.open()
	exhausted := make([]bool, len(open))
	infeasible := false
	for i, part := range open {
		work.within(len(open)-i, func() {
			lo, hi := s.parts[part], s.parts[part+1]
			exhausted[i] = hi-lo <= s.mostAssigned(lo, hi) && s.assign(lo, hi, work)
			infeasible = infeasible || exhausted[i] && s.score(lo, hi).unplaced > 0
		})
	}
	s.proof.infeasible = s.proof.infeasible || infeasible
	s.proof.assignment = !s.decide && !slices.Contains(exhausted, false) && s.tops(open)
}

// mostAssigned is the most buffers of a part for which all assignments are searched, given the part.
func (s *scene) mostAssigned(lo, hi int32) int32 {
	if s.inPieces(lo, hi) {
		return mostInterlocked
	}
	return mostAssigned
}

// tops reports whether one of the given parts, each of which is as good as can be by itself, is as high as the whole: then
// so is the whole.
func (s *scene) tops(parts []int) bool {
	all := s.score(0, s.len())
	return len(s.parts) == 2 || slices.ContainsFunc(parts, func(part int) bool {
		one := s.score(s.parts[part], s.parts[part+1])
		return (one.displaced > 0 || all.displaced == 0) && one.height >= all.height
	})
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
