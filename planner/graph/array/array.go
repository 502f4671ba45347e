package array

import (
	"fmt"
	"math"
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// MaxBytes is the largest array that New allocates: 64 GiB, or what an int can count where that is less.
const MaxBytes = min(int64(1)<<36, int64(math.MaxInt))

// Array is a dense tensor: Data holds the elements of Shape in row-major order, little-endian. A bool is one byte, 0
// or 1.
type Array struct {
	DType graph.DType
	Shape graph.Shape
	Data  []byte
}

// Type is what is known of an array without its content.
type Type struct {
	DType graph.DType
	Shape graph.Shape
}

// String writes the type as in "float32 [1, 8, 14, 14]".
func (t Type) String() string { return t.DType.String() + " " + t.Shape.String() }

// New returns an array of zeros, aligned for its element type. It returns nil when the shape is not known, the element
// type is invalid or the size exceeds MaxBytes: callers with shapes from a file bound the size before.
func New(t Type) *Array {
	n, ok := t.Shape.Bytes(t.DType)
	if !ok || n > MaxBytes {
		return nil
	}
	return &Array{DType: t.DType, Shape: t.Shape, Data: make([]byte, n)}
}

// Of returns an array of the values in row-major order; the element type is the values' own. It fails when their number
// is not that of the shape's elements.
func Of[T Value](shape graph.Shape, values ...T) (*Array, error) {
	if n, ok := shape.Elements(); !ok || n != int64(len(values)) {
		return nil, fmt.Errorf("shape %v does not hold %d values", shape, len(values))
	}
	a := New(Type{dtypeOf[T](), slices.Clone(shape)})
	if shape != nil && a.Shape == nil {
		a.Shape = graph.Shape{}
	}
	for i, v := range values {
		put(a.Data, i, v)
	}
	return a, nil
}

// Type returns the element type and the shape.
func (a *Array) Type() Type { return Type{a.DType, a.Shape} }

// check fails when Data does not hold the elements of Shape. An absent array is fine.
func (a *Array) check() error {
	if a == nil {
		return nil
	}
	if n, ok := a.Shape.Bytes(a.DType); !ok || n != int64(len(a.Data)) {
		return fmt.Errorf("%s does not match %d bytes of data", a.Type(), len(a.Data))
	}
	return nil
}
