package layout

import (
	"context"
	"math"
	"slices"
)

// Keep returns a result of the named algorithm for the problem with buffers put back to where their hints say they stood
// before, as far as that raises the peak of no pool. A buffer stays in the pool that the result chose: a hint of another pool
// counts for nothing, and neither do the hints of a problem that is not placed as a whole, nor those given to an algorithm that
// stands for another system, which places everything anew.
//
// Keeping is a fixed point: where the hints are a placement that Keep returned for the same problem and the same result, the
// places are the hints. So a placement can be made again from the problem and itself. The result given must come from
// [Solve] on the problem without hints for this to mean anything.
//
// A buffer that is in the way of another is moved once or twice, which costs O(k²) for k buffers that live with it: little where
// little changed. Where much did, this has a limit of 524,288 nodes (see [Effort]), beyond which what overlaps in time with what
// cannot stay is placed anew.
func Keep(ctx context.Context, p *Problem, r *Result, algorithm string) *Result {
	at := slices.IndexFunc(algorithms, func(a entry) bool { return a.name == algorithm })
	if at < 0 || !algorithms[at].ours || len(r.Unplaced) > 0 {
		return r
	}
	fixed, hinted := p.within(r.Places)
	if !hinted {
		return r
	}
	out := *r
	out.Places, out.Pools = slices.Clone(r.Places), slices.Clone(r.Pools)
	work := &budget{ctx: ctx, limit: math.MaxInt64}
	for _, s := range scenes(fixed) {
		s.placePins(work)
		for b, id := range s.id {
			s.lo[b], s.pool[b] = r.Places[id].Offset, int32(r.Places[id].Pool)
		}
		s.keepHints(work)
		peaks := s.score(0, s.len()).peaks
		for slot, k := range s.pools {
			pool := &out.Pools[k]
			pool.Peak = peaks[slot]
			pool.Proved = pool.Bound >= pool.Peak
		}
		for b, id := range s.id {
			out.Places[id].Offset = s.lo[b]
		}
	}
	return &out
}

// within is the problem with one candidate pool for each buffer, the one it was placed in, and without hints of other pools.
// The second result says that a hint is left which the place does not meet already.
func (p *Problem) within(places []Place) (*Problem, bool) {
	out := *p
	out.Buffers = slices.Clone(p.Buffers)
	hinted := false
	for i := range out.Buffers {
		b := &out.Buffers[i]
		b.Pools = []int{places[i].Pool}
		if b.Hint != nil && b.Hint.Pool != places[i].Pool {
			b.Hint = nil
		}
		hinted = hinted || b.Hint != nil && *b.Hint != places[i]
	}
	return &out, hinted
}
