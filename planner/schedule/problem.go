package schedule

import "fmt"

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

// Reuse says that the buffer To may share Bytes bytes of the buffer From when the op is the last to touch From and the first
// to touch To.
type Reuse struct {
	From, To int
	Bytes    int64
}

// Problem is a set of ops with the buffers that they touch. A buffer that no op touches does not count.
type Problem struct {
	Buffers []Buffer
	Ops     []Op
}

// Validate reports the first index that does not exist or size that is negative.
func (p *Problem) Validate() error {
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
			if r.From < 0 || r.To < 0 || r.From >= len(p.Buffers) || r.To >= len(p.Buffers) || r.Bytes < 0 {
				return fmt.Errorf("op %d reuses %d bytes of buffer %d for buffer %d", i, r.Bytes, r.From, r.To)
			}
		}
		if op.Scratch < 0 {
			return fmt.Errorf("op %d has %d bytes of scratch memory", i, op.Scratch)
		}
	}
	return nil
}
