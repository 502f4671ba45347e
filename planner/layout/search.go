package layout

import (
	"runtime"

	"github.com/memplan/memplan/planner/layout/exact"
)

// mostSearched is the most buffers of a part that are searched exactly.
const mostSearched = 4096

// anySearched reports whether an open part is small enough for an exact search.
func (s *scene) anySearched() bool {
	for _, part := range s.open() {
		if lo, hi := s.parts[part], s.parts[part+1]; hi-lo <= s.mostSearched(lo, hi) {
			return true
		}
	}
	return false
}

// mostSearched is the most buffers of a part that are searched exactly, given the part.
func (s *scene) mostSearched(lo, hi int32) int32 {
	if s.inPieces(lo, hi) {
		return mostInterlocked
	}
	return mostSearched
}

// inPieces reports whether some buffer of a part is live in pieces.
func (s *scene) inPieces(lo, hi int32) bool {
	for b := lo; b < hi; b++ {
		if s.live.pieced(b) {
			return true
		}
	}
	return false
}

// search looks for something better than the present placement of the open parts of a scene of one pool that have no pieces and at
// most that many buffers, with up to that many nodes. It raises the floor to what is proved.
func (s *scene) search(most int32, nodes int64, work *budget) {
	nodes = min(nodes, work.left())
	members := s.searched(most)
	if len(s.pools) > 1 || len(members) == 0 || nodes <= 0 || s.proof.infeasible || work.stop() {
		return
	}
	q := s.exactProblem(members, s.pools[0])
	opts := exact.Options{Nodes: nodes, Workers: runtime.GOMAXPROCS(0)}
	capacity := s.p.Pools[s.pools[0]].Capacity
	if s.anyUnplaced(members) {
		r, err := exact.Decide(work.ctx, q, capacity, opts)
		s.proof.infeasible = s.proof.infeasible || r.Status == exact.Infeasible
		if !s.learn(r, err, members, work) || s.decide {
			return
		}
		opts.Nodes -= r.Nodes
	}
	if opts.Nodes <= 0 {
		return
	}
	opts.Incumbent = s.offsetsOf(members)
	r, err := exact.Minimise(work.ctx, q, opts)
	s.proof.infeasible = s.proof.infeasible || r.Status == exact.Infeasible
	s.learn(r, err, members, work)
}

// searched lists the buffers of the open parts of at most that many, without those that have pieces.
func (s *scene) searched(most int32) []int32 {
	var members []int32
	for _, part := range s.open() {
		if lo, hi := s.parts[part], s.parts[part+1]; hi-lo <= most && !s.inPieces(lo, hi) {
			members = append(members, s.sequence(lo, hi)...)
		}
	}
	return members
}

func (s *scene) anyUnplaced(members []int32) bool {
	for _, b := range members {
		if s.pool[b] == nowhere {
			return true
		}
	}
	return false
}

// learn takes over what a search found and the peaks that it refuted; false when it found no placement. That a peak is
// refuted says nothing of the pool's capacity: the caller knows which of them it asked for.
func (s *scene) learn(r exact.Result, err error, members []int32, work *budget) bool {
	if err != nil {
		s.fault = err
		return false
	}
	work.spent += r.Nodes
	capacity := s.p.Pools[s.pools[0]].Capacity
	s.floor[0] = max(s.floor[0], r.Bound)
	if r.Offsets == nil || capacity != Unlimited && r.Peak > capacity {
		return false
	}
	s.adopt(members, r.Offsets, s.pools[0])
	work.tell(s)
	return true
}

// exactProblem restates the members, in pool k, for the search.
func (s *scene) exactProblem(members []int32, k int) *exact.Problem {
	q := &exact.Problem{Buffers: make([]exact.Buffer, len(members))}
	at := make(map[int32]int, len(members))
	for i, b := range members {
		buffer := s.buffer(b)
		out := &q.Buffers[i]
		out.Size, out.Alignment, out.Pinned, out.Offset, out.Hint = s.size[b], s.align(b, k), buffer.Pinned, buffer.Offset, exact.NoHint
		if buffer.Hint != nil && buffer.Hint.Pool == k && buffer.Hint.Offset >= 0 {
			out.Hint = buffer.Hint.Offset
		}
		for _, span := range buffer.spans() {
			out.Live = append(out.Live, exact.Span(span))
		}
		at[b] = i
	}
	if s.p.Conflicts == nil {
		return q
	}
	q.Conflicts = make([][]int, len(members))
	near := s.live.neighbourhoods(s)
	for i, b := range members {
		for _, x := range near[b] {
			if j, ok := at[x]; ok && j < i {
				q.Conflicts[i] = append(q.Conflicts[i], j)
			}
		}
	}
	return q
}
