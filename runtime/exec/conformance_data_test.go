package exec_test

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"google.golang.org/protobuf/encoding/protowire"
)

// onnxTypes are the element types by ONNX's number.
var onnxTypes = map[uint64]graph.DType{
	1: graph.Float32, 2: graph.Uint8, 3: graph.Int8, 4: graph.Uint16, 5: graph.Int16, 6: graph.Int32, 7: graph.Int64, 9: graph.Bool,
	10: graph.Float16, 11: graph.Float64, 12: graph.Uint32, 13: graph.Uint64, 14: graph.Complex64, 15: graph.Complex128, 16: graph.BFloat16,
}

// decodeTensor reads a TensorProto.
func decodeTensor(msg []byte) (*array.Array, error) {
	a := &array.Array{Shape: graph.Shape{}}
	var values []uint64
	width := map[protowire.Number]int{4: 4, 10: 8}
	for len(msg) > 0 {
		field, kind, n := protowire.ConsumeTag(msg)
		if n < 0 {
			return nil, errUnsupportedData
		}
		msg = msg[n:]
		size := protowire.ConsumeFieldValue(field, kind, msg)
		if size < 0 {
			return nil, errUnsupportedData
		}
		value := msg[:size]
		msg = msg[size:]
		number, packed := uint64(0), []byte(nil)
		switch kind {
		case protowire.VarintType:
			number, _ = protowire.ConsumeVarint(value)
		case protowire.BytesType:
			packed, _ = protowire.ConsumeBytes(value)
		}
		switch field {
		case 1:
			for _, d := range numbers(kind, value, packed, 0) {
				a.Shape = append(a.Shape, int64(d))
			}
		case 2:
			dtype, ok := onnxTypes[number]
			if !ok || kind != protowire.VarintType {
				return nil, errUnsupportedData
			}
			a.DType = dtype
		case 4, 5, 7, 10, 11:
			values = append(values, numbers(kind, value, packed, width[field])...)
		case 9:
			a.Data = append([]byte{}, packed...)
		}
	}
	return a, fillTensor(a, values)
}

// numbers reads a repeated number field, packed or not; width 0 means varints.
func numbers(kind protowire.Type, value, packed []byte, width int) []uint64 {
	if kind != protowire.BytesType {
		packed = value
	}
	var list []uint64
	for len(packed) > 0 {
		switch width {
		case 0:
			v, n := protowire.ConsumeVarint(packed)
			if n < 0 {
				return list
			}
			list, packed = append(list, v), packed[n:]
		case 4:
			if len(packed) < 4 {
				return list
			}
			list, packed = append(list, uint64(binary.LittleEndian.Uint32(packed))), packed[4:]
		default:
			if len(packed) < 8 {
				return list
			}
			list, packed = append(list, binary.LittleEndian.Uint64(packed)), packed[8:]
		}
	}
	return list
}

// fillTensor stores typed values and checks the size.
func fillTensor(a *array.Array, values []uint64) error {
	bytes, ok := a.Shape.Bytes(a.DType)
	if !ok {
		return errUnsupportedData
	}
	if len(values) > 0 {
		item := int(a.DType.Size())
		for _, v := range values {
			var buffer [16]byte
			binary.LittleEndian.PutUint64(buffer[:], v)
			if a.DType == graph.Complex64 {
				item = 4
			}
			a.Data = append(a.Data, buffer[:item]...)
		}
	}
	if a.Data == nil {
		a.Data = []byte{}
	}
	if int64(len(a.Data)) != bytes {
		return fmt.Errorf("%w: %d bytes for %v %v", errUnsupportedData, len(a.Data), a.DType, a.Shape)
	}
	return nil
}

// compareArrays says how two arrays differ beyond the tolerance of the ONNX backend tests.
func compareArrays(got, want *array.Array) string {
	if got == nil {
		return "is missing"
	}
	if got.DType == graph.BFloat16 && want.DType == graph.Uint16 {
		want.DType = graph.BFloat16
	}
	if got.DType != want.DType {
		return fmt.Sprintf("is %v and not %v", got.DType, want.DType)
	}
	if !got.Shape.Equal(want.Shape) {
		return "has another shape"
	}
	g, err := got.Floats()
	if err != nil {
		return err.Error()
	}
	w, err := want.Floats()
	if err != nil {
		return err.Error()
	}
	absolute, relative := 1e-7, 1e-3
	switch want.DType {
	case graph.Float16:
		absolute = 1e-3
	case graph.BFloat16:
		absolute, relative = 1e-3, 1e-2
	}
	for i := range w {
		if g[i] == w[i] || math.IsNaN(g[i]) && math.IsNaN(w[i]) {
			continue
		}
		if !(math.Abs(g[i]-w[i]) <= absolute+relative*math.Abs(w[i])) {
			return "differs"
		}
	}
	return ""
}
