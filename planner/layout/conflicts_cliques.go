package layout

import (
	"cmp"
	"slices"
)

// cliques grows one clique from every buffer of [lo, hi), largest neighbours first, and keeps those that are no part of
// another. Finding the heaviest clique is hard; these cover every buffer and mostly include it.
func (g *conflictGraph) cliques(s *scene, lo, hi int32) [][]int32 {
	var out [][]int32
	seen := map[int32][]int{}
	for b := lo; b < hi; b++ {
		clique := g.grow(s, b, func(int32) bool { return true })
		slices.Sort(clique)
		repeated := slices.ContainsFunc(seen[clique[0]], func(k int) bool { return slices.Equal(out[k], clique) })
		if !repeated {
			seen[clique[0]] = append(seen[clique[0]], len(out))
			out = append(out, clique)
		}
	}
	return out
}

// grow extends {b} by the largest common neighbour among the members until there is none.
func (g *conflictGraph) grow(s *scene, b int32, member func(int32) bool) []int32 {
	return g.extend(s, []int32{b}, member)
}

// extend adds to a clique the largest common neighbour among the members until there is none.
func (g *conflictGraph) extend(s *scene, clique []int32, member func(int32) bool) []int32 {
	rest := slices.DeleteFunc(slices.Clone(g.neighbours(clique[0])), func(x int32) bool {
		return !member(x) || slices.ContainsFunc(clique[1:], func(y int32) bool { return !g.overlap(x, y) })
	})
	slices.SortFunc(rest, func(x, y int32) int { return cmp.Or(cmp.Compare(s.size[y], s.size[x]), cmp.Compare(x, y)) })
	for len(rest) > 0 {
		x := rest[0]
		clique = append(clique, x)
		rest = slices.DeleteFunc(rest[1:], func(y int32) bool { return !g.overlap(x, y) })
	}
	return clique
}

// bound is the height of the heaviest clique found.
func (g *conflictGraph) bound(s *scene, member func(int32) bool, unit int64) (int64, int64) {
	return stacked(s, g.heaviest(s, member, unit), unit), -1
}

func (g *conflictGraph) crowd(s *scene, member func(int32) bool, unit int64) []share {
	var out []share
	for _, b := range g.heaviest(s, member, unit) {
		out = append(out, share{b, s.size[b], alignUp(s.size[b], unit) - s.size[b]})
	}
	return out
}

// mostGrown limits the effort of looking for a heavy clique, in conflicts looked up: milliseconds.
const mostGrown = 1 << 21

// heaviest is the heaviest clique found among the members. It begins with those of the step at which the most bytes are
// live, for where the buffers have lifetimes too these mostly conflict, and then looks at cliques grown from the members in
// order of their neighbourhoods' bytes until the effort, linear in the conflicts up to a limit, is used up.
func (g *conflictGraph) heaviest(s *scene, member func(int32) bool, unit int64) []int32 {
	var seeds []int32
	for b := range s.len() {
		if member(b) {
			seeds = append(seeds, b)
		}
	}
	totals := g.totals(s)
	slices.SortFunc(seeds, func(a, b int32) int { return cmp.Or(cmp.Compare(totals[b], totals[a]), cmp.Compare(a, b)) })
	heaviest := g.busiest(s, seeds, member)
	most, effort := stacked(s, heaviest, unit), min(16*len(g.near)+4096, mostGrown)
	for _, b := range seeds {
		if effort < 0 {
			break
		}
		clique := g.grow(s, b, member)
		effort -= len(g.neighbours(b)) * len(clique)
		if height := stacked(s, clique, unit); height > most {
			heaviest, most = clique, height
		}
	}
	return heaviest
}

// busiest is a clique of the members that are live at the step at which those have the most bytes, with what else conflicts
// with all of it; empty when no member has a lifetime.
func (g *conflictGraph) busiest(s *scene, members []int32, member func(int32) bool) []int32 {
	type change struct{ step, bytes int64 }
	var changes []change
	for _, b := range members {
		if live := s.buffer(b).Live; live.First < live.Last {
			changes = append(changes, change{live.First, s.size[b]}, change{live.Last, -s.size[b]})
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.step, b.step), cmp.Compare(a.bytes, b.bytes)) })
	now, most, at := int64(0), int64(0), int64(0)
	for _, c := range changes {
		if now += c.bytes; now > most {
			most, at = now, c.step
		}
	}
	lives := func(b int32) bool { live := s.buffer(b).Live; return live.First <= at && at < live.Last && member(b) }
	first := slices.IndexFunc(members, lives)
	if first < 0 {
		return nil
	}
	return g.extend(s, g.extend(s, []int32{members[first]}, lives), member)
}

// stacked is the least height of buffers that all conflict.
func stacked(s *scene, clique []int32, unit int64) int64 {
	sum, waste := int64(0), int64(0)
	for _, b := range clique {
		rounded := alignUp(s.size[b], unit)
		sum += rounded
		waste = max(waste, rounded-s.size[b])
	}
	return sum - waste
}
