package layout

// tower is the line of a part with that buffer last which loses the most bytes when it is rounded up to its alignment, so that
// nothing stands on it and they are not lost. Where all buffers of the part are live together, as constants are, such a line
// needs least. nil when they are not, or when there are several pools or pins, or nothing to be won.
func (s *scene) tower(line []int32) []int32 {
	t, ok := s.live.(*timeline)
	if !ok || len(s.pools) > 1 || s.hasPins || len(line) < 2 || !t.together(line) {
		return nil
	}
	top, most := 0, int64(-1)
	for i, b := range line {
		if lost := alignUp(s.size[b], s.align(b, s.pools[0])) - s.size[b]; lost >= most {
			top, most = i, lost
		}
	}
	out := make([]int32, 0, len(line))
	return append(append(append(out, line[:top]...), line[top+1:]...), line[top])
}

// together reports whether some section is part of the life of every buffer of the line.
func (t *timeline) together(line []int32) bool {
	first, last := t.first[line[0]], t.last[line[0]]
	for _, b := range line {
		first, last = max(first, t.first[b]), min(last, t.last[b])
	}
	return first < last
}
