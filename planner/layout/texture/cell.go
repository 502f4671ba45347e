package texture

// cell is the images of one group and what is known of their storages.
type cell struct {
	s *scene
	g *group
	// members are in order of first step, ties by index.
	members []int32
	// levels are the least sizes of the storages, largest first.
	levels []int64
	// bound is the best proved lower bound of the sum of the storages, and fewest of their number.
	bound, fewest int64
}
