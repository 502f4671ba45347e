package onnx

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// elemType is TensorProto.DataType.
type elemType int64

// elemTypes has the element types of ONNX by number. Those without a DType are known by name only and refused.
var elemTypes = [...]struct {
	name  string
	dtype graph.DType
}{
	0:  {"undefined", graph.InvalidDType},
	1:  {"float", graph.Float32},
	2:  {"uint8", graph.Uint8},
	3:  {"int8", graph.Int8},
	4:  {"uint16", graph.Uint16},
	5:  {"int16", graph.Int16},
	6:  {"int32", graph.Int32},
	7:  {"int64", graph.Int64},
	8:  {"string", graph.InvalidDType},
	9:  {"bool", graph.Bool},
	10: {"float16", graph.Float16},
	11: {"double", graph.Float64},
	12: {"uint32", graph.Uint32},
	13: {"uint64", graph.Uint64},
	14: {"complex64", graph.Complex64},
	15: {"complex128", graph.Complex128},
	16: {"bfloat16", graph.BFloat16},
	17: {"float8e4m3fn", graph.InvalidDType},
	18: {"float8e4m3fnuz", graph.InvalidDType},
	19: {"float8e5m2", graph.InvalidDType},
	20: {"float8e5m2fnuz", graph.InvalidDType},
	21: {"uint4", graph.InvalidDType},
	22: {"int4", graph.InvalidDType},
	23: {"float4e2m1", graph.InvalidDType},
	24: {"float8e8m0", graph.InvalidDType},
	25: {"uint2", graph.InvalidDType},
	26: {"int2", graph.InvalidDType},
}

// dtype returns the graph's type, InvalidDType for one that graphs cannot hold.
func (e elemType) dtype() graph.DType {
	if e < 0 || int(e) >= len(elemTypes) {
		return graph.InvalidDType
	}
	return elemTypes[e].dtype
}

// String returns ONNX's name of the type, "type 99" for an unknown number.
func (e elemType) String() string {
	if e < 0 || int(e) >= len(elemTypes) {
		return fmt.Sprintf("type %d", int64(e))
	}
	return elemTypes[e].name
}
