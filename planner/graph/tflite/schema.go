package tflite

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// The slots of the tables that are read, in the order of the schema's fields.
const (
	modelVersion, modelOpcodes, modelSubgraphs, modelBuffers = 0, 1, 2, 4

	opcodeOld, opcodeCustom, opcodeNew = 0, 1, 3

	subgraphTensors, subgraphInputs, subgraphOutputs, subgraphOperators, subgraphName = 0, 1, 2, 3, 4

	tensorShape, tensorType, tensorBuffer, tensorName      = 0, 1, 2, 3
	tensorQuantization, tensorVariable, tensorSparsity     = 4, 5, 6
	bufferData, bufferOffset, bufferSize                   = 0, 1, 2
	quantScale, quantZeroPoint, quantAxis                  = 2, 3, 6
	sparseOrder, sparseBlockMap, sparseDims                = 0, 1, 2
	dimFormat, dimSize                                     = 0, 1
	dimSegmentsType, dimSegments, dimIndexType, dimIndices = 2, 3, 4, 5

	operatorCode, operatorInputs, operatorOutputs, operatorOptions = 0, 1, 2, 4
)

// schemaVersion is the only version of the schema in use since 2018.
const schemaVersion = 3

// maxRank limits the axes of a tensor; the interpreter's own kernels stop at eight.
const maxRank = 64

// model is what is decoded of a file: the main subgraph and what it refers to.
type model struct {
	buffers []table
	tensors []tensorInfo
	calls   []*call
	// inputs and outputs are tensor numbers of the file.
	inputs, outputs []int32
	// left names the subgraphs that are not decoded.
	left []string
}

// tensorInfo is a tensor as the file has it.
type tensorInfo struct {
	shape    []int32
	code     uint8
	buffer   uint32
	name     string
	variable bool
	quant    *quantization
	sparsity table
}

// quantization is linear quantisation: real = scale * (stored - zeroPoint), along one axis when there are several
// scales.
type quantization struct {
	scale     []float32
	zeroPoint []int64
	axis      int32
}

// decode reads the tables of the whole model. Damage is left in r.fault.
func decode(r *reader, root table) *model {
	m := &model{buffers: root.children(modelBuffers)}
	subgraphs := root.children(modelSubgraphs)
	if len(subgraphs) == 0 {
		r.fail("it has no subgraph")
		return m
	}
	main := subgraphs[0]
	for i, s := range subgraphs[1:] {
		name := s.text(subgraphName)
		if name == "" {
			name = fmt.Sprintf("subgraph %d", i+1)
		}
		m.left = append(m.left, name)
	}
	for i, t := range main.children(subgraphTensors) {
		m.tensors = append(m.tensors, decodeTensor(t))
		if rank := len(m.tensors[i].shape); rank > maxRank {
			r.fail("tensor %q has %d axes, more than %d", m.tensors[i].name, rank, maxRank)
		}
	}
	m.inputs = main.ints32(subgraphInputs)
	m.outputs = main.ints32(subgraphOutputs)
	m.calls = decodeCalls(r, main.children(subgraphOperators), root.children(modelOpcodes))
	return m
}

func decodeTensor(t table) tensorInfo {
	return tensorInfo{
		shape:    t.ints32(tensorShape),
		code:     t.u8(tensorType),
		buffer:   t.u32(tensorBuffer),
		name:     t.text(tensorName),
		variable: t.flag(tensorVariable),
		quant:    decodeQuantization(t.child(tensorQuantization)),
		sparsity: t.child(tensorSparsity),
	}
}

// decodeQuantization returns nil for a table without scales, as float tensors have for their value range.
func decodeQuantization(t table) *quantization {
	if !t.present() || len(t.vector(quantScale, 4)) == 0 {
		return nil
	}
	return &quantization{scale: t.floats32(quantScale), zeroPoint: t.ints64(quantZeroPoint), axis: t.i32(quantAxis, 0)}
}

func decodeCalls(r *reader, operators, opcodes []table) []*call {
	kinds := make([]kind, len(opcodes))
	for i, code := range opcodes {
		kinds[i] = decodeKind(code)
	}
	calls := make([]*call, 0, len(operators))
	for i, op := range operators {
		code := op.u32(operatorCode)
		if int64(code) >= int64(len(kinds)) {
			r.fail("operator %d has code %d of %d", i, code, len(kinds))
			return nil
		}
		calls = append(calls, &call{
			index:   i,
			kind:    kinds[code],
			inputs:  op.ints32(operatorInputs),
			outputs: op.ints32(operatorOutputs),
			options: op.child(operatorOptions),
		})
	}
	return calls
}

// decodeKind reads which operator a code stands for. Files older than builtin codes above 127 have the first field
// only, newer ones have both with the first clamped: the larger one counts.
func decodeKind(t table) kind {
	code := max(int32(int8(t.u8(opcodeOld))), t.i32(opcodeNew, 0))
	return kind{code: builtin(code), custom: t.text(opcodeCustom)}
}

// elementTypes are the tensor types of the schema by number; those without a dtype cannot be planned.
var elementTypes = []struct {
	name  string
	dtype graph.DType
}{
	{"FLOAT32", graph.Float32}, {"FLOAT16", graph.Float16}, {"INT32", graph.Int32}, {"UINT8", graph.Uint8},
	{"INT64", graph.Int64}, {"STRING", graph.InvalidDType}, {"BOOL", graph.Bool}, {"INT16", graph.Int16},
	{"COMPLEX64", graph.Complex64}, {"INT8", graph.Int8}, {"FLOAT64", graph.Float64}, {"COMPLEX128", graph.Complex128},
	{"UINT64", graph.Uint64}, {"RESOURCE", graph.InvalidDType}, {"VARIANT", graph.InvalidDType},
	{"UINT32", graph.Uint32}, {"UINT16", graph.Uint16}, {"INT4", graph.InvalidDType}, {"BFLOAT16", graph.BFloat16},
}

// elementType returns the schema's name of a tensor type and the dtype, InvalidDType when it cannot be planned.
func elementType(code uint8) (string, graph.DType) {
	if int(code) < len(elementTypes) {
		return elementTypes[code].name, elementTypes[code].dtype
	}
	return fmt.Sprintf("type %d", code), graph.InvalidDType
}
