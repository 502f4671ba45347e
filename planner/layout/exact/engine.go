package exact

import (
	"iter"
	"sync"
)

// engine is a depth-first search that stops when its allowance of nodes is used up and goes on when it gets more: nothing
// is searched twice.
type engine struct {
	*state
	ranking *ranking
	again   bool
	rank    []int32
	// order holds the unplaced buffers; each part under search is a range of it.
	order []int32
	// parts and ranks are stacks: parts still to solve, ranks to restore. scratch and moved serve splitting.
	parts          []part
	ranks          []int32
	scratch, moved []int32
	cache          cache
	// nodes counts placements tried; the search pauses when it reaches allowance.
	nodes, allowance int64
	yield            func(verdict) bool
	resume           func() (verdict, bool)
	stop             func()
}

// newEngine prepares a search of m with the given order within a capacity in bytes. The caller closes it in the end.
func newEngine(m *model, o order, capacity int64) *engine {
	n := m.len()
	limit := make([]int64, n)
	room := m.limits(capacity, limit)
	e := &engine{
		state: newState(m, room, limit), ranking: newRanking(m, o), again: o.again,
		rank: make([]int32, n), order: make([]int32, n), scratch: make([]int32, m.members.rows()), moved: make([]int32, n),
	}
	if log, ok := logs.Get().(*[]change); ok {
		e.log = (*log)[:0]
	} else {
		e.log = make([]change, 0, len(m.conflicts.flat)/2+2*n)
	}
	for i := range e.order {
		e.order[i] = int32(i)
	}
	e.ranking.sort(e.order, e.total, e.rank)
	e.resume, e.stop = iter.Pull(e.search)
	return e
}

// logs are those of searches that are over, which others write over: they are the largest part of what a short search needs.
var logs sync.Pool

// close ends a search.
func (e *engine) close() {
	e.stop()
	log := e.log
	e.log = nil
	logs.Put(&log)
}

// search yields stopped at each pause and the verdict in the end.
func (e *engine) search(yield func(verdict) bool) {
	e.yield = yield
	v := failed
	if e.fits() {
		v = e.solve(0, len(e.order))
	}
	if v != stopped {
		yield(v)
	}
}

// patience is how many nodes pass between two looks at cancelled.
const patience = 512

// run searches for up to that many nodes more. Once it returns another verdict than stopped, it is over.
func (e *engine) run(nodes int64, cancelled func() bool) verdict {
	for end := e.nodes + nodes; e.nodes < end && !cancelled(); {
		e.allowance = min(end, e.nodes+patience)
		if v, _ := e.resume(); v != stopped {
			return v
		}
	}
	return stopped
}

// pause hands control back to run; false when the search is to end.
func (e *engine) pause() bool { return e.yield(stopped) }

// offsets are the placement found, in bytes.
func (e *engine) offsets() []int64 {
	out := make([]int64, len(e.at))
	for b, at := range e.at {
		out[b] = at * e.unit
	}
	return out
}
