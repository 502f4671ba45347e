package layout

import (
	"cmp"
	"slices"
)

// conflictGraph is the liveness of buffers with explicit conflicts, made symmetric.
type conflictGraph struct {
	// near[from[b]:from[b+1]] are the neighbours of b, ascending.
	from   []int64
	near   []int32
	sorter sorter
}

// newConflictGraph restricts the problem's conflicts to ids and orders ids by connected component, then problem index.
// The second result is the components as parts. It costs O((n + conflicts) log n).
func newConflictGraph(p *Problem, ids []int32) (*conflictGraph, []int32) {
	local := make([]int32, len(p.Buffers))
	for i := range local {
		local[i] = nowhere
	}
	for i, id := range ids {
		local[id] = int32(i)
	}
	components := newDisjoint(len(ids))
	for i, id := range ids {
		for _, other := range p.Conflicts[id] {
			if j := local[other]; j != nowhere {
				components.join(i, int(j))
			}
		}
	}
	root := make([]int, len(p.Buffers))
	for i, id := range ids {
		root[id] = components.find(i)
	}
	slices.SortFunc(ids, func(a, b int32) int { return cmp.Or(cmp.Compare(root[a], root[b]), cmp.Compare(a, b)) })
	parts := []int32{}
	for i, id := range ids {
		local[id] = int32(i)
		if i == 0 || root[id] != root[ids[i-1]] {
			parts = append(parts, int32(i))
		}
	}
	return adjacency(p, ids, local), append(parts, int32(len(ids)))
}

// adjacency lists the neighbours of ids, given where each buffer of the problem is among them.
func adjacency(p *Problem, ids, local []int32) *conflictGraph {
	lists := make([][]int32, len(ids))
	for i, id := range ids {
		for _, other := range p.Conflicts[id] {
			if j := local[other]; j != nowhere && int(j) != i {
				lists[i] = append(lists[i], j)
				lists[j] = append(lists[j], int32(i))
			}
		}
	}
	total := 0
	for i, list := range lists {
		slices.Sort(list)
		lists[i] = slices.Compact(list)
		total += len(lists[i])
	}
	g := &conflictGraph{from: make([]int64, 1, len(ids)+1), near: make([]int32, 0, total)}
	for _, list := range lists {
		g.near = append(g.near, list...)
		g.from = append(g.from, int64(len(g.near)))
	}
	return g
}

func (g *conflictGraph) neighbours(b int32) []int32 { return g.near[g.from[b]:g.from[b+1]] }

// insert and forget have nothing to keep: the scene's own record is read.
func (g *conflictGraph) insert(*scene, int32)        {}
func (g *conflictGraph) forget(*scene, int32, int32) {}

func (g *conflictGraph) taken(s *scene, b int32, pool int32, dst []extent) ([]extent, int) {
	near := g.neighbours(b)
	for _, x := range near {
		if s.pool[x] == pool {
			dst = append(dst, extent{s.lo[x], s.lo[x] + s.size[x]})
		}
	}
	return g.sorter.sort(dst), len(near)
}

func (g *conflictGraph) lowest(s *scene, b int32, pool int32) (int64, int) {
	taken, looked := g.taken(s, b, pool, s.space[:0])
	s.space = taken
	return lowestGap(taken, s.size[b], s.align(b, int(pool))), looked
}

func (g *conflictGraph) neighbourhoods(s *scene) [][]int32 {
	out := make([][]int32, s.len())
	for b := range out {
		out[b] = g.neighbours(int32(b))
	}
	return out
}

func (g *conflictGraph) visit(s *scene, b int32, pool int32, f func(x int32)) int {
	near := g.neighbours(b)
	for _, x := range near {
		if s.pool[x] == pool {
			f(x)
		}
	}
	return len(near)
}

func (g *conflictGraph) overlap(a, b int32) bool {
	_, found := slices.BinarySearch(g.neighbours(a), b)
	return found
}

// pieced is never so: with explicit conflicts gaps mean nothing.
func (g *conflictGraph) pieced(int32) bool { return false }

func (g *conflictGraph) twins(*scene, int32, int32) bool { return false }

func (g *conflictGraph) barred(s *scene, x, b int32, dst []extent) []extent {
	return append(dst, extent{-s.size[b], s.size[x]})
}

// length is the number of neighbours: without times nothing else says how long a buffer is in the way.
func (g *conflictGraph) length(_ *scene, b int32) int64 { return int64(len(g.neighbours(b))) + 1 }

func (g *conflictGraph) degrees(s *scene) []int32 {
	out := make([]int32, s.len())
	for b := range out {
		out[b] = int32(len(g.neighbours(int32(b))))
	}
	return out
}

// totals is for each buffer its size and those of its neighbours.
func (g *conflictGraph) totals(s *scene) []int64 {
	out := make([]int64, s.len())
	for b := range out {
		out[b] = s.size[b]
		for _, x := range g.neighbours(int32(b)) {
			out[b] += s.size[x]
		}
	}
	return out
}
