package host

import (
	"encoding/binary"
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/x448/float16"
)

// widenings turn the elements of a float type into float32; float64 is rounded to the nearest, ties to even.
var widenings = map[graph.DType]func(dst []float32, src []byte){
	graph.Float16: func(dst []float32, src []byte) {
		for i := range dst {
			dst[i] = float16.Frombits(binary.LittleEndian.Uint16(src[2*i:])).Float32()
		}
	},
	graph.BFloat16: func(dst []float32, src []byte) {
		for i := range dst {
			dst[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(src[2*i:])) << 16)
		}
	},
	graph.Float64: func(dst []float32, src []byte) {
		for i := range dst {
			dst[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:])))
		}
	},
}

// narrowings are the reverse; they round to the nearest, ties to even.
var narrowings = map[graph.DType]func(dst []byte, src []float32){
	graph.Float16: func(dst []byte, src []float32) {
		for i, v := range src {
			binary.LittleEndian.PutUint16(dst[2*i:], float16.Fromfloat32(v).Bits())
		}
	},
	graph.BFloat16: func(dst []byte, src []float32) {
		for i, v := range src {
			binary.LittleEndian.PutUint16(dst[2*i:], bfloat16(v))
		}
	},
	graph.Float64: func(dst []byte, src []float32) {
		for i, v := range src {
			binary.LittleEndian.PutUint64(dst[8*i:], math.Float64bits(float64(v)))
		}
	},
}

func bfloat16(v float32) uint16 {
	bits := math.Float32bits(v)
	if v != v {
		return uint16(bits>>16) | 0x40
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}
