package layout

// interlock searches the open parts with pieces of a scene of one pool, with up to that many nodes, and raises the floor to
// what is proved.
func (s *scene) interlock(nodes int64, work *budget) {
	var parts []int
	for _, part := range s.open() {
		if lo, hi := s.parts[part], s.parts[part+1]; hi-lo <= mostInterlocked && s.inPieces(lo, hi) {
			parts = append(parts, part)
		}
	}
	limit := work.limit
	work.limit = min(limit, work.spent+nodes)
	for i, part := range parts {
		work.within(len(parts)-i, func() { s.interlockPart(s.parts[part], s.parts[part+1], work) })
	}
	work.limit = limit
}

func (s *scene) interlockPart(lo, hi int32, work *budget) {
	members, k := s.sequence(lo, hi), s.pools[0]
	q := s.newInterlocking(members, k, work)
	placed := !s.anyUnplaced(members)
	q.floor, q.limit = s.floor[0], s.ceiling(k)
	switch {
	case placed:
		q.limit = s.peakOf(members)
	case s.decide:
		q.floor = maxPeak
	}
	q.search()
	if q.best != nil {
		s.adopt(members, q.best, k)
		placed = true
		work.tell(s)
	}
	switch {
	case q.cut || s.decide && placed:
	case placed:
		s.floor[0] = max(s.floor[0], s.peakOf(members))
	default:
		s.proof.infeasible = true
	}
}
