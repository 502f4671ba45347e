package texture

import "slices"

// store is a storage under construction.
type store struct {
	width, height, bytes int64
	// scope is the first user's.
	scope int
	// users are sorted by first step.
	users []user
	// shared says that the users belong to another packing as well and must be copied before a change.
	shared bool
}

// user is an image with its half-open lifetime.
type user struct {
	first, last int64
	image       int32
}

// idle reports whether nobody uses the storage in the lifetime. It costs O(log users).
func (st *store) idle(u user) bool {
	i := st.after(u.first)
	return (i == 0 || st.users[i-1].last <= u.first) && (i == len(st.users) || st.users[i].first >= u.last)
}

// after is the index of the first user that starts after a step.
func (st *store) after(step int64) int {
	lo, hi := 0, len(st.users)
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if st.users[mid].first <= step {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// add gives the storage one more user and its new sides and size.
func (st *store) add(u user, width, height, bytes int64) {
	if st.shared {
		st.users, st.shared = slices.Clone(st.users), false
	}
	st.users = slices.Insert(st.users, st.after(u.first), u)
	st.width, st.height, st.bytes = max(st.width, width), max(st.height, height), bytes
}

// drop takes out the users that match and shrinks the storage to those that stay.
func (st *store) drop(s *scene, g *group, match func(u user) bool) {
	kept := make([]user, 0, len(st.users))
	st.width, st.height, st.bytes = 0, 0, 0
	for _, u := range st.users {
		if !match(u) {
			kept = append(kept, u)
			im := &s.p.Images[u.image]
			st.width, st.height = max(st.width, im.Width), max(st.height, im.Height)
		}
	}
	st.users, st.shared = kept, false
	if len(kept) > 0 {
		st.bytes = g.bytes(st.width, st.height)
		st.scope = s.p.Images[kept[0].image].Scope
	}
}

func (s *scene) user(i int32) user {
	live := s.p.Images[i].Live
	return user{live.First, live.Last, i}
}

// freeze returns a copy of the storages whose users are shared with the original.
func freeze(stores []store) []store {
	out := slices.Clone(stores)
	for i := range out {
		out[i].shared = true
	}
	return out
}

func sum(stores []store) int64 {
	total := int64(0)
	for i := range stores {
		total += stores[i].bytes
	}
	return total
}
