package texture

import "slices"

// nowhere is the choice of an image without a storage.
const nowhere = -1

// packing is a state of the storages.
type packing struct {
	s *scene
	// stores are the shared storages by group.
	stores [][]store
	// at is the index of each image's home, or nowhere.
	at []int32
	// used is the bytes of each pool and count its storages.
	used, count []int64
	// cells are what is known of the groups, nil until measured.
	cells []cell
	// infeasible says that no solution stores all images, proved that none is better than this one.
	infeasible, proved bool
}

func (s *scene) empty() *packing {
	pk := &packing{s: s, stores: make([][]store, len(s.groups)), at: make([]int32, len(s.homes)), used: make([]int64, len(s.room)), count: make([]int64, len(s.room))}
	for i := range pk.at {
		pk.at[i] = nowhere
	}
	return pk
}

// The answers of a rule beside the index of a storage.
const (
	fresh = -1
	none  = -2
)

// A rule chooses for an image that is to stand in a home the storage to use, fresh for a new one, or none.
type rule func(pk *packing, i int32, h *home, work *budget) int

// run places the images of a line one by one, each in the first of its homes where the rule's answer fits.
func (s *scene) run(line []int32, r rule, work *budget) *packing {
	pk := s.empty()
	for _, i := range line {
		if work.stop() {
			r = alone
		}
		pk.place(i, r, len(s.homes[i]), work)
	}
	return pk
}

// place puts an image into the first of its first n homes that takes it.
func (pk *packing) place(i int32, r rule, n int, work *budget) bool {
	for choice := range pk.s.homes[i][:n] {
		h := &pk.s.homes[i][choice]
		target := fresh
		if !pk.s.p.Images[i].Always {
			target = r(pk, i, h, work)
		}
		if target != none && pk.put(i, h, target) {
			pk.at[i] = int32(choice)
			return true
		}
	}
	return false
}

// put carries an answer out and reports whether the pool allows it.
func (pk *packing) put(i int32, h *home, target int) bool {
	im, g := &pk.s.p.Images[i], &pk.s.groups[h.group]
	growth, bytes := h.own, h.own
	if target == fresh {
		if pk.count[h.pool] >= pk.s.most[h.pool] {
			return false
		}
	} else {
		st := &pk.stores[h.group][target]
		bytes = g.bytes(max(st.width, im.Width), max(st.height, im.Height))
		growth = bytes - st.bytes
	}
	if bytes == refused || growth > pk.s.room[h.pool]-pk.used[h.pool] {
		return false
	}
	pk.used[h.pool] += growth
	if target == fresh {
		pk.count[h.pool]++
		if im.Always {
			return true
		}
		target = len(pk.stores[h.group])
		pk.stores[h.group] = append(pk.stores[h.group], store{scope: im.Scope})
	}
	pk.stores[h.group][target].add(pk.s.user(i), im.Width, im.Height, bytes)
	return true
}

// take removes an image that is stored in a home.
func (pk *packing) take(i int32, h *home) {
	if pk.s.p.Images[i].Always {
		pk.used[h.pool] -= h.own
		pk.count[h.pool]--
		return
	}
	stores := slices.Clone(pk.stores[h.group])
	at := slices.IndexFunc(stores, func(st store) bool {
		return slices.ContainsFunc(st.users, func(u user) bool { return u.image == i })
	})
	stores[at].drop(pk.s, &pk.s.groups[h.group], func(u user) bool { return u.image == i })
	if len(stores[at].users) == 0 {
		stores = slices.Delete(stores, at, at+1)
	}
	pk.replace(h.group, stores)
}

// replace exchanges the storages of a group.
func (pk *packing) replace(group int32, stores []store) {
	k := pk.s.groups[group].pool
	pk.used[k] += sum(stores) - sum(pk.stores[group])
	pk.count[k] += int64(len(stores) - len(pk.stores[group]))
	pk.stores[group] = stores
}

// members lists for each group the images that can share in it, in order of the scene's line.
func (pk *packing) members() [][]int32 {
	out := make([][]int32, len(pk.stores))
	for _, i := range pk.s.line {
		c := pk.at[i]
		if c == nowhere || int(c) >= len(pk.s.homes[i]) || pk.s.p.Images[i].Always {
			continue
		}
		group := pk.s.homes[i][c].group
		out[group] = append(out[group], i)
	}
	return out
}
