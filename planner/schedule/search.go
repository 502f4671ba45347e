package schedule

import (
	"context"
	"slices"
)

const (
	// beamWidth is how many states of each number of ops the first pass keeps, widestBeam the most that the last pass does.
	beamWidth, widestBeam = 8, 64
	// mostBytes bounds the memory of the states that the search keeps.
	mostBytes = 1 << 28
)

// solve looks for an order of the part with a peak of the floor at most, or else the least one, and raises the bound to what
// it proves. It returns the number of states that it expanded.
func (q *part) solve(ctx context.Context, floor, nodes int64) int64 {
	t := newNetOf(q)
	floor = max(floor, q.bound)
	spent := q.beam(ctx, t, floor, beamWidth, nodes/4)
	if q.peak() <= floor || ctx.Err() != nil {
		return spent
	}
	done, exhausted := q.search(ctx, t, floor, nodes-spent)
	if spent += done; !exhausted && spent < nodes {
		spent += q.beam(ctx, t, floor, widestBeam, nodes-spent)
	}
	return spent
}

// offer takes an order over when it is better than the best.
func (q *part) offer(order []int) {
	if value := q.sub.Peak(order); value < q.peak() {
		q.best, q.value = order, value
	}
}

// search is the best-first search. The second result says that it ended by itself: the best order is then the least one, or
// within the floor.
func (q *part) search(ctx context.Context, t *net, floor, nodes int64) (spent int64, exhausted bool) {
	open := &queue{floor: floor}
	known := map[uint64][]int32{}
	words := int64((t.n + 63) / 64)
	keep := func(s *state) {
		if s.peak >= q.peak() {
			return
		}
		h := s.done.hash()
		for _, other := range known[h] {
			if o := open.states[other]; o.done.equal(s.done) {
				if o.peak <= max(s.peak, floor) {
					return
				}
			}
		}
		index := int32(len(open.states))
		open.states = append(open.states, s)
		known[h] = append(known[h], index)
		open.push(index)
	}
	first := t.start()
	t.settle(first, floor)
	keep(first)
	for len(open.heap) > 0 {
		index := open.pop()
		s := open.states[index]
		if s.peak > floor {
			// Every order that is not found yet leads through an open state, and this one has the least peak of them.
			q.bound = max(q.bound, min(s.peak, q.peak()))
		}
		if s.peak >= q.peak() {
			break
		}
		if s.count == t.n {
			q.offer(path(open.states, index))
			return spent, true
		}
		if spent >= nodes || int64(len(open.states))*(words*8+160) > mostBytes || spent%64 == 0 && ctx.Err() != nil {
			return spent, false
		}
		spent += t.expand(s, index, floor, q.peak(), keep)
	}
	q.bound = max(q.bound, q.peak())
	return spent, true
}

// expand calls found for each state that an op leads to from s below the limit. It returns the effort: one node, and one for
// each 1024 ops that were looked at.
func (t *net) expand(s *state, index int32, floor, limit int64, found func(*state)) int64 {
	looked := t.n
	for v := range t.n {
		if !t.ready(s.done, v) {
			continue
		}
		if x := t.try(s.done, s.live, v); max(x.use, s.peak) < limit {
			found(t.after(s, index, v, x, floor))
			looked += t.n
		}
	}
	return 1 + int64(looked/1024)
}

// path is the order that leads to a state.
func path(states []*state, index int32) []int {
	var order []int
	for ; index >= 0; index = states[index].from {
		for _, v := range slices.Backward(states[index].path) {
			order = append(order, int(v))
		}
	}
	slices.Reverse(order)
	return order
}

// beam goes through the numbers of executed ops and keeps the best states of each, by peak, live bytes and the order in
// which they were found.
func (q *part) beam(ctx context.Context, t *net, floor int64, width int, nodes int64) int64 {
	levels := make([][]*state, t.n+1)
	var all []*state
	first := t.start()
	t.settle(first, floor)
	levels[first.count] = []*state{first}
	spent := int64(0)
	for count := 0; count < t.n; count++ {
		level := pruned(levels[count], floor, width)
		levels[count] = nil
		for _, s := range level {
			if spent >= nodes || ctx.Err() != nil {
				return spent
			}
			all = append(all, s)
			spent += t.expand(s, int32(len(all)-1), floor, q.peak(), func(next *state) { levels[next.count] = append(levels[next.count], next) })
		}
	}
	if found := pruned(levels[t.n], floor, 1); len(found) > 0 {
		all = append(all, found[0])
		q.offer(path(all, int32(len(all)-1)))
	}
	return spent
}

// pruned keeps the best of the states with the same number of ops, each set once.
func pruned(states []*state, floor int64, width int) []*state {
	slices.SortStableFunc(states, func(a, b *state) int { return compare(a, b, floor) })
	seen := map[uint64][]*state{}
	var out []*state
	for _, s := range states {
		if len(out) == width {
			break
		}
		h := s.done.hash()
		if slices.ContainsFunc(seen[h], func(o *state) bool { return o.done.equal(s.done) }) {
			continue
		}
		seen[h] = append(seen[h], s)
		out = append(out, s)
	}
	return out
}
