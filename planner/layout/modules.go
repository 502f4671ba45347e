package layout

import "slices"

// module is a node of a modular decomposition of explicit conflicts (Gallai 1967): a set of buffers that splits into kids of
// which either no two share a conflict, or any two conflict with all of their buffers. Buffers of graphs that may run at the
// same time are of the second kind.
type module struct {
	// members are local indexes, ascending.
	members []int32
	// series says that buffers of different kids always conflict: whatever the placement, no byte serves two kids, so that
	// closing the bytes of the others leaves a placement of each. The least peak is the sum of theirs. Otherwise it is the
	// largest of theirs.
	series bool
	// kids are none for a module that is placed as a whole.
	kids []module
}

// deepestModule bounds the depth of a decomposition, and with it the time: each level costs O(buffers + conflicts).
const deepestModule = 8

func (g *conflictGraph) decompose(members []int32, depth int) module {
	m := module{members: members}
	if depth == 0 {
		return m
	}
	groups := g.unconnected(members)
	m.series = len(groups) > 1
	if !m.series {
		groups = g.connected(members)
	}
	if len(groups) > 1 {
		for _, group := range groups {
			m.kids = append(m.kids, g.decompose(group, depth-1))
		}
	}
	return m
}

// unconnected lists the components of the complement of the graph on the members. O(members + conflicts).
func (g *conflictGraph) unconnected(members []int32) [][]int32 {
	var groups [][]int32
	for rest := slices.Clone(members); len(rest) > 0; {
		group := []int32{rest[0]}
		rest = rest[1:]
		for i := 0; i < len(group) && len(rest) > 0; i++ {
			near := g.neighbours(group[i])
			kept := rest[:0]
			for _, b := range rest {
				for len(near) > 0 && near[0] < b {
					near = near[1:]
				}
				if len(near) > 0 && near[0] == b {
					kept = append(kept, b)
				} else {
					group = append(group, b)
				}
			}
			rest = kept
		}
		slices.Sort(group)
		groups = append(groups, group)
	}
	return groups
}

// connected lists the components of the graph on the members, ascending. O(members + conflicts).
func (g *conflictGraph) connected(members []int32) [][]int32 {
	at := make(map[int32]int, len(members))
	for i, b := range members {
		at[b] = i
	}
	sets := newDisjoint(len(members))
	for i, b := range members {
		for _, x := range g.neighbours(b) {
			if j, ok := at[x]; ok {
				sets.join(i, j)
			}
		}
	}
	var groups [][]int32
	place := map[int]int{}
	for i, b := range members {
		root := sets.find(i)
		k, ok := place[root]
		if !ok {
			k = len(groups)
			place[root], groups = k, append(groups, nil)
		}
		groups[k] = append(groups[k], b)
	}
	return groups
}
