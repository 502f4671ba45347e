package main

import (
	"encoding/binary"
	"math"

	"github.com/x448/float16"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// distance is how far an array is from what was expected.
type distance struct {
	// largest is the largest absolute difference, +Inf where a NaN or an infinity stands alone.
	largest float64
	// outside counts the elements beyond the tolerance, of elements in all.
	outside, elements int64
	// at is the position of the largest difference, outermost axis first, with both values.
	at        graph.Shape
	got, want float64
}

// difference compares two arrays of one type and shape, element by element: got is close enough to want when
// |got - want| <= atol + rtol·|want|. Equal infinities and two NaNs are equal.
func difference(got, want *array.Array, atol, rtol float64) distance {
	d := distance{}
	size := int(got.DType.Size())
	for i := range len(got.Data) / size {
		a, b := element(got.DType, got.Data[i*size:]), element(want.DType, want.Data[i*size:])
		off := math.Abs(a - b)
		switch {
		case a == b || math.IsNaN(a) && math.IsNaN(b):
			off = 0
		case math.IsNaN(off):
			off = math.Inf(1)
		}
		// The tolerance around an infinity is infinite or no number at all: it excuses nothing.
		if off > 0 && (math.IsInf(off, 1) || !(off <= atol+rtol*math.Abs(b))) {
			d.outside++
		}
		if off > d.largest || i == 0 {
			d.largest, d.at, d.got, d.want = off, position(i, got.Shape), a, b
		}
		d.elements++
	}
	return d
}

// element reads one element as a float64; of a complex one it takes the real part, and large integers are rounded.
func element(t graph.DType, data []byte) float64 {
	little := binary.LittleEndian
	switch t {
	case graph.Float64, graph.Complex128:
		return math.Float64frombits(little.Uint64(data))
	case graph.Float16:
		return float64(float16.Frombits(little.Uint16(data)).Float32())
	case graph.BFloat16:
		return float64(math.Float32frombits(uint32(little.Uint16(data)) << 16))
	case graph.Int8:
		return float64(int8(data[0]))
	case graph.Uint8, graph.Bool:
		return float64(data[0])
	case graph.Int16:
		return float64(int16(little.Uint16(data)))
	case graph.Uint16:
		return float64(little.Uint16(data))
	case graph.Int32:
		return float64(int32(little.Uint32(data)))
	case graph.Uint32:
		return float64(little.Uint32(data))
	case graph.Int64:
		return float64(int64(little.Uint64(data)))
	case graph.Uint64:
		return float64(little.Uint64(data))
	}
	return float64(math.Float32frombits(little.Uint32(data)))
}

// position turns the index of an element into one index for each axis.
func position(i int, shape graph.Shape) graph.Shape {
	at := make(graph.Shape, len(shape))
	for axis := len(shape) - 1; axis >= 0; axis-- {
		at[axis] = int64(i) % shape[axis]
		i /= int(shape[axis])
	}
	return at
}
