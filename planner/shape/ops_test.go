package shape_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/planner/shape"
)

// operand is an input of the op under test; nil is an absent one.
type operand *graph.Tensor

// data is a float32 input of the graph.
func data(extents ...int64) operand { return typed(graph.Float32, extents...) }

// typed is an input of the graph of the element type.
func typed(d graph.DType, extents ...int64) operand {
	return &graph.Tensor{Role: graph.Input, DType: d, Shape: append(graph.Shape{}, extents...)}
}

// ints is a constant int64 vector.
func ints(values ...int64) operand { return constantOf(graph.Shape{int64(len(values))}, values...) }

// number is a constant int64 scalar.
func number(value int64) operand { return constantOf(graph.Shape{}, value) }

// reals is a constant float32 vector.
func reals(values ...float32) operand { return constantOf(graph.Shape{int64(len(values))}, values...) }

// weights is a constant without known content.
func weights(extents ...int64) operand {
	t := typed(graph.Float32, extents...)
	t.Role = graph.Constant
	return t
}

func constantOf[T array.Value](s graph.Shape, values ...T) operand {
	a, err := array.Of(s, values...)
	if err != nil {
		panic(err)
	}
	return &graph.Tensor{Role: graph.Constant, DType: a.DType, Shape: a.Shape, Data: graph.Bytes(a.Data)}
}

// opCase is one use of an op and what must come of it.
type opCase struct {
	name   string
	op     string
	domain string
	attrs  graph.Attrs
	in     []operand
	// outputs is the number of outputs, that of want when 0, else 1.
	outputs int
	// want has the types of the outputs, as array.Type writes them.
	want []string
	// id is that of the only diagnostic, which contains every text of says.
	id   diag.ID
	says []string
}

// graphOf returns a graph of the op alone: inputs are called in0, in1, ..., outputs out0, out1, ....
func (c opCase) graphOf() *graph.Graph {
	g := &graph.Graph{Format: "onnx"}
	op := graph.Op{Name: "node", Op: c.op, Domain: c.domain, Attrs: c.attrs}
	for i, in := range c.in {
		if in == nil {
			op.Inputs = append(op.Inputs, graph.NoTensor)
			continue
		}
		t := *in
		t.Name = fmt.Sprintf("in%d", i)
		op.Inputs = append(op.Inputs, graph.TensorID(len(g.Tensors)))
		g.Tensors = append(g.Tensors, t)
	}
	for i := range max(c.outputs, len(c.want), 1) {
		op.Outputs = append(op.Outputs, graph.TensorID(len(g.Tensors)))
		g.Tensors = append(g.Tensors, graph.Tensor{Name: fmt.Sprintf("out%d", i), Role: graph.Output})
	}
	g.Ops = []graph.Op{op}
	return g
}

func runOpCases(t *testing.T, cases []opCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.op+" "+c.name, func(t *testing.T) {
			g := c.graphOf()
			_, diags := shape.Infer(g, nil)
			if c.id != "" {
				requireOnly(t, diags, c.id, append(c.says, c.op, "node")...)
				return
			}
			require.Empty(t, describe(diags))
			for i, want := range c.want {
				out := g.Tensor(g.Ops[0].Outputs[i])
				assert.Equal(t, want, array.Type{DType: out.DType, Shape: out.Shape}.String(), "output %d", i)
			}
		})
	}
}

// requireOnly requires one diagnostic of the id whose detail contains the texts.
func requireOnly(t *testing.T, diags diag.Diagnostics, id diag.ID, says ...string) {
	t.Helper()
	require.Len(t, diags, 1, "diagnostics: %s", describe(diags))
	require.Equal(t, id, diags[0].ID, diags[0].Detail)
	for _, text := range says {
		require.Contains(t, diags[0].Detail, text)
	}
	assert.True(t, strings.HasSuffix(diags[0].Detail, ".") || strings.HasSuffix(diags[0].Detail, "?"), "detail is whole sentences: %s", diags[0].Detail)
	assert.NotContains(t, diags[0].Detail, "%!", "format and arguments agree")
}

func describe(diags diag.Diagnostics) []string {
	var out []string
	for _, d := range diags {
		out = append(out, string(d.ID)+" "+d.Detail)
	}
	return out
}

const (
	most  = math.MaxInt64
	least = math.MinInt64
)
