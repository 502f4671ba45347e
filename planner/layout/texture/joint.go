package texture

import "slices"

// mostJoint is the largest problem that is searched over all pools at once.
const mostJoint = 16

// joint searches for the best solution of a small problem over all pools, groups and storages at once, for the cases in
// which limits couple them: each image in order of the line goes into each storage of each home that is idle, into a new
// one, or nowhere. A branch ends when its score, which only grows, reaches the best known.
type joint struct {
	s *scene
	// meets are the images that may not share with each, as bits.
	meets  []uint32
	stores []jointStore
	used   []int64
	count  []int64
	now    score
	path   []step
	best   score
	// found is the path of the best score, nil as long as nothing is better than the packing it began with.
	found []step
	work  *budget
	cut   bool
}

type jointStore struct {
	group                int32
	width, height, bytes int64
	users                uint32
}

// step is the choice for one image: a home or nowhere, and a storage.
type step struct{ choice, store int }

// settle searches a small problem jointly and returns the best packing. Exhausting the search proves it.
func (pk *packing) settle(work *budget) *packing {
	s := pk.s
	if len(s.line) > mostJoint {
		return pk
	}
	x := &joint{s: s, meets: s.meets(), used: make([]int64, len(s.room)), count: make([]int64, len(s.room)), best: pk.score(), work: work}
	x.visit(0)
	if x.found != nil {
		pk = x.packing()
		pk.measure()
	}
	if !x.cut {
		pk.proved = true
		pk.infeasible = slices.Contains(pk.at, nowhere)
	}
	return pk
}

// meets returns for each image the others that are live at the same time, as bits.
func (s *scene) meets() []uint32 {
	out := make([]uint32, len(s.p.Images))
	for i := range s.p.Images {
		for j := range s.p.Images {
			a, b := &s.p.Images[i], &s.p.Images[j]
			if a.Always || b.Always || a.Live.First < b.Live.Last && b.Live.First < a.Live.Last {
				out[i] |= 1 << j
			}
		}
	}
	return out
}

func (x *joint) visit(n int) {
	x.work.look(len(x.stores))
	if x.work.over() {
		x.cut = true
	}
	if x.cut || x.now.compare(x.best) >= 0 {
		return
	}
	if n == len(x.s.line) {
		x.best, x.found = x.now, slices.Clone(x.path)
		return
	}
	i, before := x.s.line[n], x.now
	texels := x.s.p.Images[i].texels()
	for choice := range x.s.homes[i] {
		h := &x.s.homes[i][choice]
		if h.rank > 0 {
			x.now.displaced, x.now.depth = before.displaced+texels, add(before.depth, multiply(texels, int64(h.rank)))
		}
		for k := range x.stores {
			if x.stores[k].group == h.group && x.stores[k].users&x.meets[i] == 0 {
				x.share(n, choice, k)
			}
		}
		x.open(n, choice)
		x.now = before
	}
	x.now.unplaced += texels
	x.follow(n, step{nowhere, nowhere})
	x.now = before
}

// share puts the n-th image of the line into a storage and goes on.
func (x *joint) share(n, choice, k int) {
	i, st := x.s.line[n], x.stores[k]
	h, im := &x.s.homes[i][choice], &x.s.p.Images[i]
	grown := st
	grown.width, grown.height, grown.users = max(st.width, im.Width), max(st.height, im.Height), st.users|1<<i
	grown.bytes = x.s.groups[h.group].bytes(grown.width, grown.height)
	growth := grown.bytes - st.bytes
	if grown.bytes == refused || growth > x.s.room[h.pool]-x.used[h.pool] {
		return
	}
	x.stores[k] = grown
	x.used[h.pool] += growth
	x.now.bytes += growth
	x.follow(n, step{choice, k})
	x.now.bytes -= growth
	x.used[h.pool] -= growth
	x.stores[k] = st
}

// open makes a storage for the n-th image of the line and goes on.
func (x *joint) open(n, choice int) {
	i := x.s.line[n]
	h, im := &x.s.homes[i][choice], &x.s.p.Images[i]
	if h.own > x.s.room[h.pool]-x.used[h.pool] || x.count[h.pool] >= x.s.most[h.pool] {
		return
	}
	x.stores = append(x.stores, jointStore{group: h.group, width: im.Width, height: im.Height, bytes: h.own, users: 1 << i})
	x.used[h.pool] += h.own
	x.count[h.pool]++
	x.now.bytes += h.own
	x.now.images++
	x.follow(n, step{choice, len(x.stores) - 1})
	x.now.images--
	x.now.bytes -= h.own
	x.count[h.pool]--
	x.used[h.pool] -= h.own
	x.stores = x.stores[:len(x.stores)-1]
}

func (x *joint) follow(n int, to step) {
	x.path = append(x.path, to)
	x.visit(n + 1)
	x.path = x.path[:n]
}

// packing makes a packing of the best path.
func (x *joint) packing() *packing {
	pk := x.s.empty()
	// inGroup is the index of each storage in its group.
	var inGroup []int
	for n, to := range x.found {
		i := x.s.line[n]
		if to.choice == nowhere {
			continue
		}
		h, target := &x.s.homes[i][to.choice], fresh
		if to.store < len(inGroup) {
			target = inGroup[to.store]
		} else {
			inGroup = append(inGroup, len(pk.stores[h.group]))
		}
		if pk.put(i, h, target) {
			pk.at[i] = int32(to.choice)
		}
	}
	return pk
}
