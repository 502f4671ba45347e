package exact

import "slices"

// mostCliques is the most sections that explicit conflicts may have for a search: lifetimes never make more than one for each
// buffer, and what a node costs grows with the sections of a buffer.
const mostCliques = 1 << 16

// cliques covers explicit conflicts with sections: each conflict that no earlier section covers starts one, which then
// takes in every buffer, in order of number, that conflicts with all its members. A buffer without conflicts is a section
// by itself. None is part of another: what has a conflict with all members of a section is a member. nil when there are more
// than mostCliques: buffers of two programs that may run at the same time have as many as there are pairs of moments.
// O(mostCliques · n²/64) at worst.
func cliques(p *Problem, ids []int32) [][]int32 {
	n := len(ids)
	place := make(map[int32]int32, n)
	for k, id := range ids {
		place[id] = int32(k)
	}
	meets, covered := make([]bits, n), make([]bits, n)
	for k := range n {
		meets[k], covered[k] = newBits(n), newBits(n)
	}
	for k, id := range ids {
		for _, other := range p.Conflicts[id] {
			if o, ok := place[int32(other)]; ok && int(o) != k {
				meets[k].set(o)
				meets[o].set(int32(k))
			}
		}
	}
	var sections [][]int32
	for a := range int32(n) {
		alone := true
		for b := range int32(n) {
			if !meets[a].has(b) {
				continue
			}
			alone = false
			if b <= a || covered[a].has(b) {
				continue
			}
			if len(sections) == mostCliques {
				return nil
			}
			sections = append(sections, grow(meets, covered, a, b))
		}
		if alone {
			sections = append(sections, []int32{a})
		}
	}
	for _, members := range sections {
		slices.Sort(members)
	}
	return sections
}

// grow makes a section around the conflict of a and b and marks the conflicts it covers.
func grow(meets, covered []bits, a, b int32) []int32 {
	members := []int32{a, b}
	common := newBits(len(meets))
	for i := range common {
		common[i] = meets[a][i] & meets[b][i]
	}
	for c := range int32(len(meets)) {
		if !common.has(c) {
			continue
		}
		members = append(members, c)
		for i := range common {
			common[i] &= meets[c][i]
		}
	}
	together := newBits(len(meets))
	for _, x := range members {
		together.set(x)
	}
	for _, x := range members {
		covered[x].add(together)
	}
	return members
}
