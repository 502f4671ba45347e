package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
)

func TestWhichOpsOnlyRename(t *testing.T) {
	tensor := func(t graph.DType, extents ...int64) *graph.Tensor {
		return &graph.Tensor{DType: t, Shape: extents}
	}
	in := tensor(graph.Float32, 2, 1, 3)
	out := tensor(graph.Float32, 2, 3)
	perm := func(axes ...int64) graph.Attrs { return graph.Attrs{"perm": axes} }
	for _, c := range []struct {
		name string
		op   graph.Op
		in   *graph.Tensor
		out  *graph.Tensor
		want bool
	}{
		{"a reshape", graph.Op{Op: "Reshape"}, in, out, true},
		{"a cast to the same type", graph.Op{Op: "Cast"}, in, out, true},
		{"a cast to another type of the same size", graph.Op{Op: "Cast"}, in, tensor(graph.Int32, 2, 3), false},
		{"another number of elements", graph.Op{Op: "Reshape"}, in, tensor(graph.Float32, 2, 4), false},
		{"no output", graph.Op{Op: "Reshape"}, in, nil, false},
		{"an open dimension", graph.Op{Op: "Reshape"}, tensor(graph.Float32, -1), tensor(graph.Float32, -1), false},
		{"a transposition of an axis of one", graph.Op{Op: "Transpose", Attrs: perm(1, 0, 2)}, in, out, true},
		{"a transposition of elements", graph.Op{Op: "Transpose", Attrs: perm(2, 1, 0)}, in, out, false},
		{"a transposition by default", graph.Op{Op: "Transpose"}, in, out, false},
		{"a permutation with an axis too few", graph.Op{Op: "Transpose", Attrs: perm(0, 1)}, in, out, false},
		{"an op that computes", graph.Op{Op: "Relu"}, in, out, false},
		{"a reshape with an op fused to it", graph.Op{Op: "Reshape", Fused: []string{"Reshape", "Relu"}}, in, out, false},
		{"a reshape of TVM", graph.Op{Op: "Reshape", Domain: "tvm"}, in, out, true},
		{"compiled code of the same name", graph.Op{Op: "Flatten", Domain: "tvm"}, in, out, false},
		{"an op of an unknown domain", graph.Op{Op: "Reshape", Domain: "com.example"}, in, out, false},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, c.op.IsReshape(c.in, c.out)) })
	}
}
