package layout

// bounds fills in the floors and shows what cannot fit whatever is tried: the buffers that can only go to one pool
// against its capacity, and all buffers against the capacity of all pools.
func (s *scene) bounds() {
	only := s.onlyPools()
	for slot, k := range s.pools {
		s.floor[slot] = s.bound(k, func(b int32) bool { return s.candidates(b)[0] == k })
		capacity := s.p.Pools[k].Capacity
		forced := s.bound(k, func(b int32) bool { return only[b] == k })
		if capacity != Unlimited && forced > capacity {
			s.proof.infeasible = true
		}
	}
	if room, limited := s.capacity(); limited {
		all, _ := s.live.bound(s, func(int32) bool { return true }, 1)
		s.proof.infeasible = s.proof.infeasible || all > room
	}
	for b := range s.len() {
		if !s.hasRoom(b) {
			s.proof.infeasible = true
		}
	}
}

// bound is a proved lower bound of the peak of pool k when the members stand in it.
func (s *scene) bound(k int, member func(int32) bool) int64 {
	unit, highest := int64(0), int64(0)
	for b := range s.len() {
		if !member(b) {
			continue
		}
		unit = gcd(s.align(b, k), unit)
		// A buffer has all of its bytes, also when never more than some of them are live at once.
		end := s.size[b]
		if buffer := s.buffer(b); buffer.Pinned {
			end += buffer.Offset
		}
		highest = max(highest, end)
	}
	if unit == 0 {
		return 0
	}
	most, _ := s.live.bound(s, member, unit)
	return max(most, highest)
}

// capacity sums the capacities of the scene's pools; false when one is unlimited or the sum exceeds 2^63-1.
func (s *scene) capacity() (int64, bool) {
	sum := int64(0)
	for _, k := range s.pools {
		c := s.p.Pools[k].Capacity
		if c == Unlimited || sum+c < sum {
			return 0, false
		}
		sum += c
	}
	return sum, true
}

// onlyPool returns the one candidate whose capacity is not below the buffer's size; false when there are more or none.
func (s *scene) onlyPool(b int32) (int, bool) {
	only, found := 0, false
	for _, k := range s.candidates(b) {
		if !s.fits(b, k, 0) || found && k == only {
			continue
		}
		if found {
			return 0, false
		}
		only, found = k, true
	}
	return only, found
}

// onlyPools has the result of [scene.onlyPool] for each buffer, -1 where it is false.
func (s *scene) onlyPools() []int {
	only := make([]int, s.len())
	for b := range only {
		k, one := s.onlyPool(int32(b))
		if !one {
			k = -1
		}
		only[b] = k
	}
	return only
}

// hasRoom reports whether some candidate's capacity is not below the buffer's size.
func (s *scene) hasRoom(b int32) bool {
	for _, k := range s.candidates(b) {
		if s.fits(b, k, 0) {
			return true
		}
	}
	return false
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
