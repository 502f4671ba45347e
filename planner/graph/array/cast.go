package array

import (
	"fmt"
	"math"

	"github.com/memplan/memplan/planner/graph"
)

// castKernels convert elements.
var castKernels = map[string]entry{
	"Cast":     {kernel: cast, needed: 1, most: 1, outputs: 1},
	"CastLike": {kernel: cast, needed: 1, most: 2, outputs: 1},
}

func cast(_ *graph.Op, outputs, inputs []*Array) error {
	if err := wantShape(outputs[0], dims(inputs[0].Shape)); err != nil {
		return err
	}
	return convert(outputs[0], inputs[0])
}

// convert sets the elements of dst, as many as src has, to those of src. Floats become integers by truncation, clamped
// to the range of the type, and NaN becomes 0; wider integers lose their upper bits; everything but 0 is true; floats
// are rounded to nearest, ties to even.
func convert(dst, src *Array) error {
	if dst.DType == src.DType {
		copy(dst.Data, src.Data)
		return nil
	}
	src = aligned(src)
	if dst.DType == graph.Float32 && src.DType == graph.Float16 {
		d := View[float32](dst)
		for i, bits := range View[uint16](src) {
			d[i] = float16Value(bits)
		}
		return nil
	}
	switch {
	case src.DType.IsFloat():
		return convertBy(dst, src, loadFloats, storeFloats)
	case src.DType == graph.Uint64:
		return convertBy(dst, src, loadIntegers[uint64], storeIntegers[uint64])
	}
	return convertBy(dst, src, loadIntegers[int64], storeIntegers[int64])
}

// convertBy converts in pieces through the type M, which holds every value of the source exactly.
func convertBy[M number](dst, src *Array, load func([]M, *Array, int) bool, store func(*Array, int, []M) bool) error {
	n := len(src.Data) / int(src.DType.Size())
	var buffer [512]M
	for at := 0; at < n; at += len(buffer) {
		piece := buffer[:min(len(buffer), n-at)]
		if !load(piece, src, at) || !store(dst, at, piece) {
			return fmt.Errorf("%v cannot be converted to %v", src.DType, dst.DType)
		}
	}
	return nil
}

func loadFloats(to []float64, src *Array, at int) bool {
	switch src.DType {
	case graph.Float32:
		numbers(to, View[float32](src)[at:])
	case graph.Float64:
		copy(to, View[float64](src)[at:])
	case graph.Float16:
		for i, bits := range View[uint16](src)[at : at+len(to)] {
			to[i] = float64(float16Value(bits))
		}
	case graph.BFloat16:
		for i, bits := range View[uint16](src)[at : at+len(to)] {
			to[i] = float64(bfloat16Value(bits))
		}
	default:
		return false
	}
	return true
}

func loadIntegers[M int64 | uint64](to []M, src *Array, at int) bool {
	switch src.DType {
	case graph.Int8:
		numbers(to, View[int8](src)[at:])
	case graph.Int16:
		numbers(to, View[int16](src)[at:])
	case graph.Int32:
		numbers(to, View[int32](src)[at:])
	case graph.Int64:
		numbers(to, View[int64](src)[at:])
	case graph.Uint8, graph.Bool:
		numbers(to, View[uint8](src)[at:])
	case graph.Uint16:
		numbers(to, View[uint16](src)[at:])
	case graph.Uint32:
		numbers(to, View[uint32](src)[at:])
	case graph.Uint64:
		numbers(to, View[uint64](src)[at:])
	default:
		return false
	}
	return true
}

// numbers converts as many elements as to has by Go's rules.
func numbers[D, S number](to []D, from []S) {
	for i, v := range from[:len(to)] {
		to[i] = D(v)
	}
}

