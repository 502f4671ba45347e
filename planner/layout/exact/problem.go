package exact

// Unlimited is the capacity that asks for the least peak.
const Unlimited int64 = -1

// NoHint is the hint of a buffer without one.
const NoHint int64 = -1

// Span is a half-open range of steps [First, Last).
type Span struct{ First, Last int64 }

// Buffer is something to place.
type Buffer struct {
	// Size in bytes, 0 or more. A buffer of size 0 overlaps nothing and is placed at 0 or at its pin.
	Size int64
	// Alignment in bytes that the offset is a multiple of; 0 counts as 1.
	Alignment int64
	// Live lists the half-open spans in which the buffer is live, ascending and disjoint. Between them its bytes are free
	// for others. It is ignored when the problem has explicit conflicts; without any span the buffer overlaps nothing.
	Live []Span
	// Pinned fixes the offset to Offset.
	Pinned bool
	Offset int64
	// Hint is an offset to start from, NoHint when there is none. Hints change which of several answers is found, never
	// what is proved.
	Hint int64
}

// Problem is one pool's worth of buffers.
type Problem struct {
	Buffers []Buffer
	// Conflicts, when not nil, replaces lifetimes: Conflicts[i] lists the buffers that may not overlap buffer i. One
	// direction is enough.
	Conflicts [][]int
}

// Options steer a search. The zero value is a sound choice.
type Options struct {
	// Nodes bounds the search; a node is one placement of one buffer tried. 0 stands for DefaultNodes.
	Nodes int64
	// Workers is how many goroutines search at once, 1 at least. It changes the time taken, never the result.
	Workers int
	// Incumbent, when not nil, is a known placement: one offset per buffer. It takes the place of the search's own first ones,
	// unless it does not hold: then it is ignored.
	Incumbent []int64
}

// Status says what is known about a result.
type Status uint8

// The statuses. Only an exhausted search says Infeasible, only a proof says Optimal; a search that ended with its budget
// says Unknown, or Feasible when it holds a placement.
const (
	Unknown Status = iota
	Infeasible
	Feasible
	Optimal
)

func (s Status) String() string {
	return [...]string{"unknown", "infeasible", "feasible", "optimal"}[s]
}

// Result is the outcome of a search.
type Result struct {
	Status Status
	// Offsets has one entry per buffer when Status is Feasible or Optimal, else it is nil.
	Offsets []int64
	// Peak is max(offset+size) in bytes over the buffers that occupy memory; 0 without a placement.
	Peak int64
	// Bound is the best proved lower bound of any placement's peak, in bytes.
	Bound int64
	// Nodes counts what the result rests on; speculative work that was thrown away is not in it.
	Nodes int64
	// Interrupted says that the context ended the search, so that the result may differ from run to run.
	Interrupted bool
}
