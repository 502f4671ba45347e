package onnx

import "google.golang.org/protobuf/encoding/protowire"

// typeKind is the case of TypeProto.value that a value has.
type typeKind int

const (
	typeAbsent typeKind = iota
	typeTensor
	typeSequence
	typeMap
	typeOptional
	typeSparse
	typeOpaque
)

// typeFields maps the number of a field of TypeProto to its case.
var typeFields = map[protowire.Number]typeKind{
	1: typeTensor, 4: typeSequence, 5: typeMap, 7: typeOpaque, 8: typeSparse, 9: typeOptional,
}

// String names the kind as a message does.
func (k typeKind) String() string {
	return [...]string{"value without a type", "tensor", "sequence", "map", "optional", "sparse tensor", "opaque value"}[k]
}

// dimProto is one axis of a declared shape: a size, or a name, or neither.
type dimProto struct {
	fixed bool
	size  int64
	param string
}

// valueProto is a ValueInfoProto: the declared type of a value.
type valueProto struct {
	name string
	kind typeKind
	elem elemType
	// hasShape says that dims holds the axes, none for a scalar; else even the rank is unknown.
	hasShape bool
	dims     []dimProto
}

func decodeValueInto(list *[]valueProto, msg []byte) error {
	var v valueProto
	err := eachField(msg, func(f field) error {
		switch {
		case f.is(1, protowire.BytesType):
			v.name = text(f.bytes)
		case f.is(2, protowire.BytesType):
			return v.decodeType(f.bytes)
		}
		return nil
	})
	*list = append(*list, v)
	return within("value "+v.name, err)
}

func (v *valueProto) decodeType(msg []byte) error {
	return eachField(msg, func(f field) error {
		kind, ok := typeFields[f.num]
		if !ok || f.typ != protowire.BytesType {
			return nil
		}
		v.kind = kind
		if kind == typeTensor {
			return v.decodeTensorType(f.bytes)
		}
		return nil
	})
}

func (v *valueProto) decodeTensorType(msg []byte) error {
	return eachField(msg, func(f field) error {
		switch {
		case f.is(1, protowire.VarintType):
			v.elem = elemType(f.number)
		case f.is(2, protowire.BytesType):
			v.hasShape = true
			return eachField(f.bytes, v.decodeDim)
		}
		return nil
	})
}

func (v *valueProto) decodeDim(f field) error {
	if !f.is(1, protowire.BytesType) {
		return nil
	}
	var dim dimProto
	err := eachField(f.bytes, func(f field) error {
		switch {
		case f.is(1, protowire.VarintType):
			dim = dimProto{fixed: true, size: int64(f.number)}
		case f.is(2, protowire.BytesType):
			dim = dimProto{param: text(f.bytes)}
		}
		return nil
	})
	v.dims = append(v.dims, dim)
	return err
}
