package onnx

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// attrKind is AttributeProto.AttributeType.
type attrKind int64

const (
	attrUndefined attrKind = iota
	attrFloat
	attrInt
	attrString
	attrTensor
	attrGraph
	attrFloats
	attrInts
	attrStrings
	attrTensors
	attrGraphs
	attrSparseTensor
	attrSparseTensors
	attrType
	attrTypes
)

// attrFields maps the number of a value field of AttributeProto to the kind it belongs to, for the old files that do
// not say the kind.
var attrFields = map[protowire.Number]attrKind{
	2: attrFloat, 3: attrInt, 4: attrString, 5: attrTensor, 6: attrGraph, 7: attrFloats, 8: attrInts, 9: attrStrings,
	10: attrTensors, 11: attrGraphs, 14: attrType, 15: attrTypes, 22: attrSparseTensor, 23: attrSparseTensors,
}

// attrProto is an AttributeProto. Of the values only those of its kind are set; graphs and types are not decoded.
type attrProto struct {
	name string
	// ref names the attribute of the enclosing function whose value this one takes, "" when it has its own.
	ref     string
	kind    attrKind
	i       int64
	f       float32
	s       string
	tensor  *tensorProto
	sparse  *sparseProto
	ints    []int64
	floats  []float32
	strings []string
}

func decodeAttr(msg []byte) (attrProto, error) {
	var a attrProto
	declared := attrUndefined
	err := eachField(msg, func(f field) error {
		switch {
		case f.is(1, protowire.BytesType):
			a.name = text(f.bytes)
		case f.is(20, protowire.VarintType):
			declared = attrKind(f.number)
		case f.is(21, protowire.BytesType):
			a.ref = text(f.bytes)
		default:
			if kind, ok := attrFields[f.num]; ok {
				a.kind = kind
			}
			return a.decodeValue(f)
		}
		return nil
	})
	if declared != attrUndefined {
		a.kind = declared
	}
	return a, err
}

// decodeValue sets the value that the field holds, if it is one of the kinds that graphs can carry.
func (a *attrProto) decodeValue(f field) error {
	switch f.num {
	case 2:
		a.f = math.Float32frombits(uint32(f.number))
	case 3:
		a.i = int64(f.number)
	case 4:
		a.s = text(f.bytes)
	case 5:
		t, err := decodeTensor(f.bytes)
		a.tensor = &t
		return err
	case 7:
		return eachFixed32(f, func(v uint32) { a.floats = append(a.floats, math.Float32frombits(v)) })
	case 8:
		return eachVarint(f, func(v uint64) { a.ints = append(a.ints, int64(v)) })
	case 9:
		a.strings = append(a.strings, text(f.bytes))
	case 22:
		s, err := decodeSparse(f.bytes)
		a.sparse = &s
		return err
	}
	return nil
}
