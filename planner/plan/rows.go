package plan

import (
	"fmt"
	"math"
)

// Rows says that the elements of a tensor, in their order, are runs of Bytes bytes, each of which starts Stride bytes after the
// start of the one before.
type Rows struct {
	Bytes  int64 `json:"bytes"`
	Stride int64 `json:"stride"`
}

// Span is the bytes from the first of a tensor with so many bytes of elements to the last; false when they are no whole rows, when
// rows would overlap, and beyond 2^63-1. A tensor without rows is one run.
func (r *Rows) Span(logical int64) (int64, bool) {
	switch {
	case r == nil:
		return logical, true
	case r.Bytes < 1 || r.Stride <= r.Bytes || logical < 2*r.Bytes || logical%r.Bytes != 0:
		return 0, false
	}
	after := logical/r.Bytes - 1
	if r.Stride > (math.MaxInt64-r.Bytes)/after {
		return 0, false
	}
	return after*r.Stride + r.Bytes, true
}

// String is how they lie in words, as in "in rows of 64 bytes every 192"; "" for one run.
func (r *Rows) String() string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf("in rows of %d bytes every %d", r.Bytes, r.Stride)
}
