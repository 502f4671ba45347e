package onnx

import "google.golang.org/protobuf/encoding/protowire"

// tensorProto is a TensorProto. The values in typed fields are not decoded yet: they stay in msg.
type tensorProto struct {
	name string
	dims []int64
	elem elemType
	// raw is the raw_data field, nil when the file has none.
	raw []byte
	// external says that the values are in another file; entries say where.
	external bool
	entries  []entryProto
	// segmented marks a part of a tensor that was split, which no writer ever did.
	segmented bool
	msg       []byte
}

// entryProto is a StringStringEntryProto.
type entryProto struct{ key, value string }

// sparseProto is a SparseTensorProto: the values that are not zero, where they are, and the dense shape.
type sparseProto struct {
	values, indices tensorProto
	dims            []int64
}

func decodeTensor(msg []byte) (tensorProto, error) {
	t := tensorProto{msg: msg}
	err := eachField(msg, func(f field) error {
		switch {
		case f.num == 1:
			return eachVarint(f, func(v uint64) { t.dims = append(t.dims, int64(v)) })
		case f.is(2, protowire.VarintType):
			t.elem = elemType(f.number)
		case f.is(3, protowire.BytesType):
			t.segmented = true
		case f.is(8, protowire.BytesType):
			t.name = text(f.bytes)
		case f.is(9, protowire.BytesType):
			t.raw = f.bytes
		case f.is(13, protowire.BytesType):
			entry, err := decodeEntry(f.bytes)
			t.entries = append(t.entries, entry)
			return err
		case f.is(14, protowire.VarintType):
			t.external = f.number == 1
		}
		return nil
	})
	return t, err
}

func decodeEntry(msg []byte) (entryProto, error) {
	var e entryProto
	err := eachField(msg, func(f field) error {
		switch {
		case f.is(1, protowire.BytesType):
			e.key = text(f.bytes)
		case f.is(2, protowire.BytesType):
			e.value = text(f.bytes)
		}
		return nil
	})
	return e, err
}

func decodeSparse(msg []byte) (sparseProto, error) {
	var s sparseProto
	err := eachField(msg, func(f field) error {
		var err error
		switch {
		case f.is(1, protowire.BytesType):
			s.values, err = decodeTensor(f.bytes)
		case f.is(2, protowire.BytesType):
			s.indices, err = decodeTensor(f.bytes)
		case f.num == 3:
			return eachVarint(f, func(v uint64) { s.dims = append(s.dims, int64(v)) })
		}
		return err
	})
	return s, err
}
