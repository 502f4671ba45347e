package array

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// number is a Go type that kernels calculate with.
type number interface {
	float32 | float64 | integer
}

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// numeric is arithmetic on the elements of one type. Its only implementation is of; the interface turns an element type
// known at run time into one known to the compiler.
type numeric interface {
	zip(name string, out, a, b *Array) error
	compare(name string, out, a, b *Array) error
	gatherSum(name string, out *Array, inputs []*Array) error
	unary(name string, p params, out, in *Array) error
	clip(lo, hi *Array, out, in *Array) error
	prelu(out, in, slope *Array) error
	scatter(reduction string, out, updates *Array, offsets []int, size int) error
	cumulate(out, in *Array, axis int, exclusive, backwards bool)
	reduce(name string, out, in *Array, reduced []bool) error
	argument(out, in *Array, axis int, least, last bool) error
	top(values, index, in *Array, axis, k int, largest bool)
	hardmax(out, in *Array, axis int)
}

// of is arithmetic on elements of type T with sums of type A.
type of[T, A number] struct{}

// numericOf returns the arithmetic of the element type. Halves have none: kernels see them as float32.
func numericOf(d graph.DType) (numeric, error) {
	switch d {
	case graph.Float32:
		return of[float32, float64]{}, nil
	case graph.Float64:
		return of[float64, float64]{}, nil
	case graph.Int8:
		return of[int8, int64]{}, nil
	case graph.Int16:
		return of[int16, int64]{}, nil
	case graph.Int32:
		return of[int32, int64]{}, nil
	case graph.Int64:
		return of[int64, int64]{}, nil
	case graph.Uint8:
		return of[uint8, uint64]{}, nil
	case graph.Uint16:
		return of[uint16, uint64]{}, nil
	case graph.Uint32:
		return of[uint32, uint64]{}, nil
	case graph.Uint64:
		return of[uint64, uint64]{}, nil
	}
	return nil, fmt.Errorf("there is no arithmetic on %v", d)
}

// whole is what only integers have.
type whole interface {
	zipWhole(name string, out, a, b *Array) error
	invert(out, in *Array)
	hasZero(a *Array) bool
}

type wholeOf[T integer] struct{}

// wholeFor returns the integer arithmetic of the element type, nil for others.
func wholeFor(d graph.DType) whole {
	switch d {
	case graph.Int8:
		return wholeOf[int8]{}
	case graph.Int16:
		return wholeOf[int16]{}
	case graph.Int32:
		return wholeOf[int32]{}
	case graph.Int64:
		return wholeOf[int64]{}
	case graph.Uint8:
		return wholeOf[uint8]{}
	case graph.Uint16:
		return wholeOf[uint16]{}
	case graph.Uint32:
		return wholeOf[uint32]{}
	case graph.Uint64:
		return wholeOf[uint64]{}
	}
	return nil
}
