package schedule

import "slices"

// state is a set of executed ops that the search has reached.
type state struct {
	done set
	// live is the bytes that are live after it, peak the most that a step of the path to it used.
	live, peak int64
	count      int
	// from is the state before, -1 for the start, and path the ops that were run from there on.
	from int32
	path []int32
}

// step is what running an op in a state means.
type step struct {
	// use is the bytes live while it runs, live those after it.
	use, live int64
}

// ready reports whether op v can run next.
func (t *net) ready(done set, v int) bool { return !done.has(v) && done.holds(t.needs[v]) }

// try computes what running the ready op v means.
func (t *net) try(done set, live int64, v int) step {
	op := &t.p.Ops[v]
	out := step{use: live + op.Scratch, live: live}
	for _, b := range op.Touches {
		buffer := &t.p.Buffers[b]
		if !buffer.Before && !done.meets(t.touch[b]) {
			out.use += buffer.Size
			out.live += buffer.Size
		}
		if !buffer.After && done.missing(t.touch[b]) == 1 {
			out.live -= buffer.Size
		}
	}
	shared := int64(0)
	for _, r := range op.Reuses {
		if r.Bytes > shared && !slices.ContainsFunc(r.From, func(b int) bool { return t.outlives(done, b, v) }) &&
			!slices.ContainsFunc(r.To, func(b int) bool { return t.p.Buffers[b].Before || done.meets(t.touch[b]) }) {
			shared = r.Bytes
		}
	}
	out.use -= shared
	if t.p.First > 0 && done.empty() {
		out.use += t.p.First
	}
	return out
}

// outlives reports whether a buffer is needed after op v, which runs next.
func (t *net) outlives(done set, b, v int) bool {
	own := 0
	if t.touch[b].has(v) {
		own = 1
	}
	return t.p.Buffers[b].After || done.missing(t.touch[b]) > own
}

// start is the state before the first op.
func (t *net) start() *state {
	s := &state{done: newSet(t.n), from: -1}
	for b := range t.p.Buffers {
		if t.p.Buffers[b].Before && t.touch[b].meets(t.all()) {
			s.live += t.p.Buffers[b].Size
		}
	}
	return s
}

func (t *net) all() set {
	s := newSet(t.n)
	for v := range t.n {
		s.add(v)
	}
	return s
}

// run executes op v.
func (s *state) run(v int, x step) {
	s.done.add(v)
	s.count++
	s.live, s.peak = x.live, max(s.peak, x.use)
	s.path = append(s.path, int32(v))
}

// after is a new state in which op v was executed and then all that costs nothing; see settle.
func (t *net) after(s *state, index int32, v int, x step, floor int64) *state {
	out := &state{done: append(set{}, s.done...), live: s.live, peak: s.peak, count: s.count, from: index}
	out.run(v, x)
	t.settle(out, floor)
	return out
}

// settle executes, as long as there are any, runs of ops that stay within the peak reached, or the floor where that is
// higher, and leave no more bytes live than before.
func (t *net) settle(s *state, floor int64) {
	for again := true; again; {
		again = false
		for v := range t.n {
			if t.ready(s.done, v) && t.excursion(s, v, max(s.peak, floor)) {
				again = true
			}
		}
	}
}

// excursion runs op v and then ops that each need the one before, until no more bytes are live than at the start. It takes
// everything back when a step exceeds the limit or the run ends above the start.
func (t *net) excursion(s *state, v int, limit int64) bool {
	live, peak, count, path := s.live, s.peak, s.count, len(s.path)
	for v >= 0 {
		x := t.try(s.done, s.live, v)
		if x.use > limit {
			break
		}
		s.run(v, x)
		if s.live <= live {
			return true
		}
		v = t.next(s.done, v)
	}
	for _, u := range s.path[path:] {
		s.done[u>>6] &^= 1 << (u & 63)
	}
	s.live, s.peak, s.count, s.path = live, peak, count, s.path[:path]
	return false
}

// next is the first op that op v has made ready, -1 when there is none.
func (t *net) next(done set, v int) int {
	for _, w := range t.readers[v] {
		if t.ready(done, w) {
			return w
		}
	}
	return -1
}
