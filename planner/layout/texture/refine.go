package texture

// refine improves and proves group by group, and notes the best bounds of each.
func (pk *packing) refine(work *budget) {
	pk.measure()
	for group := range pk.stores {
		work.within(len(pk.stores)-group, func() { pk.refineGroup(int32(group), work) })
	}
}

// measure notes for each group the levels of its images and what they bound.
func (pk *packing) measure() {
	pk.cells = make([]cell, len(pk.stores))
	for group, members := range pk.members() {
		g := &pk.s.groups[group]
		c := cell{s: pk.s, g: g, members: members, levels: pk.s.levels(g, members)}
		c.bound, c.fewest = total(c.levels), int64(len(c.levels))
		pk.cells[group] = c
	}
}

func (pk *packing) refineGroup(group int32, work *budget) {
	c := &pk.cells[group]
	spare := pk.s.most[c.g.pool] - pk.count[c.g.pool] + int64(len(pk.stores[group]))
	if sum(pk.stores[group]) > c.bound {
		work.within(2, func() { pk.replace(group, c.improve(pk.stores[group], spare, work)) })
	}
	if sum(pk.stores[group]) > c.bound {
		pk.prove(group, spare, work)
	}
}

// prove searches a cell exactly. Other groups of the pool may hold more storages than they need, so the search is free to
// use as many as those could leave it; what needs more than there are to spare is a bound and not adopted.
func (pk *packing) prove(group int32, spare int64, work *budget) {
	c := &pk.cells[group]
	least := sum(pk.stores[group])
	slots, exhausted := c.exact(least, pk.loosest(c), work)
	if slots != nil {
		stores := c.storesOf(slots)
		least = sum(stores)
		if int64(len(stores)) <= spare {
			pk.replace(group, stores)
		}
	}
	if exhausted {
		c.bound = max(c.bound, least)
	}
}

// loosest is the largest number of storages that a cell may have when all others of its pool have as few as possible.
func (pk *packing) loosest(c *cell) int64 {
	out := pk.s.most[c.g.pool] - pk.count[c.g.pool]
	for group := range pk.cells {
		if other := &pk.cells[group]; other.g.pool == c.g.pool {
			out += int64(len(pk.stores[group]))
			if other != c {
				out -= other.fewest
			}
		}
	}
	return out
}

// promote moves images that are outside their first home up where there is room, largest first, and reports whether any
// moved.
func (pk *packing) promote(work *budget) bool {
	moved := false
	for _, i := range pk.s.sorted(byArea) {
		from, n := pk.at[i], int(pk.at[i])
		if from == nowhere {
			n = len(pk.s.homes[i])
		}
		if n == 0 || work.over() || !pk.place(i, growing, n, work) {
			continue
		}
		moved = true
		if from != nowhere {
			pk.take(i, &pk.s.homes[i][from])
		}
	}
	return moved
}
