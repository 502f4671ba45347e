package exact

import (
	"cmp"
	"slices"
)

// adopt takes a given placement of a group too large to search, if it holds.
func (s *solution) adopt(g *group, known []int64) {
	g.bound = s.loosely(g.ids)
	if known == nil || !s.holds(g.ids, known) {
		return
	}
	g.offsets, g.peak = known, 0
	for k, id := range g.ids {
		g.peak = max(g.peak, known[k]+s.problem.Buffers[id].Size)
	}
}

// loosely is the largest buffer, and with lifetimes the most bytes live at once: a bound without a model. O(n log n).
func (s *solution) loosely(ids []int32) int64 {
	bound, live := int64(0), int64(0)
	for _, id := range ids {
		b := &s.problem.Buffers[id]
		bound = max(bound, b.Size)
		if b.Pinned {
			bound = max(bound, b.Offset+b.Size)
		}
	}
	if s.problem.Conflicts != nil {
		return bound
	}
	for _, e := range lifeEvents(s.problem, ids) {
		if size := s.problem.Buffers[ids[e.buffer]].Size; e.start {
			live += size
		} else {
			live -= size
		}
		bound = max(bound, live)
	}
	return bound
}

// holds checks offsets of a group without a model: a buffer that starts meets those live then only. O(n · live).
func (s *solution) holds(ids []int32, offsets []int64) bool {
	for k, id := range ids {
		b := &s.problem.Buffers[id]
		if offsets[k] < 0 || offsets[k] > far-b.Size || offsets[k]%max(1, b.Alignment) != 0 || b.Pinned && offsets[k] != b.Offset {
			return false
		}
	}
	if s.problem.Conflicts != nil {
		return s.holdsConflicts(ids, offsets)
	}
	var live []int32
	for _, e := range lifeEvents(s.problem, ids) {
		if !e.start {
			live = without(live, e.buffer)
			continue
		}
		size := s.problem.Buffers[ids[e.buffer]].Size
		for _, other := range live {
			if overlap(offsets[e.buffer], size, offsets[other], s.problem.Buffers[ids[other]].Size) {
				return false
			}
		}
		live = append(live, e.buffer)
	}
	return true
}

func (s *solution) holdsConflicts(ids []int32, offsets []int64) bool {
	for k, id := range ids {
		for _, other := range s.problem.Conflicts[id] {
			if other == int(id) || s.problem.Buffers[other].Size == 0 {
				continue
			}
			o, _ := slices.BinarySearchFunc(ids, int32(other), cmp.Compare)
			if overlap(offsets[k], s.problem.Buffers[id].Size, offsets[o], s.problem.Buffers[other].Size) {
				return false
			}
		}
	}
	return true
}

// overlap says that two extents share a byte.
func overlap(a, aSize, b, bSize int64) bool { return a < b+bSize && b < a+aSize }

// sound checks the final offsets of a group against the problem itself, not against the model that was searched.
func (s *solution) sound(ids []int32) bool {
	offsets := make([]int64, len(ids))
	for k, id := range ids {
		offsets[k] = s.offsets[id]
	}
	return s.holds(ids, offsets)
}
