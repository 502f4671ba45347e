package texture

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// starts is how many times a cell is improved from the beginning.
const starts = 4

// improve changes the storages of a cell for as long as the effort lasts, and returns the best ones.
//
//  1. Take images out: all of one to three storages, or a run of images that start one after the other; or exchange what
//     two storages hold from some step on.
//  2. Put them back one by one, in one of the orders of the greedy algorithm or a random one, where they add the fewest
//     bytes; now and then elsewhere.
//  3. Keep the result when it is no larger, so that plateaus are crossed.
//  4. After a number of attempts without a better result that grows with the cell, start anew with all images taken out,
//     a few times.
//
// The random numbers depend on the cell alone.
func (c *cell) improve(stores []store, most int64, work *budget) []store {
	t := &trial{cell: c, most: most, marked: make([]bool, len(c.s.p.Images)), random: rand.NewPCG(uint64(len(c.members)), uint64(c.bound)), work: work}
	best := t.climb(freeze(stores))
	for n := 1; n < starts && sum(best) > c.bound && !work.over(); n++ {
		t.stores, t.size = nil, refused
		if !t.recreate(slices.Clone(c.members)) {
			continue
		}
		if next := t.climb(t.stores); sum(next) < sum(best) {
			best = next
		}
	}
	return best
}

// climb improves storages until nothing helps any more.
func (t *trial) climb(best []store) []store {
	size, patience := sum(best), 200+8*len(t.members)
	for idle := 0; idle < patience && size > t.bound && !t.work.over(); idle++ {
		t.stores, t.size = freeze(best), size
		if !t.change() {
			continue
		}
		if after := sum(t.stores); after <= size {
			if after < size {
				idle = 0
			}
			best, size = t.stores, after
		}
	}
	return best
}

// trial is one attempt to improve.
type trial struct {
	*cell
	stores []store
	// size is what the stores must not exceed, most what their number must not.
	size, most int64
	// marked are the images to take out.
	marked []bool
	random *rand.PCG
	work   *budget
}

// below returns a number of 0..n-1.
func (t *trial) below(n int) int { return int(t.random.Uint64() % uint64(n)) }

// change changes the stores and reports whether they are complete and no larger than allowed.
func (t *trial) change() bool {
	switch t.below(4) {
	case 0:
		return t.exchange()
	case 1:
		return t.recreate(t.removeRun())
	default:
		return t.recreate(t.removeStores())
	}
}

// removeStores takes out one to three storages and returns their images.
func (t *trial) removeStores() []int32 {
	var out []int32
	for n := 1 + t.below(3); n > 0 && len(t.stores) > 0; n-- {
		k := t.below(len(t.stores))
		for _, u := range t.stores[k].users {
			out = append(out, u.image)
		}
		t.stores = slices.Delete(t.stores, k, k+1)
	}
	return out
}

// removeRun takes out up to twelve images that start one after the other.
func (t *trial) removeRun() []int32 {
	from := t.below(len(t.members))
	run := t.members[from:min(len(t.members), from+1+t.below(12))]
	for _, i := range run {
		t.marked[i] = true
	}
	in := func(u user) bool { return t.marked[u.image] }
	for k := range t.stores {
		if slices.ContainsFunc(t.stores[k].users, in) {
			t.stores[k].drop(t.s, t.g, in)
		}
	}
	t.stores = slices.DeleteFunc(t.stores, func(st store) bool { return len(st.users) == 0 })
	for _, i := range run {
		t.marked[i] = false
	}
	t.work.look(len(t.members) / 4)
	return slices.Clone(run)
}

// exchange swaps what two storages hold from the first step of some image on.
func (t *trial) exchange() bool {
	n := len(t.stores)
	t.work.look(n)
	if n < 2 {
		return false
	}
	i, j := t.below(n), t.below(n-1)
	if j >= i {
		j++
	}
	a, b := &t.stores[i], &t.stores[j]
	x := t.below(len(a.users))
	step := a.users[x].first
	y, _ := slices.BinarySearchFunc(b.users, step, func(u user, step int64) int { return cmp.Compare(u.first, step) })
	if y > 0 && b.users[y-1].last > step {
		return false
	}
	first := slices.Concat(a.users[:x], b.users[y:])
	second := slices.Concat(b.users[:y], a.users[x:])
	t.stores[i], t.stores[j] = t.storeOf(first), t.storeOf(second)
	t.stores = slices.DeleteFunc(t.stores, func(st store) bool { return len(st.users) == 0 })
	return !slices.ContainsFunc(t.stores, func(st store) bool { return st.bytes == refused })
}

// storeOf makes a storage of users that are sorted by first step.
func (t *trial) storeOf(users []user) store {
	st := store{users: users}
	st.drop(t.s, t.g, func(user) bool { return false })
	return st
}

// recreate puts images back and reports whether they all fit.
func (t *trial) recreate(images []int32) bool {
	t.line(images)
	left := t.size - sum(t.stores)
	for _, i := range images {
		t.work.look(len(t.stores))
		im, u := &t.s.p.Images[i], t.s.user(i)
		best, growth := t.choose(im, u, left)
		own := t.g.bytes(im.Width, im.Height)
		if int64(len(t.stores)) < t.most && (best == none || growth > own) {
			best, growth = len(t.stores), own
			t.stores = append(t.stores, store{scope: im.Scope})
		}
		if best == none || growth > left {
			return false
		}
		left -= growth
		st := &t.stores[best]
		st.add(u, im.Width, im.Height, st.bytes+growth)
	}
	return true
}

// line sorts images by one of the orders, or at random.
func (t *trial) line(images []int32) {
	if k := t.below(len(orders) + 2); k < len(orders) {
		slices.SortFunc(images, func(a, b int32) int {
			return cmp.Or(orders[k](&t.s.p.Images[a], &t.s.p.Images[b]), cmp.Compare(a, b))
		})
		return
	}
	for n := len(images) - 1; n > 0; n-- {
		k := t.below(n + 1)
		images[n], images[k] = images[k], images[n]
	}
}

// choose returns the idle storage that grows least; one time in sixteen it looks at a random part of them only.
func (t *trial) choose(im *Image, u user, room int64) (int, int64) {
	from := 0
	if len(t.stores) > 1 && t.below(16) == 0 {
		from = t.below(len(t.stores))
	}
	best, growth := cheapest(t.stores[from:], t.g, im, u, room)
	if best == none {
		return none, math.MaxInt64
	}
	return best + from, growth
}
