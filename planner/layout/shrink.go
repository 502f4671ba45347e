package layout

import (
	"cmp"
	"context"
	"slices"
)

// tooMuchAtOnce finds a pool, or all pools together, whose live bytes exceed the capacity.
func (s *scene) tooMuchAtOnce(out Misfit) (Misfit, bool) {
	only := s.onlyPools()
	for b := range s.len() {
		if !s.hasRoom(b) {
			only[b] = s.lastChoice(b)
		}
	}
	for _, k := range s.pools {
		c := s.p.Pools[k].Capacity
		if c == Unlimited {
			continue
		}
		if m, ok := s.crowd(out, func(b int32) bool { return only[b] == k }, c, s.unit(k)); ok {
			m.Pool = k
			if len(s.pools) > 1 {
				m.Pools = []int{k}
			}
			return m, true
		}
	}
	room, limited := s.capacity()
	if !limited {
		return out, false
	}
	return s.crowd(out, func(int32) bool { return true }, room, 1)
}

func (s *scene) lastChoice(b int32) int {
	candidates := s.candidates(b)
	return candidates[len(candidates)-1]
}

// unit divides every offset in the pool.
func (s *scene) unit(k int) int64 {
	unit := int64(0)
	for b := range s.len() {
		if slices.Contains(s.candidates(b), k) {
			unit = gcd(s.align(b, k), unit)
		}
	}
	return max(1, unit)
}

// crowd reports whether the members live at one time exceed the capacity, with an irreducible set of them.
func (s *scene) crowd(out Misfit, member func(int32) bool, capacity, unit int64) (Misfit, bool) {
	needed, step := s.live.bound(s, member, unit)
	if needed <= capacity {
		return out, false
	}
	live := s.irreducible(s.live.crowd(s, member, unit), capacity)
	out.Needed, out.Available, out.Excess, out.Step = needed, capacity, needed-capacity, step
	out.Buffers = s.problemIndexes(live)
	return out, true
}

// irreducible drops members of a live set, small ones first, for as long as the others need more than the capacity. It
// costs O(n log n).
func (s *scene) irreducible(live []share, capacity int64) []int32 {
	bySmall := func(a, b share) int { return cmp.Or(cmp.Compare(a.bytes, b.bytes), cmp.Compare(s.id[b.b], s.id[a.b])) }
	slices.SortFunc(live, bySmall)
	// The topmost buffer of a stack needs no rounding; the best one for that is the first of those that are left.
	tops := slices.Clone(live)
	slices.SortStableFunc(tops, func(a, b share) int { return cmp.Compare(b.rounding, a.rounding) })
	sum := int64(0)
	for _, x := range live {
		sum += x.bytes + x.rounding
	}
	dropped := make(map[int32]bool, len(live))
	var kept []int32
	for _, x := range live {
		for len(tops) > 0 && dropped[tops[0].b] {
			tops = tops[1:]
		}
		saved := int64(0)
		for _, top := range tops {
			if top.b != x.b && !dropped[top.b] {
				saved = top.rounding
				break
			}
		}
		if rest := sum - x.bytes - x.rounding; rest-saved > capacity {
			sum, dropped[x.b] = rest, true
			continue
		}
		kept = append(kept, x.b)
	}
	return kept
}

func (s *scene) problemIndexes(local []int32) []int {
	out := make([]int, len(local))
	for i, b := range local {
		out[i] = int(s.id[b])
	}
	slices.Sort(out)
	return out
}

// relaxed is the least peak found for pool k when it has no cap, and whether everything is placed there.
func (s *scene) relaxed(ctx context.Context, k int) (peak int64, all bool) {
	sub := s.p.subset(s.problemIndexes(s.sequence(0, s.len())))
	sub.Pools = slices.Clone(sub.Pools)
	sub.Pools[k].Capacity = Unlimited
	r, err := solve(ctx, sub, &autoEntry, Effort{Nodes: defaultNodes})
	if err != nil {
		return 0, false
	}
	return r.Pools[k].Peak, len(r.Unplaced) == 0
}

// subset is the problem with the given buffers only, in that order.
func (p *Problem) subset(ids []int) *Problem {
	out := &Problem{Pools: p.Pools, Buffers: make([]Buffer, len(ids))}
	at := make(map[int]int, len(ids))
	for i, id := range ids {
		out.Buffers[i], at[id] = p.Buffers[id], i
	}
	if p.Conflicts == nil {
		return out
	}
	out.Conflicts = make([][]int, len(ids))
	for i, id := range ids {
		for _, other := range p.Conflicts[id] {
			if j, ok := at[other]; ok {
				out.Conflicts[i] = append(out.Conflicts[i], j)
			}
		}
	}
	return out
}

// shrink looks for a small set of buffers of the part of b that finds no place: it leaves out runs of buffers, half of
// them at first and single ones at last, for as long as the rest is not placed. The second result says that the set was
// proved impossible.
func (s *scene) shrink(ctx context.Context, b int32, unplaced map[int32]bool) ([]int, bool) {
	part, _ := slices.BinarySearch(s.parts, b+1)
	set := s.problemIndexes(s.sequence(s.parts[part-1], s.parts[part]))
	spent := int64(0)
	try := func(ids []int) Status {
		r, err := solve(ctx, s.p.subset(ids), &autoEntry, Effort{Nodes: explainNodes / 16, Decide: true})
		if err != nil {
			return Unknown
		}
		spent += r.Nodes
		return r.Status
	}
	status := try(set)
	if status == Optimal || status == Feasible {
		return s.without(set, unplaced), false
	}
	for run := max(1, len(set)/2); spent < explainNodes && ctx.Err() == nil; run /= 2 {
		for at := 0; at < len(set) && len(set) > 1 && spent < explainNodes; {
			rest := slices.Concat(set[:at], set[min(at+run, len(set)):])
			if next := try(rest); len(rest) > 0 && (next == Infeasible || next == Unknown && status == Unknown) {
				set, status = rest, next
				continue
			}
			at += run
		}
		if run == 1 {
			break
		}
	}
	return set, status == Infeasible
}

// without keeps the unplaced of the set.
func (s *scene) without(set []int, unplaced map[int32]bool) []int {
	return slices.DeleteFunc(set, func(i int) bool { return !unplaced[int32(i)] })
}
