package layout

// assemble turns the placements of the scenes into a result.
func assemble(p *Problem, all []*scene, nodes int64) *Result {
	r := &Result{Status: Optimal, Places: make([]Place, len(p.Buffers)), Pools: make([]PoolResult, len(p.Pools)), Nodes: nodes}
	for i := range p.Buffers {
		r.Places[i] = resting(p, i)
	}
	for k := range r.Pools {
		r.Pools[k].Proved = true
	}
	for _, s := range all {
		for b, id := range s.id {
			r.Places[id] = Place{Pool: Unplaced}
			if s.pool[b] != nowhere {
				r.Places[id] = Place{Pool: int(s.pool[b]), Offset: s.lo[b]}
			}
		}
		r.Status = weaker(r.Status, s.report(r.Pools))
	}
	for i, place := range r.Places {
		if place.Pool == Unplaced {
			r.Unplaced = append(r.Unplaced, i)
		}
	}
	return r
}

// resting is the place of a buffer that takes no bytes: its pin, or the start of its first candidate.
func resting(p *Problem, i int) Place {
	b := &p.Buffers[i]
	if b.Pinned {
		return Place{Pool: b.Pools[0], Offset: b.Offset}
	}
	return Place{Pool: b.Pools[0]}
}

// report fills in the outcome of the scene's pools and returns its status.
func (s *scene) report(pools []PoolResult) Status {
	score := s.score(0, s.len())
	proved := true
	for slot, k := range s.pools {
		out := &pools[k]
		out.Peak = score.peaks[slot]
		out.Bound = s.bound(k, func(b int32) bool { return s.pool[b] == int32(k) })
		if score.displaced == 0 && score.unplaced == 0 {
			out.Bound = max(out.Bound, s.floor[slot])
		}
		if s.proof.assignment {
			out.Bound = out.Peak
		}
		out.Proved = out.Bound >= out.Peak
		proved = proved && out.Proved
		if len(s.pools) == 1 {
			out.Bound = max(out.Bound, s.floor[slot])
		}
	}
	switch {
	case score.unplaced > 0 && s.proof.infeasible:
		return Infeasible
	case score.unplaced > 0:
		return Unknown
	case proved && (score.displaced == 0 || s.proof.assignment):
		return Optimal
	}
	return Feasible
}

// weaker returns the status that claims less about the whole: one part that cannot be placed decides for all.
func weaker(a, b Status) Status {
	for _, s := range []Status{Infeasible, Unknown, Feasible} {
		if a == s || b == s {
			return s
		}
	}
	return Optimal
}
