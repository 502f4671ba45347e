package tflite_test

import (
	"encoding/binary"
	"slices"

	flatbuffers "github.com/google/flatbuffers/go"
)

// modelFile describes a model for tests; bytes writes it as a TFLite file.
type modelFile struct {
	version         uint32
	tensors         []tensorDef
	ops             []opDef
	inputs, outputs []int32
	// more names further, empty subgraphs.
	more []string
}

type tensorDef struct {
	name     string
	shape    []int32
	code     byte
	data     []byte
	external []byte // data behind the flatbuffer
	variable bool
	scale    []float32
	zero     []int64
	axis     int32
	sparse   *sparseDef
}

type sparseDef struct {
	order, blockMap []int32
	dims            []dimDef
}

// dimDef is a dense level of a size, or a compressed one.
type dimDef struct {
	size              int32
	segments, indices []int32
	width             int // 4, 2 or 1 bytes for each index
}

type opDef struct {
	code    int32
	custom  string
	in, out []int32
	options []option
}

// option is one field of an operator's options: a bool, byte, int32, float32 or []int32.
type option struct {
	slot  int
	value any
}

func i32s(values ...int32) []byte {
	out := []byte{}
	for _, v := range values {
		out = binary.LittleEndian.AppendUint32(out, uint32(v))
	}
	return out
}

func (m modelFile) bytes() []byte {
	b := flatbuffers.NewBuilder(1024)
	var buffers, tensors, codes, ops []flatbuffers.UOffsetT
	addBuffer := func(data []byte) {
		at := b.CreateByteVector(data)
		b.StartObject(3)
		b.PrependUOffsetTSlot(0, at, 0)
		buffers = append(buffers, b.EndObject())
	}
	addBuffer(nil)
	var tail []byte
	for _, t := range m.tensors {
		number := uint32(0)
		switch {
		case t.external != nil:
			number = uint32(len(buffers))
			b.StartObject(3)
			// The real offset is written once the length of the flatbuffer is known.
			b.PrependUint64Slot(1, externalMark, 0)
			b.PrependUint64Slot(2, uint64(len(t.external)), 0)
			buffers = append(buffers, b.EndObject())
			tail = t.external
		case t.data != nil:
			number = uint32(len(buffers))
			addBuffer(t.data)
		}
		tensors = append(tensors, t.write(b, number))
	}
	for i, op := range m.ops {
		custom := b.CreateString(op.custom)
		b.StartObject(4)
		b.PrependByteSlot(0, byte(min(op.code, 127)), 0)
		if op.custom != "" {
			b.PrependUOffsetTSlot(1, custom, 0)
		}
		b.PrependInt32Slot(3, op.code, 0)
		codes = append(codes, b.EndObject())
		ops = append(ops, op.write(b, uint32(i)))
	}
	subgraphs := []flatbuffers.UOffsetT{writeSubgraph(b, "main", tensors, ops, m.inputs, m.outputs)}
	for _, name := range m.more {
		subgraphs = append(subgraphs, writeSubgraph(b, name, nil, nil, nil, nil))
	}
	codesAt, subgraphsAt, buffersAt := tables(b, codes), tables(b, subgraphs), tables(b, buffers)
	version := m.version
	if version == 0 {
		version = 3
	}
	b.StartObject(5)
	b.PrependUint32Slot(0, version, 0)
	b.PrependUOffsetTSlot(1, codesAt, 0)
	b.PrependUOffsetTSlot(2, subgraphsAt, 0)
	b.PrependUOffsetTSlot(4, buffersAt, 0)
	b.FinishWithFileIdentifier(b.EndObject(), []byte("TFL3"))
	return placeExternal(slices.Clone(b.FinishedBytes()), tail)
}

const externalMark = 0x1122334455667788

// placeExternal appends external data and replaces the mark by its offset.
func placeExternal(file, tail []byte) []byte {
	mark := binary.LittleEndian.AppendUint64(nil, externalMark)
	for i := range len(file) - 8 {
		if slices.Equal(file[i:i+8], mark) {
			binary.LittleEndian.PutUint64(file[i:], uint64(len(file)))
		}
	}
	return append(file, tail...)
}

func writeSubgraph(b *flatbuffers.Builder, name string, tensors, ops []flatbuffers.UOffsetT, inputs, outputs []int32) flatbuffers.UOffsetT {
	nameAt, tensorsAt, opsAt, in, out := b.CreateString(name), tables(b, tensors), tables(b, ops), ints(b, inputs), ints(b, outputs)
	b.StartObject(5)
	b.PrependUOffsetTSlot(0, tensorsAt, 0)
	b.PrependUOffsetTSlot(1, in, 0)
	b.PrependUOffsetTSlot(2, out, 0)
	b.PrependUOffsetTSlot(3, opsAt, 0)
	b.PrependUOffsetTSlot(4, nameAt, 0)
	return b.EndObject()
}

