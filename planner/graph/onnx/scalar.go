package onnx

import (
	"encoding/binary"
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/x448/float16"
)

// scalarLikeData returns v as a scalar of the element type of the op's first input. A type that is not known is taken
// for float32, the only one that old models are found with.
func (o *older) scalarLikeData(v float32) *graph.AttrTensor {
	d := o.im.elemOf(o.op, 0)
	if !d.IsFloat() {
		d = graph.Float32
	}
	return &graph.AttrTensor{DType: d, Shape: graph.Shape{}, Data: graph.Bytes(floatBytes(v, d))}
}

// floatBytes encodes v as an element of the floating-point type d, rounded to the nearest one.
func floatBytes(v float32, d graph.DType) []byte {
	switch d {
	case graph.Float16:
		return binary.LittleEndian.AppendUint16(nil, float16.Fromfloat32(v).Bits())
	case graph.BFloat16:
		return binary.LittleEndian.AppendUint16(nil, bfloat16Bits(v))
	case graph.Float64:
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(float64(v)))
	}
	return binary.LittleEndian.AppendUint32(nil, math.Float32bits(v))
}

// bfloat16Bits rounds to the nearest, ties to even. A NaN keeps its upper half and stays one.
func bfloat16Bits(v float32) uint16 {
	bits := math.Float32bits(v)
	if v != v {
		return uint16(bits>>16) | 0x40
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}