func storeIntegers[M int64 | uint64](dst *Array, at int, from []M) bool {
	switch dst.DType {
	case graph.Float32:
		numbers(View[float32](dst)[at:at+len(from)], from)
	case graph.Float64:
		numbers(View[float64](dst)[at:at+len(from)], from)
	case graph.Int8:
		numbers(View[int8](dst)[at:at+len(from)], from)
	case graph.Int16:
		numbers(View[int16](dst)[at:at+len(from)], from)
	case graph.Int32:
		numbers(View[int32](dst)[at:at+len(from)], from)
	case graph.Int64:
		numbers(View[int64](dst)[at:at+len(from)], from)
	case graph.Uint8:
		numbers(View[uint8](dst)[at:at+len(from)], from)
	case graph.Uint16:
		numbers(View[uint16](dst)[at:at+len(from)], from)
	case graph.Uint32:
		numbers(View[uint32](dst)[at:at+len(from)], from)
	case graph.Uint64:
		numbers(View[uint64](dst)[at:at+len(from)], from)
	default:
		return storeOther(dst, at, from)
	}
	return true
}

func storeFloats(dst *Array, at int, from []float64) bool {
	switch dst.DType {
	case graph.Float32:
		numbers(View[float32](dst)[at:at+len(from)], from)
	case graph.Float64:
		numbers(View[float64](dst)[at:at+len(from)], from)
	case graph.Int8:
		clamped(View[int8](dst)[at:at+len(from)], from)
	case graph.Int16:
		clamped(View[int16](dst)[at:at+len(from)], from)
	case graph.Int32:
		clamped(View[int32](dst)[at:at+len(from)], from)
	case graph.Int64:
		clamped(View[int64](dst)[at:at+len(from)], from)
	case graph.Uint8:
		clamped(View[uint8](dst)[at:at+len(from)], from)
	case graph.Uint16:
		clamped(View[uint16](dst)[at:at+len(from)], from)
	case graph.Uint32:
		clamped(View[uint32](dst)[at:at+len(from)], from)
	case graph.Uint64:
		clamped(View[uint64](dst)[at:at+len(from)], from)
	default:
		return storeOther(dst, at, from)
	}
	return true
}

// storeOther stores into the types that Go has no arithmetic for.
func storeOther[M number](dst *Array, at int, from []M) bool {
	switch dst.DType {
	case graph.Bool:
		for i, v := range from {
			dst.Data[at+i] = truth(v != 0)
		}
	case graph.Float16:
		d := View[uint16](dst)[at:]
		for i, v := range from {
			d[i] = float16Bits(float64(v))
		}
	case graph.BFloat16:
		d := View[uint16](dst)[at:]
		for i, v := range from {
			d[i] = bfloat16Bits(float64(v))
		}
	default:
		return false
	}
	return true
}

func truth(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// clamped truncates towards 0 and clamps to the range of D; NaN becomes 0.
func clamped[D integer](to []D, from []float64) {
	low, high := limits[D]()
	// Converting the upper limit of a 64-bit type rounds it up, to a value that D no longer holds.
	least, beyond := float64(low), float64(high)
	for i, v := range from {
		switch {
		case v >= beyond:
			to[i] = high
		case v <= least:
			to[i] = low
		case v != v:
			to[i] = 0
		default:
			to[i] = D(v)
		}
	}
}

// limits returns the least and the greatest value of D: the infinities for a float.
func limits[D number]() (low, high D) {
	both := func(low, high any) (D, D) { return low.(D), high.(D) }
	switch any(low).(type) {
	case float32:
		return both(float32(math.Inf(-1)), float32(math.Inf(1)))
	case float64:
		return both(math.Inf(-1), math.Inf(1))
	case int8:
		return both(int8(math.MinInt8), int8(math.MaxInt8))
	case int16:
		return both(int16(math.MinInt16), int16(math.MaxInt16))
	case int32:
		return both(int32(math.MinInt32), int32(math.MaxInt32))
	case int64:
		return both(int64(math.MinInt64), int64(math.MaxInt64))
	case uint8:
		return both(uint8(0), uint8(math.MaxUint8))
	case uint16:
		return both(uint16(0), uint16(math.MaxUint16))
	case uint32:
		return both(uint32(0), uint32(math.MaxUint32))
	}
	return both(uint64(0), uint64(math.MaxUint64))
}
