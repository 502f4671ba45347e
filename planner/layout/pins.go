package layout

import "slices"

// placePins puts the pinned buffers of a scene where they must stand. A pin that is
// not a multiple of its alignment, that ends beyond its pool, or that meets an earlier pin stays unplaced, and the scene
// is infeasible.
func (s *scene) placePins(work *budget) {
	for b := range s.len() {
		buffer := s.buffer(b)
		if !buffer.Pinned {
			continue
		}
		k := buffer.Pools[0]
		legal := buffer.Offset%s.align(b, k) == 0 && s.fits(b, k, buffer.Offset)
		if legal && free(s.extents(b, k, work), buffer.Offset, buffer.Offset+buffer.Size) {
			s.pinned[b] = true
			s.set(b, k, buffer.Offset)
			continue
		}
		s.proof.infeasible = true
	}
}

// clash reports whether b may not start that far from the start of x, which it overlaps.
func (s *scene) clash(x, b int32, distance int64) bool {
	return slices.ContainsFunc(s.live.barred(s, x, b, nil), func(e extent) bool { return e.lo < distance && distance < e.hi })
}

// free reports whether no extent meets the bytes [lo, hi).
func free(taken []extent, lo, hi int64) bool {
	for _, t := range taken {
		if t.lo < hi && lo < t.hi {
			return false
		}
	}
	return true
}
