package exec_test

import (
	"encoding/binary"
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// builder makes small graphs for tests.
type builder struct{ g *graph.Graph }

func newBuilder() *builder { return &builder{&graph.Graph{Name: "net", Format: "json"}} }

func (b *builder) tensor(name string, role graph.Role, dtype graph.DType, shape ...int64) graph.TensorID {
	b.g.Tensors = append(b.g.Tensors, graph.Tensor{Name: name, Role: role, DType: dtype, Shape: append(graph.Shape{}, shape...)})
	id := graph.TensorID(len(b.g.Tensors) - 1)
	switch role {
	case graph.Input:
		b.g.Inputs = append(b.g.Inputs, id)
	case graph.Output:
		b.g.Outputs = append(b.g.Outputs, id)
	}
	return id
}

func (b *builder) constant(name string, shape graph.Shape, values ...float32) graph.TensorID {
	id := b.tensor(name, graph.Constant, graph.Float32, shape...)
	b.g.Tensors[id].Data = graph.Bytes(floatBytes(values...))
	return id
}

func (b *builder) op(op, name string, outputs, inputs []graph.TensorID, attrs graph.Attrs) {
	b.g.Ops = append(b.g.Ops, graph.Op{Name: name, Op: op, Inputs: inputs, Outputs: outputs, Attrs: attrs})
}

func ids(list ...graph.TensorID) []graph.TensorID { return list }

func floatBytes(values ...float32) []byte {
	data := make([]byte, 4*len(values))
	for i, v := range values {
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(v))
	}
	return data
}

func floatArray(shape graph.Shape, values ...float32) *array.Array {
	return &array.Array{DType: graph.Float32, Shape: shape, Data: floatBytes(values...)}
}

func floatsOf(a *array.Array) []float32 {
	values := make([]float32, len(a.Data)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(a.Data[4*i:]))
	}
	return values
}

// chain is x -> Relu -> a -> Neg -> c -> Abs -> y on n floats.
func chain(n int64) *graph.Graph {
	b := newBuilder()
	x := b.tensor("x", graph.Input, graph.Float32, n)
	a := b.tensor("a", graph.Activation, graph.Float32, n)
	c := b.tensor("c", graph.Activation, graph.Float32, n)
	y := b.tensor("y", graph.Output, graph.Float32, n)
	b.op("Relu", "relu", ids(a), ids(x), nil)
	b.op("Neg", "neg", ids(c), ids(a), nil)
	b.op("Abs", "abs", ids(y), ids(c), nil)
	return b.g
}