func (t tensorDef) write(b *flatbuffers.Builder, buffer uint32) flatbuffers.UOffsetT {
	name, shape := b.CreateString(t.name), ints(b, t.shape)
	var quant, sparse flatbuffers.UOffsetT
	if t.scale != nil {
		scale, zero := floats(b, t.scale), longs(b, t.zero)
		b.StartObject(7)
		b.PrependUOffsetTSlot(2, scale, 0)
		b.PrependUOffsetTSlot(3, zero, 0)
		b.PrependInt32Slot(6, t.axis, 0)
		quant = b.EndObject()
	}
	if t.sparse != nil {
		sparse = t.sparse.write(b)
	}
	b.StartObject(9)
	b.PrependUOffsetTSlot(0, shape, 0)
	b.PrependByteSlot(1, t.code, 0)
	b.PrependUint32Slot(2, buffer, 0)
	b.PrependUOffsetTSlot(3, name, 0)
	b.PrependUOffsetTSlot(4, quant, 0)
	b.PrependBoolSlot(5, t.variable, false)
	b.PrependUOffsetTSlot(6, sparse, 0)
	return b.EndObject()
}

func (s *sparseDef) write(b *flatbuffers.Builder) flatbuffers.UOffsetT {
	var dims []flatbuffers.UOffsetT
	for _, d := range s.dims {
		var segments, indices flatbuffers.UOffsetT
		kind := map[int]byte{4: 1, 2: 2, 1: 3}[d.width]
		if d.segments != nil {
			segments, indices = indexVector(b, d.segments, d.width), indexVector(b, d.indices, d.width)
		}
		b.StartObject(6)
		if d.segments != nil {
			b.PrependByteSlot(0, 1, 0)
			b.PrependByteSlot(2, kind, 0)
			b.PrependUOffsetTSlot(3, segments, 0)
			b.PrependByteSlot(4, kind, 0)
			b.PrependUOffsetTSlot(5, indices, 0)
		}
		b.PrependInt32Slot(1, d.size, 0)
		dims = append(dims, b.EndObject())
	}
	order, blockMap, dimsAt := ints(b, s.order), ints(b, s.blockMap), tables(b, dims)
	b.StartObject(3)
	b.PrependUOffsetTSlot(0, order, 0)
	b.PrependUOffsetTSlot(1, blockMap, 0)
	b.PrependUOffsetTSlot(2, dimsAt, 0)
	return b.EndObject()
}

func indexVector(b *flatbuffers.Builder, values []int32, width int) flatbuffers.UOffsetT {
	b.StartVector(width, len(values), 4)
	for _, v := range slices.Backward(values) {
		switch width {
		case 4:
			b.PrependInt32(v)
		case 2:
			b.PrependUint16(uint16(v))
		default:
			b.PrependByte(byte(v))
		}
	}
	at := b.EndVector(len(values))
	b.StartObject(1)
	b.PrependUOffsetTSlot(0, at, 0)
	return b.EndObject()
}

func (op opDef) write(b *flatbuffers.Builder, code uint32) flatbuffers.UOffsetT {
	lists := map[int]flatbuffers.UOffsetT{}
	for _, o := range op.options {
		if list, ok := o.value.([]int32); ok {
			lists[o.slot] = ints(b, list)
		}
	}
	var options flatbuffers.UOffsetT
	if op.options != nil {
		b.StartObject(8)
		for _, o := range op.options {
			switch v := o.value.(type) {
			case bool:
				b.PrependBoolSlot(o.slot, v, false)
			case byte:
				b.PrependByteSlot(o.slot, v, 0)
			case int32:
				b.PrependInt32Slot(o.slot, v, 0)
			case float32:
				b.PrependFloat32Slot(o.slot, v, 0)
			case []int32:
				b.PrependUOffsetTSlot(o.slot, lists[o.slot], 0)
			default:
				panic("option of another type")
			}
		}
		options = b.EndObject()
	}
	in, out := ints(b, op.in), ints(b, op.out)
	b.StartObject(6)
	b.PrependUint32Slot(0, code, 0)
	b.PrependUOffsetTSlot(1, in, 0)
	b.PrependUOffsetTSlot(2, out, 0)
	b.PrependUOffsetTSlot(4, options, 0)
	return b.EndObject()
}

func tables(b *flatbuffers.Builder, list []flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	b.StartVector(4, len(list), 4)
	for _, at := range slices.Backward(list) {
		b.PrependUOffsetT(at)
	}
	return b.EndVector(len(list))
}

func ints(b *flatbuffers.Builder, list []int32) flatbuffers.UOffsetT {
	b.StartVector(4, len(list), 4)
	for _, v := range slices.Backward(list) {
		b.PrependInt32(v)
	}
	return b.EndVector(len(list))
}

func longs(b *flatbuffers.Builder, list []int64) flatbuffers.UOffsetT {
	b.StartVector(8, len(list), 8)
	for _, v := range slices.Backward(list) {
		b.PrependInt64(v)
	}
	return b.EndVector(len(list))
}

func floats(b *flatbuffers.Builder, list []float32) flatbuffers.UOffsetT {
	b.StartVector(4, len(list), 4)
	for _, v := range slices.Backward(list) {
		b.PrependFloat32(v)
	}
	return b.EndVector(len(list))
}
