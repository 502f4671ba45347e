package texture

import (
	"context"
	"slices"
)

// named are the rules of the named algorithms.
var named = []rule{alone, equal, tvm}

// auto is the best of the named algorithms and of many greedy orders, then improved and, where it is small, proved.
//
//  1. Capacities are set aside first: when the best storages are within them all the same, nothing is better.
//  2. Else the same is done with the capacities, and images outside their first choice are moved up where they fit.
//  3. A small problem that is not proved by then is searched over all pools at once.
//  4. When images are left over, those that can stand in one pool only are stored without capacities: a pool that their
//     proved bound exceeds shows that no solution exists.
//
// The best of all is kept, so that the result is never worse than that of a named algorithm.
func auto(s *scene, work *budget) *packing {
	var free *packing
	share := 1
	if s.tight() {
		share = 2
	}
	work.within(share, func() { free = s.relaxed().solve(work) })
	if s.allows(free) {
		free.s = s
		if free.optimal() {
			return free
		}
		return free.settle(work)
	}
	var pk *packing
	work.within(2, func() { pk = s.solve(work) })
	if !pk.optimal() {
		work.within(2, func() { pk = pk.settle(work) })
	}
	pk.infeasible = pk.infeasible || !pk.proved && slices.Contains(pk.at, nowhere) && s.infeasible(work)
	return pk
}

// optimal reports whether each image is in its first home and each group proved.
func (pk *packing) optimal() bool {
	floors := make([]int64, len(pk.cells))
	for group := range pk.cells {
		floors[group] = pk.cells[group].bound
	}
	return pk.ideal(floors) && !slices.Contains(pk.at, nowhere)
}

// allows reports whether a packing is within the capacities and no worse than the named algorithms are within them.
func (s *scene) allows(pk *packing) bool {
	for k, used := range pk.used {
		if used > s.room[k] {
			return false
		}
	}
	score := pk.score()
	return !slices.ContainsFunc(named, func(r rule) bool {
		return s.run(s.line, r, &budget{ctx: context.Background()}).score().compare(score) < 0
	})
}

// solve finds a packing within the pools of the scene.
func (s *scene) solve(work *budget) *packing {
	floors, best := s.floors(), s.empty()
	try := func(line []int32, r rule) {
		if pk := s.run(line, r, work); pk.score().compare(best.score()) < 0 {
			best = pk
		}
	}
	for _, r := range named {
		try(s.line, r)
	}
	for i := -1; i < len(orders) && !best.ideal(floors) && !work.over(); i++ {
		if i < 0 {
			try(s.line, thrifty)
		} else {
			try(s.sorted(orders[i]), growing)
		}
	}
	best.refine(work)
	for round := 0; round < 3 && best.promote(work); round++ {
		best.refine(work)
	}
	return best
}

// floors returns the bound of each group when every image is in its first home.
func (s *scene) floors() []int64 {
	pk, out := s.empty(), make([]int64, len(s.groups))
	clear(pk.at)
	for group, members := range pk.members() {
		out[group] = s.cell(int32(group), members).bound
	}
	return out
}

// ideal reports whether nothing can be better: each image that has a home is in its first, and each group meets the
// bound.
func (pk *packing) ideal(floors []int64) bool {
	for i, c := range pk.at {
		if c > 0 || c == nowhere && len(pk.s.homes[i]) > 0 {
			return false
		}
	}
	for group, stores := range pk.stores {
		if sum(stores) > floors[group] {
			return false
		}
	}
	return true
}

// infeasible reports whether it is proved that the images with one home or none cannot all be stored.
func (s *scene) infeasible(work *budget) bool {
	forced := s.relaxed()
	forced.most, forced.homes = forced.room, slices.Clone(s.homes)
	for i, homes := range s.homes {
		if len(homes) == 0 {
			return true
		}
		if len(homes) > 1 {
			forced.homes[i] = nil
		}
	}
	pk := forced.solve(work)
	need, images := pk.needs()
	for k := range need {
		if need[k] > s.room[k] || images[k] > s.most[k] {
			return true
		}
	}
	return false
}

// needs returns for each pool a proved bound of the bytes and of the number of storages that its images take.
func (pk *packing) needs() (bytes, images []int64) {
	bytes, images = slices.Clone(pk.used), slices.Clone(pk.count)
	for group, stores := range pk.stores {
		k := pk.s.groups[group].pool
		bytes[k] += pk.cells[group].bound - sum(stores)
		images[k] += pk.cells[group].fewest - int64(len(stores))
	}
	return bytes, images
}
