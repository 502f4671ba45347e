package onnx

import (
	"encoding/binary"

	"github.com/memplan/memplan/planner/graph"
	"google.golang.org/protobuf/encoding/protowire"
)

// typedField is a field of TensorProto that holds values one by one.
type typedField struct {
	num protowire.Number
	// item is the bytes of the dense tensor that one value of the field fills.
	item int64
	// wire is the type of a value on the wire: Fixed32Type, Fixed64Type or VarintType.
	wire protowire.Type
}

// typedFieldOf returns where values of the type stand when they are not in raw_data. Small integers, bool and the
// 16-bit floats travel as int32, the latter as bit patterns; complex numbers as two reals.
func typedFieldOf(d graph.DType) typedField {
	switch d {
	case graph.Float32, graph.Complex64:
		return typedField{num: 4, item: 4, wire: protowire.Fixed32Type}
	case graph.Float64, graph.Complex128:
		return typedField{num: 10, item: 8, wire: protowire.Fixed64Type}
	case graph.Int64:
		return typedField{num: 7, item: 8, wire: protowire.VarintType}
	case graph.Uint32, graph.Uint64:
		return typedField{num: 11, item: d.Size(), wire: protowire.VarintType}
	}
	return typedField{num: 5, item: d.Size(), wire: protowire.VarintType}
}

// eachValue calls visit for each value of the field in the tensor.
func (tf typedField) eachValue(msg []byte, visit func(uint64)) error {
	return eachField(msg, func(f field) error {
		if f.num != tf.num {
			return nil
		}
		switch tf.wire {
		case protowire.Fixed32Type:
			return eachFixed32(f, func(v uint32) { visit(uint64(v)) })
		case protowire.Fixed64Type:
			return eachFixed64(f, visit)
		}
		return eachVarint(f, visit)
	})
}

// typedSize counts the bytes that the values of the tensor's typed field fill, 0 when it has none. It fails where the
// field is damaged.
func (t *tensorProto) typedSize(d graph.DType) (int64, error) {
	tf := typedFieldOf(d)
	size := int64(0)
	err := tf.eachValue(t.msg, func(uint64) { size += tf.item })
	return size, err
}

// typedData returns the values of the tensor's typed field as dense elements. size is what typedSize found: nothing is
// allocated for elements that the file does not hold.
func (t *tensorProto) typedData(d graph.DType, size int64) (graph.Data, error) {
	tf := typedFieldOf(d)
	packed, err := tf.packed(t.msg, size)
	if err != nil || packed != nil {
		return graph.Bytes(packed), err
	}
	out := make([]byte, 0, size)
	err = tf.eachValue(t.msg, func(v uint64) { out = appendItem(out, v, tf.item) })
	return graph.Bytes(out), err
}

// packed returns the field's bytes when they are the dense elements already: floats that were packed in one piece.
func (tf typedField) packed(msg []byte, size int64) ([]byte, error) {
	if tf.wire == protowire.VarintType {
		return nil, nil
	}
	var found []byte
	err := eachField(msg, func(f field) error {
		if f.is(tf.num, protowire.BytesType) && int64(len(f.bytes)) == size {
			found = f.bytes
		}
		return nil
	})
	return found, err
}

// appendItem appends the low size bytes of v, the lowest first.
func appendItem(out []byte, v uint64, size int64) []byte {
	switch size {
	case 1:
		return append(out, byte(v))
	case 2:
		return binary.LittleEndian.AppendUint16(out, uint16(v))
	case 4:
		return binary.LittleEndian.AppendUint32(out, uint32(v))
	}
	return binary.LittleEndian.AppendUint64(out, v)
}
