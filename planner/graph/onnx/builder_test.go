package onnx_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/onnx"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
)

// msg is a protobuf message, or some fields of one, under construction.
type msg []byte

func (m msg) num(field protowire.Number, v int64) msg {
	return protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), uint64(v))
}

func (m msg) str(field protowire.Number, s string) msg { return m.sub(field, msg(s)) }

func (m msg) sub(field protowire.Number, content msg) msg {
	return protowire.AppendBytes(protowire.AppendTag(m, field, protowire.BytesType), content)
}

func (m msg) fixed32(field protowire.Number, v float32) msg {
	return protowire.AppendFixed32(protowire.AppendTag(m, field, protowire.Fixed32Type), math.Float32bits(v))
}

func join(parts ...msg) msg {
	var out msg
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// model returns a model of IR version 8 with the operator set and the parts of its graph, which is named "net".
func model(opset int64, parts ...msg) msg {
	return msg{}.num(1, 8).sub(8, msg{}.str(1, "").num(2, opset)).sub(7, join(parts...).str(2, "net"))
}

// node is a node of a graph. Attributes follow.
func node(op, name string, inputs, outputs []string, attrs ...msg) msg {
	return msg{}.sub(1, nodeBody("", op, name, inputs, outputs, attrs...))
}

// customNode is a node of another domain than ONNX's.
func customNode(domain, op, name string, inputs, outputs []string, attrs ...msg) msg {
	return msg{}.sub(1, nodeBody(domain, op, name, inputs, outputs, attrs...))
}

func nodeBody(domain, op, name string, inputs, outputs []string, attrs ...msg) msg {
	n := msg{}
	for _, in := range inputs {
		n = n.str(1, in)
	}
	for _, out := range outputs {
		n = n.str(2, out)
	}
	n = n.str(3, name).str(4, op).str(7, domain)
	return append(n, join(attrs...)...)
}

func list(names ...string) []string { return names }

func attrInt(name string, v int64) msg {
	return msg{}.sub(5, msg{}.str(1, name).num(3, v).num(20, 2))
}

func attrFloat(name string, v float32) msg {
	return msg{}.sub(5, msg{}.str(1, name).fixed32(2, v).num(20, 1))
}

func attrString(name, v string) msg {
	return msg{}.sub(5, msg{}.str(1, name).str(4, v).num(20, 3))
}

func attrInts(name string, values ...int64) msg {
	a := msg{}.str(1, name)
	for _, v := range values {
		a = a.num(8, v)
	}
	return msg{}.sub(5, a.num(20, 7))
}

func attrFloats(name string, values ...float32) msg {
	a := msg{}.str(1, name)
	for _, v := range values {
		a = a.fixed32(7, v)
	}
	return msg{}.sub(5, a.num(20, 6))
}

func attrTensor(name string, t msg) msg {
	return msg{}.sub(5, msg{}.str(1, name).sub(5, t).num(20, 4))
}

func attrGraph(name string, g msg) msg {
	return msg{}.sub(5, msg{}.str(1, name).sub(6, g).num(20, 5))
}

// attrRef is an attribute in the body of a function that takes the value of the function's parameter.
func attrRef(name, parameter string) msg {
	return msg{}.sub(5, msg{}.str(1, name).str(21, parameter).num(20, 2))
}

// The numbers of some element types.
const (
	float32Elem = 1
	stringElem  = 8
	boolElem    = 9
	float16Elem = 10
	int4Elem    = 22
	int64Elem   = 7
)

// tensor is a TensorProto without values.
func tensor(name string, elem int64, dims ...int64) msg {
	t := msg{}
	for _, d := range dims {
		t = t.num(1, d)
	}
	return t.num(2, elem).str(8, name)
}

// floats is a TensorProto of float32 values of shape [n] in raw_data.
func floats(name string, values ...float32) msg {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return tensor(name, float32Elem, int64(len(values))).sub(9, raw)
}

// ints is a TensorProto of int64 values of shape [n] in raw_data.
func ints(name string, values ...int64) msg {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	return tensor(name, int64Elem, int64(len(values))).sub(9, raw)
}

func initializer(t msg) msg { return msg{}.sub(5, t) }

// input, output and value declare a tensor type. A dimension is an int64, a name, or nil for one that is open.
func input(name string, elem int64, dims ...any) msg  { return declare(11, name, elem, dims) }
func output(name string, elem int64, dims ...any) msg { return declare(12, name, elem, dims) }
func value(name string, elem int64, dims ...any) msg  { return declare(13, name, elem, dims) }

// untyped is an output without a type.
func untyped(name string) msg { return msg{}.sub(12, msg{}.str(1, name)) }

func declare(field protowire.Number, name string, elem int64, dims []any) msg {
	shape := msg{}
	for _, d := range dims {
		switch d := d.(type) {
		case int:
			shape = shape.sub(1, msg{}.num(1, int64(d)))
		case string:
			shape = shape.sub(1, msg{}.str(2, d))
		default:
			shape = shape.sub(1, msg{})
		}
	}
	return msg{}.sub(field, msg{}.str(1, name).sub(2, msg{}.sub(1, msg{}.num(1, elem).sub(2, shape))))
}

// mustImport imports a model that has no faults.
func mustImport(t *testing.T, m msg) *graph.Graph {
	t.Helper()
	g, diags := onnx.Import(source.FromBytes("models/net.onnx", m))
	require.Empty(t, diags)
	checkGraph(t, g)
	return g
}

// mustRefuse imports a model and returns its one diagnostic, which must have the id and name what is at fault.
func mustRefuse(t *testing.T, m msg, id string, names ...string) diag.Diagnostic {
	t.Helper()
	g, diags := onnx.Import(source.FromBytes("models/net.onnx", m))
	require.Nil(t, g)
	require.Len(t, diags, 1)
	require.Equal(t, diag.ID(id), diags[0].ID, diags[0].Detail)
	require.Contains(t, diags[0].Detail, "models/net.onnx")
	for _, name := range names {
		require.Contains(t, diags[0].Detail, name)
	}
	return diags[0]
}

// checkGraph verifies what every graph promises.
func checkGraph(t *testing.T, g *graph.Graph) {
	t.Helper()
	names := map[string]bool{}
	for i := range g.Tensors {
		tensor := &g.Tensors[i]
		require.False(t, names[tensor.Name], "two tensors are called %q", tensor.Name)
		names[tensor.Name] = true
		require.Equal(t, tensor.Role == graph.Constant, tensor.Data != nil, tensor.Name)
		if tensor.Symbols != nil {
			require.Len(t, tensor.Symbols, len(tensor.Shape), tensor.Name)
		}
		if tensor.Data != nil {
			size, ok := tensor.Shape.Bytes(tensor.DType)
			require.True(t, ok, tensor.Name)
			require.Equal(t, size, tensor.Data.Size(), tensor.Name)
		}
	}
	written := map[graph.TensorID]bool{}
	ops := map[string]bool{}
	for i := range g.Ops {
		op := &g.Ops[i]
		require.NotEmpty(t, op.Name)
		require.False(t, ops[op.Name], "two ops are called %q", op.Name)
		ops[op.Name] = true
		for _, in := range op.Inputs {
			if in == graph.NoTensor {
				continue
			}
			role := g.Tensors[in].Role
			require.True(t, written[in] || role == graph.Input || role == graph.Constant, "%s reads %s too early", op.Name, g.Tensors[in].Name)
		}
		for _, out := range op.Outputs {
			if out != graph.NoTensor {
				require.False(t, written[out], "%s is written twice", g.Tensors[out].Name)
				written[out] = true
			}
		}
	}
}

// opNamed returns the op of the name.
func opNamed(t *testing.T, g *graph.Graph, name string) *graph.Op {
	t.Helper()
	for i := range g.Ops {
		if g.Ops[i].Name == name {
			return &g.Ops[i]
		}
	}
	require.Fail(t, "no op "+name)
	return nil
}

// tensorNamed returns the tensor of the name.
func tensorNamed(t *testing.T, g *graph.Graph, name string) *graph.Tensor {
	t.Helper()
	found := g.Tensor(g.ByName(name))
	require.NotNil(t, found, "no tensor %s", name)
	return found
}

// read returns the content of a constant.
func read(t *testing.T, tensor *graph.Tensor) []byte {
	t.Helper()
	content, err := tensor.Data.Read()
	require.NoError(t, err)
	return content
}

// int64s returns the values of the op's input, which must be an int64 constant.
func int64s(t *testing.T, g *graph.Graph, op *graph.Op, at int) []int64 {
	t.Helper()
	tensor := g.Tensor(op.Inputs[at])
	require.Equal(t, graph.Int64, tensor.DType)
	values := []int64{}
	for content := read(t, tensor); len(content) > 0; content = content[8:] {
		values = append(values, int64(binary.LittleEndian.Uint64(content)))
	}
	return values
}

// float32s returns the values of the op's input, which must be a float32 constant.
func float32s(t *testing.T, g *graph.Graph, op *graph.Op, at int) []float32 {
	t.Helper()
	tensor := g.Tensor(op.Inputs[at])
	require.Equal(t, graph.Float32, tensor.DType)
	values := []float32{}
	for content := read(t, tensor); len(content) > 0; content = content[4:] {
		values = append(values, math.Float32frombits(binary.LittleEndian.Uint32(content)))
	}
	return values
}

func protoField(n int32) protowire.Number { return protowire.Number(n) }
