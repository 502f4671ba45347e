package graph

import (
	"math"
	"strconv"
	"strings"
)

// Unknown is the size of an axis that is not known until its dimension is bound or inferred.
const Unknown int64 = -1

// Shape is the extent of each axis, outermost first, in elements. A nil Shape has unknown rank; an empty one that is
// not nil is a scalar. After the shape stage no shape is nil and no axis is Unknown.
type Shape []int64

// Known reports whether the rank and each axis are known.
func (s Shape) Known() bool {
	if s == nil {
		return false
	}
	for _, n := range s {
		if n < 0 {
			return false
		}
	}
	return true
}

// Elements returns the number of elements, 1 for a scalar. The second result is false when an axis is unknown or the
// product exceeds 2^63-1.
func (s Shape) Elements() (int64, bool) {
	if !s.Known() {
		return 0, false
	}
	total := int64(1)
	for _, n := range s {
		if n == 0 {
			return 0, true
		}
	}
	for _, n := range s {
		if total > math.MaxInt64/n {
			return 0, false
		}
		total *= n
	}
	return total, true
}

// Bytes returns the bytes of a dense tensor of element type d, without padding. The second result is false when the
// shape is not known or the size exceeds 2^63-1.
func (s Shape) Bytes(d DType) (int64, bool) {
	n, ok := s.Elements()
	if !ok || d.Size() == 0 || n > math.MaxInt64/d.Size() {
		return 0, false
	}
	return n * d.Size(), true
}

// Equal reports whether both shapes have the same rank and the same axes.
func (s Shape) Equal(o Shape) bool {
	if len(s) != len(o) || (s == nil) != (o == nil) {
		return false
	}
	for i := range s {
		if s[i] != o[i] {
			return false
		}
	}
	return true
}

// Clone returns a copy that shares nothing with s and is nil only when s is.
func (s Shape) Clone() Shape {
	if s == nil {
		return nil
	}
	return append(make(Shape, 0, len(s)), s...)
}

// String writes the shape as in "[1, 32, ?, 64]"; unknown rank is "[...]".
func (s Shape) String() string {
	if s == nil {
		return "[...]"
	}
	parts := make([]string, len(s))
	for i, n := range s {
		if n < 0 {
			parts[i] = "?"
			continue
		}
		parts[i] = strconv.FormatInt(n, 10)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
