package layout

import "cmp"

// takesBytes reports whether the buffer needs placing at all.
func (p *Problem) takesBytes(i int) bool {
	b := &p.Buffers[i]
	return b.Size > 0 && (p.Conflicts != nil || b.lives())
}

// candidates are the pools in which the buffer may stand.
func (p *Problem) candidates(i int) []int {
	b := &p.Buffers[i]
	if b.Pinned {
		return b.Pools[:1]
	}
	return b.Pools
}

// scenes splits a valid problem. It costs O(n log n + conflicts).
func scenes(p *Problem) []*scene {
	groups := poolGroups(p)
	count := make([]int, len(p.Pools))
	for i := range p.Buffers {
		if p.takesBytes(i) {
			count[groups.find(p.candidates(i)[0])]++
		}
	}
	members := make([][]int32, len(p.Pools))
	for i := range p.Buffers {
		if p.takesBytes(i) {
			g := groups.find(p.candidates(i)[0])
			if members[g] == nil {
				members[g] = make([]int32, 0, count[g])
			}
			members[g] = append(members[g], int32(i))
		}
	}
	pools := make([][]int, len(p.Pools))
	slot := make([]int32, len(p.Pools))
	for k := range p.Pools {
		g := groups.find(k)
		slot[k] = int32(len(pools[g]))
		pools[g] = append(pools[g], k)
	}
	var out []*scene
	for g := range p.Pools {
		if len(members[g]) > 0 {
			out = append(out, newScene(p, pools[g], slot, members[g]))
		}
	}
	return out
}

// poolGroups joins pools that one buffer may choose between.
func poolGroups(p *Problem) *disjoint {
	groups := newDisjoint(len(p.Pools))
	for i := range p.Buffers {
		pools := p.candidates(i)
		for _, k := range pools[1:] {
			groups.join(pools[0], k)
		}
	}
	return groups
}

func newScene(p *Problem, pools []int, slot []int32, ids []int32) *scene {
	s := &scene{p: p, id: ids, pools: pools, slot: slot, floor: make([]int64, len(pools)), limit: maxPeak}
	if p.Conflicts != nil {
		s.live, s.parts = newConflictGraph(p, s.id)
	} else {
		sortBy(s.id, func(id int32) int64 { return p.Buffers[id].Live.First }, cmp.Compare[int32])
		s.live, s.parts = newTimeline(p, s.id, len(pools))
	}
	s.size, s.step = make([]int64, len(ids)), make([]int64, len(ids))
	for i, id := range s.id {
		s.size[i], s.step[i] = p.Buffers[id].Size, p.Buffers[id].Alignment
		s.hasPins = s.hasPins || p.Buffers[id].Pinned
	}
	s.lo = make([]int64, len(ids))
	s.pool = make([]int32, len(ids))
	s.pinned = make([]bool, len(ids))
	for b := range s.pool {
		s.pool[b] = nowhere
	}
	s.bounds()
	return s
}
