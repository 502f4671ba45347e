package layout

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// ErrInvalid is wrapped by every error about a problem that no algorithm can read.
var ErrInvalid = errors.New("invalid layout problem")

// ErrTooLarge is wrapped by the errors about a buffer that no offset below 2^63 can take, whatever the pools' sizes.
var ErrTooLarge = errors.New("ends beyond 2^63-1 bytes")

// Validate reports the first thing that makes the problem unreadable: a negative size or capacity, an alignment below 1,
// a lifetime that ends before it starts, gaps out of order or beyond the lifetime or the size, a buffer without candidates, an index that names nothing, or totals beyond
// 2^63-1 bytes. A problem that merely cannot be placed is valid. It costs O(buffers + gaps + candidates + conflicts).
func (p *Problem) Validate() error {
	for i, pool := range p.Pools {
		if pool.Capacity < Unlimited {
			return fmt.Errorf("%w: pool %d has capacity %d", ErrInvalid, i, pool.Capacity)
		}
		if pool.Alignment < 1 {
			return fmt.Errorf("%w: pool %d has alignment %d", ErrInvalid, i, pool.Alignment)
		}
	}
	if len(p.Buffers) > math.MaxInt32 || len(p.Pools) > math.MaxInt32 {
		return fmt.Errorf("%w: more than %d buffers or pools", ErrInvalid, math.MaxInt32)
	}
	var total int64
	for i := range p.Buffers {
		need, err := p.Weigh(i)
		if err != nil {
			return fmt.Errorf("%w: buffer %d %w", ErrInvalid, i, err)
		}
		if total > math.MaxInt64-need {
			return fmt.Errorf("%w: sizes and alignments exceed 2^63-1 bytes in all", ErrInvalid)
		}
		total += need
	}
	return p.validateConflicts()
}

// Weigh returns the most bytes by which buffer i can raise a pool's peak. The error, which reads on from the buffer's
// name, says why no algorithm can read it; a problem is valid when all its pools and buffers are and their weights come to
// less than 2^63.
func (p *Problem) Weigh(i int) (int64, error) {
	b := &p.Buffers[i]
	switch {
	case b.Size < 0:
		return 0, fmt.Errorf("has size %d", b.Size)
	case b.Alignment < 1:
		return 0, fmt.Errorf("has alignment %d", b.Alignment)
	case b.Live.First > b.Live.Last || b.Live.Last-b.Live.First < 0:
		return 0, fmt.Errorf("lives from step %d to step %d", b.Live.First, b.Live.Last)
	case !b.gapsInOrder():
		return 0, errors.New("has gaps out of order or beyond its lifetime or size")
	case len(b.Pools) == 0:
		return 0, errors.New("has no candidate pool")
	case b.Pinned && b.Offset < 0:
		return 0, fmt.Errorf("is pinned at offset %d", b.Offset)
	}
	widest := int64(1)
	for _, k := range b.Pools {
		if k < 0 || k >= len(p.Pools) {
			return 0, fmt.Errorf("names pool %d of %d", k, len(p.Pools))
		}
		align, ok := lcm(b.Alignment, p.Pools[k].Alignment)
		if !ok {
			return 0, fmt.Errorf("%w with its alignment of %d and the pool's of %d", ErrTooLarge, b.Alignment, p.Pools[k].Alignment)
		}
		widest = max(widest, align)
	}
	need, room := b.Size, int64(math.MaxInt64)-b.Size
	if b.Pinned {
		if b.Offset > room {
			return 0, ErrTooLarge
		}
		need, room = need+b.Offset, room-b.Offset
	}
	if widest-1 > room {
		return 0, fmt.Errorf("%w once aligned", ErrTooLarge)
	}
	return need + widest - 1, nil
}

func (b *Buffer) gapsInOrder() bool {
	at := b.Live.First
	for _, gap := range b.Gaps {
		if gap.First < at || gap.First >= gap.Last || gap.Last > b.Live.Last || gap.From < 0 || gap.From > gap.To || gap.To > b.Size {
			return false
		}
		at = gap.First
	}
	return true
}

func (p *Problem) validateConflicts() error {
	if p.Conflicts == nil {
		return nil
	}
	if len(p.Conflicts) != len(p.Buffers) {
		return fmt.Errorf("%w: %d conflict lists for %d buffers", ErrInvalid, len(p.Conflicts), len(p.Buffers))
	}
	for i, list := range p.Conflicts {
		for _, j := range list {
			if j < 0 || j >= len(p.Buffers) {
				return fmt.Errorf("%w: buffer %d conflicts with buffer %d of %d", ErrInvalid, i, j, len(p.Buffers))
			}
		}
	}
	return nil
}

// lcm is the least common multiple of two positive numbers; false when it exceeds 2^63-1.
func lcm(a, b int64) (int64, bool) {
	if b == 1 || a%b == 0 {
		return a, true
	}
	if b%a == 0 {
		return b, true
	}
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	hi, lo := bits.Mul64(uint64(a/x), uint64(b))
	return int64(lo), hi == 0 && lo <= math.MaxInt64
}

// alignUp is the smallest multiple of align that is at least x.
func alignUp(x, align int64) int64 {
	if align&(align-1) == 0 {
		return (x + align - 1) &^ (align - 1)
	}
	if rest := x % align; rest != 0 {
		return x + align - rest
	}
	return x
}
