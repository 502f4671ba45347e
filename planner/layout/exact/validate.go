package exact

import (
	"errors"
	"fmt"
	"math"
)

// ErrMalformed is wrapped by the errors of problems that mean nothing.
var ErrMalformed = errors.New("malformed problem")

// validate refuses what the search could not count with.
func (p *Problem) validate() error {
	sum := int64(0)
	for i, b := range p.Buffers {
		if b.Size < 0 || b.Alignment < 0 || b.Pinned && b.Offset < 0 {
			return fmt.Errorf("%w: buffer %d has size %d, alignment %d, offset %d", ErrMalformed, i, b.Size, b.Alignment, b.Offset)
		}
		for k := 1; k < len(b.Live); k++ {
			if b.Live[k].First < b.Live[k-1].Last {
				return fmt.Errorf("%w: the spans of buffer %d are not in order", ErrMalformed, i)
			}
		}
		for _, v := range []int64{b.Size, b.Alignment, b.Alignment, max(0, b.Offset)} {
			if v > math.MaxInt64/8-sum {
				return fmt.Errorf("%w: sizes, alignments and offsets add up to more than 2^60", ErrMalformed)
			}
			sum += v
		}
	}
	if p.Conflicts != nil && len(p.Conflicts) != len(p.Buffers) {
		return fmt.Errorf("%w: %d buffers have %d rows of conflicts", ErrMalformed, len(p.Buffers), len(p.Conflicts))
	}
	for i, row := range p.Conflicts {
		for _, other := range row {
			if other < 0 || other >= len(p.Buffers) {
				return fmt.Errorf("%w: buffer %d conflicts with buffer %d, which does not exist", ErrMalformed, i, other)
			}
		}
	}
	return nil
}
