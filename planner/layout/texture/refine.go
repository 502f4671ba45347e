package texture

const (
	// smallCell is the largest cell that an exact search may be expected to prove, and mostExact the largest that one is
	// tried on.
	smallCell = 64
	mostExact = 512
)

// refine improves and proves group by group, and notes the best bounds of each.
func (pk *packing) refine(work *budget) {
	pk.measure()
	for group := range pk.stores {
		work.within(len(pk.stores)-group, func() { pk.refineGroup(int32(group), work) })
	}
}

// measure notes for each group what is known of its images.
func (pk *packing) measure() {
	pk.cells = make([]cell, len(pk.stores))
	for group, members := range pk.members() {
		pk.cells[group] = pk.s.cell(int32(group), members)
	}
}

// refineGroup improves and proves a group until nothing is left to win. Small cells are likely to be proved, so half of
// the effort is kept for that; large ones get an eighth, in case their images are much alike.
func (pk *packing) refineGroup(group int32, work *budget) {
	c := &pk.cells[group]
	open := func() bool { return sum(pk.stores[group]) > c.bound }
	improve := func() {
		if open() {
			pk.replace(group, c.improve(pk.stores[group], pk.spare(group), work))
		}
	}
	prove := func() {
		if open() {
			pk.prove(group, work)
		}
	}
	switch n := len(c.members); {
	case n <= smallCell:
		work.within(2, improve)
		prove()
	case n <= mostExact:
		work.within(8, prove)
		improve()
	default:
		improve()
	}
}

// spare is the largest number of storages that a group may have while the others of its pool stay as they are.
func (pk *packing) spare(group int32) int64 {
	k := pk.s.groups[group].pool
	return pk.s.most[k] - pk.count[k] + int64(len(pk.stores[group]))
}

// prove searches a cell exactly. Other groups of the pool may hold more storages than they need, so the search is free to
// use as many as those could leave it; what needs more than there are to spare is a bound and not adopted.
func (pk *packing) prove(group int32, work *budget) {
	c := &pk.cells[group]
	least := sum(pk.stores[group])
	slots, exhausted := c.exact(least, pk.loosest(c), work)
	if slots != nil {
		stores := c.storesOf(slots)
		least = sum(stores)
		if int64(len(stores)) <= pk.spare(group) {
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
