package schedule

import (
	"fmt"
	"slices"
)

// Buffer is memory that is live from the first op that touches it to the last.
type Buffer struct {
	// Size in bytes.
	Size int64
	// Before says that the content is there before the first op, After that it must be there after the last.
	Before, After bool
}

// Op is one step to order.
type Op struct {
	// Needs are the ops that must run before, each a smaller index: the given order is a valid one.
	Needs []int
	// Touches are the buffers that the op reads or writes, each once.
	Touches []int
	// Scratch is the bytes that are live while the op runs and at no other time.
	Scratch int64
	// Reuses are the ways to take over bytes of an operand; at most one of them counts.
	Reuses []Reuse
}

// Reuse says that the buffers To may share Bytes bytes of the buffers From when no other op is still to touch any of From and
// none has touched any of To. The op may touch some of them only: then the rest of From is dead before it, and that of To
// born after it.
type Reuse struct {
	From, To []int
	Bytes    int64
}

// Problem is a set of ops with the buffers that they touch. A buffer that no op touches does not count.
type Problem struct {
	Buffers []Buffer
	Ops     []Op
	// First is the bytes that are live while the first op runs, whichever it is, and at no other time: of what no op reads.
	First int64
}

// Validate reports the first index that does not exist or size that is negative.
func (p *Problem) Validate() error {
	if p.First < 0 {
		return fmt.Errorf("%d bytes are live while the first op runs", p.First)
	}
	for i, b := range p.Buffers {
		if b.Size < 0 {
			return fmt.Errorf("buffer %d has the size %d", i, b.Size)
		}
	}
	for i := range p.Ops {
		op := &p.Ops[i]
		for _, n := range op.Needs {
			if n < 0 || n >= i {
				return fmt.Errorf("op %d needs op %d, which is not before it", i, n)
			}
		}
		for _, b := range op.Touches {
			if b < 0 || b >= len(p.Buffers) {
				return fmt.Errorf("op %d touches buffer %d, which does not exist", i, b)
			}
		}
		for _, r := range op.Reuses {
			if unknown := func(b int) bool { return b < 0 || b >= len(p.Buffers) }; r.Bytes < 0 || slices.ContainsFunc(r.From, unknown) || slices.ContainsFunc(r.To, unknown) {
				return fmt.Errorf("op %d reuses %d bytes of the buffers %v for the buffers %v", i, r.Bytes, r.From, r.To)
			}
		}
		if op.Scratch < 0 {
			return fmt.Errorf("op %d has %d bytes of scratch memory", i, op.Scratch)
		}
	}
	return nil
}
