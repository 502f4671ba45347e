package layout

import "slices"

// placeByModules places a scene of explicit conflicts module by module, each with its share of the effort, and raises the
// floor to what that proves. It returns false, with nothing placed, where that is no help: with several pools, alignments or
// any pin, where conflicts neither split nor are those of the lifetimes, and where the modules together exceed the capacity.
func (s *scene) placeByModules(a *entry, work *budget) bool {
	g, explicit := s.live.(*conflictGraph)
	unit, uniform := s.alignment()
	if !explicit || !uniform || s.hasPins {
		return false
	}
	root := g.decompose(s.sequence(0, s.len()), deepestModule)
	if len(root.kids) == 0 && !g.lifetimesSay(s, root.members) {
		return false
	}
	report := work.report
	work.report = nil // of a part it would say nothing
	m := stacker{s: s, g: g, algorithm: a.algorithm, work: work, unit: unit, unplaced: int64(s.len())}
	peak, bound := m.place(&root)
	work.report = report
	s.floor[0] = max(s.floor[0], bound)
	if ceiling := s.ceiling(s.pools[0]); peak >= ceiling {
		s.proof.infeasible = s.proof.infeasible || s.floor[0] >= ceiling
		s.reset(0, s.len())
		return false
	}
	work.tell(s)
	return true
}

// alignment is that of all buffers of a scene of one pool; false when they have none in common.
func (s *scene) alignment() (int64, bool) {
	unit := s.align(0, s.pools[0])
	for b := range s.len() {
		if len(s.pools) > 1 || s.align(b, s.pools[0]) != unit {
			return 0, false
		}
	}
	return unit, true
}

// stacker places the modules of a scene of one pool, whose offsets are multiples of unit.
type stacker struct {
	s         *scene
	g         *conflictGraph
	algorithm algorithm
	work      *budget
	unit      int64
	// unplaced counts the buffers that have no place yet.
	unplaced int64
}

// place places a module from 0 up, whatever else stands there, and returns its peak and a proved bound of that.
func (t *stacker) place(m *module) (peak, bound int64) {
	switch {
	case len(m.kids) == 0:
		return t.placeWhole(m.members)
	case m.series:
		return t.stack(m)
	}
	for i := range m.kids {
		p, b := t.place(&m.kids[i])
		peak, bound = max(peak, p), max(bound, b)
	}
	return peak, bound
}

// stack places kids one above the other, the one that wastes the most bytes by rounding on top. It gives the least peak when
// each kid has its own: offsets are multiples of the unit, so that all kids but the one that reaches highest take as much as
// they do with all sizes rounded up, and that one stands on all the others.
func (t *stacker) stack(m *module) (peak, bound int64) {
	rounding := func(height int64) int64 { return alignUp(height, t.unit) - height }
	heights, top, saved := make([]int64, len(m.kids)), 0, int64(0)
	for i := range m.kids {
		p, b := t.place(&m.kids[i])
		heights[i] = p
		bound, saved = bound+alignUp(b, t.unit), max(saved, rounding(b))
		if rounding(p) > rounding(heights[top]) {
			top = i
		}
	}
	for i := range m.kids {
		if i != top {
			t.lift(m.kids[i].members, peak)
			peak += alignUp(heights[i], t.unit)
		}
	}
	t.lift(m.kids[top].members, peak)
	return peak + heights[top], bound - saved
}

func (t *stacker) lift(members []int32, by int64) {
	for _, b := range members {
		t.s.lo[b] += by
	}
}

// placeWhole places buffers as a problem of their own in a pool without a cap, with their share of the effort that is left.
func (t *stacker) placeWhole(members []int32) (peak, bound int64) {
	k := t.s.pools[0]
	share := t.work.left() / t.unplaced * int64(len(members))
	t.unplaced -= int64(len(members))
	if len(members) == 1 {
		b := members[0]
		t.s.lo[b], t.s.pool[b] = 0, int32(k)
		return t.s.size[b], t.s.size[b]
	}
	p := t.s.p.subset(t.s.problemIndexes(members))
	p.Pools = slices.Clone(p.Pools)
	p.Pools[k].Capacity = Unlimited
	for i := range p.Buffers {
		p.Buffers[i].Hint, p.Buffers[i].Gaps = nil, nil
	}
	if t.g.lifetimesSay(t.s, members) {
		p.Conflicts = nil
	}
	part := scenes(p)[0]
	t.work.further(share, func() { t.algorithm.place(part, t.work) })
	if part.fault != nil {
		t.s.fault = part.fault
	}
	// Problem indexes ascend as the members do: those of the part are positions among them.
	for b, i := range part.id {
		member := members[i]
		t.s.lo[member], t.s.pool[member] = part.lo[b], part.pool[b]
		peak = max(peak, part.lo[b]+part.size[b])
	}
	return peak, part.floor[0]
}

// lifetimesSay reports whether exactly those of the members conflict that live together. O(n log n + conflicts).
func (g *conflictGraph) lifetimesSay(s *scene, members []int32) bool {
	pairs, among := 0, make(map[int32]bool, len(members))
	for _, b := range members {
		among[b] = true
	}
	starts, ends := make([]int64, len(members)), make([]int64, len(members))
	for i, b := range members {
		live := s.buffer(b).Live
		if live.First >= live.Last {
			return false
		}
		starts[i], ends[i] = live.First, live.Last
		for _, x := range g.neighbours(b) {
			other := s.buffer(x).Live
			switch {
			case x >= b || !among[x]:
			case other.First >= live.Last || live.First >= other.Last:
				return false
			default:
				pairs++
			}
		}
	}
	// Each conflict is of two that live together; there are no more of those when they number the same.
	slices.Sort(starts)
	slices.Sort(ends)
	ended := 0
	for started, at := range starts {
		for ends[ended] <= at {
			ended++
		}
		pairs -= started - ended
	}
	return pairs == 0
}
