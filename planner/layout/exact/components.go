package exact

import (
	"cmp"
	"slices"
)

// components splits the buffers that occupy memory into groups without conflicts between them, by first buffer. With
// lifetimes a group ends where no hull of a lifetime crosses; with explicit conflicts groups are connected components.
// O(n log n + conflicts).
func components(p *Problem) [][]int32 {
	if p.Conflicts != nil {
		return connected(p)
	}
	var ids []int32
	hulls := make([]Span, len(p.Buffers))
	for i, b := range p.Buffers {
		if live := merged(b.Live); b.Size > 0 && len(live) > 0 {
			ids = append(ids, int32(i))
			hulls[i] = Span{live[0].First, live[len(live)-1].Last}
		}
	}
	slices.SortFunc(ids, func(a, b int32) int {
		return cmp.Or(cmp.Compare(hulls[a].First, hulls[b].First), cmp.Compare(a, b))
	})
	var groups [][]int32
	end := int64(0)
	for k, id := range ids {
		if k == 0 || hulls[id].First >= end {
			groups, end = append(groups, nil), hulls[id].Last
		}
		last := len(groups) - 1
		groups[last], end = append(groups[last], id), max(end, hulls[id].Last)
	}
	for _, group := range groups {
		slices.Sort(group)
	}
	return groups
}

// connected groups buffers by explicit conflicts.
func connected(p *Problem) [][]int32 {
	root := make([]int32, len(p.Buffers))
	for i := range root {
		root[i] = int32(i)
	}
	find := func(i int32) int32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for i, row := range p.Conflicts {
		for _, other := range row {
			if p.Buffers[i].Size == 0 || p.Buffers[other].Size == 0 {
				continue
			}
			a, b := find(int32(i)), find(int32(other))
			root[max(a, b)] = min(a, b)
		}
	}
	group := make([][]int32, len(p.Buffers))
	for i, b := range p.Buffers {
		if b.Size > 0 {
			r := find(int32(i))
			group[r] = append(group[r], int32(i))
		}
	}
	return slices.DeleteFunc(group, func(g []int32) bool { return len(g) == 0 })
}
