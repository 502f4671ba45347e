package texture

import "slices"

// cell is the images of one group and what is known of their storages.
type cell struct {
	s *scene
	g *group
	// members are in order of first step, ties by index.
	members []int32
	floor   *floor
	// bound is the best proved lower bound of the sum of the storages, and fewest of their number.
	bound, fewest int64
}

// cell measures the members of a group. The last answer is kept, for most often the same is asked again.
func (s *scene) cell(group int32, members []int32) cell {
	if s.cells == nil {
		s.cells = make([]cell, len(s.groups))
	}
	known := &s.cells[group]
	if known.floor == nil || !slices.Equal(known.members, members) {
		g := &s.groups[group]
		*known = cell{s: s, g: g, members: members, floor: s.floor(g, members)}
		known.bound, known.fewest = known.floor.bound(), int64(len(known.floor.levels))
	}
	return *known
}
