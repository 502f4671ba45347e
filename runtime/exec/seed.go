package exec

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/x448/float16"
)

// Seed makes a reproducible input. Element i, in row-major order, comes from the 64-bit number z(i) that the SplitMix64
// generator gives at position i+1 of the stream that starts at seed:
//
//	z = seed + (i+1)·0x9E3779B97F4A7C15   (all modulo 2^64)
//	z = (z xor z>>30)·0xBF58476D1CE4E5B9
//	z = (z xor z>>27)·0x94D049BB133111EB
//	z =  z xor z>>31
//
// A float element is (z>>40)/2^24, in [0, 1) and exact in float32; a narrower float is that number rounded to nearest
// even. An integer element is z>>40 modulo 128, a bool is the lowest bit of z>>40. It fails for complex types and sizes
// that cannot be allocated.
func Seed(seed int64, shape graph.Shape, dtype graph.DType) (*array.Array, error) {
	a := array.New(array.Type{DType: dtype, Shape: shape.Clone()})
	if a == nil {
		return nil, fmt.Errorf("an array of %v %v cannot be allocated", dtype, shape)
	}
	put, err := writer(dtype)
	if err != nil {
		return nil, err
	}
	size := int(dtype.Size())
	for i := range len(a.Data) / size {
		put(a.Data[i*size:], uint32(splitMix(uint64(seed), uint64(i))>>40))
	}
	return a, nil
}

func splitMix(seed, i uint64) uint64 {
	z := seed + (i+1)*0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// writer returns how an element is made from 24 random bits.
func writer(dtype graph.DType) (func(to []byte, bits uint32), error) {
	little := binary.LittleEndian
	unit := func(bits uint32) float32 { return float32(bits) / (1 << 24) }
	switch dtype {
	case graph.Float32:
		return func(to []byte, bits uint32) { little.PutUint32(to, math.Float32bits(unit(bits))) }, nil
	case graph.Float64:
		return func(to []byte, bits uint32) { little.PutUint64(to, math.Float64bits(float64(unit(bits)))) }, nil
	case graph.Float16:
		return func(to []byte, bits uint32) { little.PutUint16(to, float16.Fromfloat32(unit(bits)).Bits()) }, nil
	case graph.BFloat16:
		return func(to []byte, bits uint32) {
			v := math.Float32bits(unit(bits))
			little.PutUint16(to, uint16((v+0x7fff+v>>16&1)>>16))
		}, nil
	case graph.Bool:
		return func(to []byte, bits uint32) { to[0] = byte(bits & 1) }, nil
	case graph.Int8, graph.Uint8:
		return func(to []byte, bits uint32) { to[0] = byte(bits & 127) }, nil
	case graph.Int16, graph.Uint16:
		return func(to []byte, bits uint32) { little.PutUint16(to, uint16(bits&127)) }, nil
	case graph.Int32, graph.Uint32:
		return func(to []byte, bits uint32) { little.PutUint32(to, bits&127) }, nil
	case graph.Int64, graph.Uint64:
		return func(to []byte, bits uint32) { little.PutUint64(to, uint64(bits&127)) }, nil
	}
	return nil, fmt.Errorf("no random elements are made for type %v", dtype)
}
