package layout

import "slices"

// Unlimited is the capacity of a pool without a cap.
const Unlimited int64 = -1

// Unplaced is the pool of a buffer that found no place.
const Unplaced = -1

// Span is a half-open range of steps [First, Last).
type Span struct{ First, Last int64 }

// Gap is a hole in the life of a buffer or of some of its bytes: in the half-open span of steps its bytes [From, To), counted
// from its start, are free for others. A gap of the whole buffer has From 0 and To its size.
type Gap struct {
	Span
	From, To int64
}

// Pool is a piece of memory.
type Pool struct {
	// Capacity in bytes, or Unlimited.
	Capacity int64
	// Alignment in bytes that every offset in the pool meets, 1 or more.
	Alignment int64
}

// Buffer is something to place.
type Buffer struct {
	// Size in bytes, 0 or more. A buffer of size 0 overlaps nothing.
	Size int64
	// Alignment of the offset in bytes, 1 or more; the pool's own applies as well (least common multiple).
	Alignment int64
	// Live is the half-open lifetime in steps. When the problem has explicit conflicts it decides nothing and is only where
	// sets that all conflict are looked for.
	Live Span
	// Pools are the candidates in order of preference, as indexes into the problem's pools.
	Pools []int
	// Pinned fixes the offset to Offset, in the first candidate pool.
	Pinned bool
	Offset int64
	// Gaps say which bytes of the buffer are free for others in which steps of its lifetime, in order of First. Where gaps
	// overlap, what one of them frees is free. They are ignored when the problem has explicit conflicts.
	Gaps []Gap
	// Hint is where the buffer stood before, nil when that is not known. It is a wish: see [Solve].
	Hint *Place
	// Rank orders buffers as their names do, which algorithms of other systems break ties by and this package does not
	// know: one with a larger rank has a name further down the alphabet. Of equal ranks the larger index counts as larger.
	Rank int
}

// absent reports whether the step is in a gap of the whole buffer.
func (b *Buffer) absent(step int64) bool {
	return slices.ContainsFunc(b.Gaps, func(gap Gap) bool { return b.frees(gap) && gap.First <= step && step < gap.Last })
}

// frees reports whether a gap frees all bytes of the buffer.
func (b *Buffer) frees(gap Gap) bool { return gap.From == 0 && gap.To == b.Size }

// lives reports whether the buffer is live at any step of its lifetime.
func (b *Buffer) lives() bool {
	switch {
	case len(b.Gaps) == 0:
		return b.Live.First < b.Live.Last
	case b.partial():
		return len(b.stretches()) > 0
	}
	return len(b.spans()) > 0
}

// spans is the lifetime without the gaps of the whole buffer.
func (b *Buffer) spans() []Span {
	var out []Span
	at := b.Live.First
	for _, gap := range b.Gaps {
		if !b.frees(gap) {
			continue
		}
		if at < gap.First {
			out = append(out, Span{at, gap.First})
		}
		at = max(at, gap.Last)
	}
	if at < b.Live.Last {
		out = append(out, Span{at, b.Live.Last})
	}
	return out
}

// Problem is what to place and where it may go.
type Problem struct {
	Pools   []Pool
	Buffers []Buffer
	// Conflicts, when not nil, replaces lifetimes: Conflicts[i] lists the buffers that may not overlap buffer i. It is
	// made symmetric by the solver. Where sets of buffers conflict with all of each other, as those of graphs do that may
	// run at the same time, greedy, exact and auto solve each set by itself and put one above the other, which keeps the least
	// peak; where only buffers conflict that live together, they go by the lifetimes. Both take one pool, one alignment and
	// no pins.
	Conflicts [][]int
}

// Place is where a buffer stands.
type Place struct {
	// Pool is an index into the problem's pools, or Unplaced.
	Pool int
	// Offset in bytes from the pool's start.
	Offset int64
}

// Status says what is known about a result.
type Status string

// The statuses. Only an exhausted search says Infeasible; a heuristic that found nothing says Unknown.
const (
	Optimal    Status = "optimal"
	Feasible   Status = "feasible"
	Infeasible Status = "infeasible"
	Unknown    Status = "unknown"
)

// PoolResult is the outcome for one pool.
type PoolResult struct {
	// Peak is max(offset+size) in bytes.
	Peak int64
	// Bound is the best proved lower bound of Peak for the buffers placed in this pool, in bytes. Those without a place count as
	// well where it is the only pool that they and all others of its buffers may stand in.
	Bound int64
	// Proved says that no placement of the buffers placed in this pool has a lower peak.
	Proved bool
}

// Result is the outcome of an algorithm.
type Result struct {
	Status Status
	// Places has one entry per buffer.
	Places []Place
	Pools  []PoolResult
	// Nodes counts search effort.
	Nodes int64
	// Unplaced lists the buffers without a place, ascending.
	Unplaced []int
}
