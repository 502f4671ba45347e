package array

import (
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/stretchr/testify/require"
)

// BenchmarkFloat32 runs kernels on 1 MiB of activations, [1, 64, 64, 64], as the host device does between convolutions.
func BenchmarkFloat32(b *testing.B) {
	x := floatsOf(1, 64, 64, 64)
	channel, last, single := floatsOf(1, 64, 1, 1), floatsOf(64), floatsOf()
	relu6 := graph.Attrs{"Clip.min": float32(0), "Clip.max": float32(6)}
	for _, c := range []struct {
		name   string
		op     graph.Op
		shape  graph.Shape
		inputs []*Array
	}{
		{"Add of equal shapes", graph.Op{Op: "Add"}, x.Shape, []*Array{x, x}},
		{"Add with Clip fused", graph.Op{Op: "Add", Fused: []string{"Add", "Clip"}, Attrs: relu6}, x.Shape, []*Array{x, x}},
		{"Mul by a scalar", graph.Op{Op: "Mul"}, x.Shape, []*Array{x, single}},
		{"Mul by channels", graph.Op{Op: "Mul"}, x.Shape, []*Array{x, channel}},
		{"Mul by the last axis", graph.Op{Op: "Mul"}, x.Shape, []*Array{x, last}},
		{"Max of two", graph.Op{Op: "Max"}, x.Shape, []*Array{x, x}},
		{"Relu", graph.Op{Op: "Relu"}, x.Shape, []*Array{x}},
		{"Clip", graph.Op{Op: "Clip"}, x.Shape, []*Array{x, single, single}},
		{"HardSwish", graph.Op{Op: "HardSwish"}, x.Shape, []*Array{x}},
		{"Sigmoid", graph.Op{Op: "Sigmoid"}, x.Shape, []*Array{x}},
		{"Tanh", graph.Op{Op: "Tanh"}, x.Shape, []*Array{x}},
		{"Gelu", graph.Op{Op: "Gelu"}, x.Shape, []*Array{x}},
		{"Exp", graph.Op{Op: "Exp"}, x.Shape, []*Array{x}},
		{"ReduceMean of planes", graph.Op{Op: "ReduceMean"}, graph.Shape{1, 64, 1, 1}, []*Array{x, intList(b, 2, 3)}},
		{"ReduceMean of the outer axes", graph.Op{Op: "ReduceMean"}, graph.Shape{1, 1, 1, 64}, []*Array{x, intList(b, 1, 2)}},
		{"Transpose to channels last", graph.Op{Op: "Transpose", Attrs: graph.Attrs{"perm": []int64{0, 2, 3, 1}}}, x.Shape, []*Array{x}},
		{"Transpose of a matrix", graph.Op{Op: "Transpose"}, graph.Shape{64, 64, 64, 1}, []*Array{x}},
		{"Concat of channels", graph.Op{Op: "Concat", Attrs: graph.Attrs{"axis": int64(1)}}, graph.Shape{1, 128, 64, 64}, []*Array{x, x}},
		{"Slice of the last axis", graph.Op{Op: "Slice"}, graph.Shape{1, 64, 64, 32}, []*Array{x, intList(b, 0), intList(b, 32), intList(b, 3)}},
		{"Pad of planes", graph.Op{Op: "Pad"}, graph.Shape{1, 64, 66, 66}, []*Array{x, intList(b, 0, 0, 1, 1, 0, 0, 1, 1)}},
	} {
		b.Run(c.name, func(b *testing.B) {
			kernel, ok := Lookup(&c.op)
			require.True(b, ok)
			out := []*Array{New(Type{graph.Float32, c.shape})}
			b.SetBytes(int64(len(x.Data)))
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, kernel(&c.op, out, c.inputs))
			}
		})
	}
}

func floatsOf(shape ...int64) *Array {
	a := New(Type{graph.Float32, append(graph.Shape{}, shape...)})
	for i, v := 0, View[float32](a); i < len(v); i++ {
		v[i] = float32(i%17) - 8
	}
	return a
}

// BenchmarkCast converts 1 MiB of float16, as folded weights are.
func BenchmarkCast(b *testing.B) {
	half := New(Type{graph.Float16, list(1 << 19)})
	op := &graph.Op{Op: "Cast"}
	kernel, _ := Lookup(op)
	for _, d := range []graph.DType{graph.Float32, graph.Int32} {
		b.Run("float16 to "+d.String(), func(b *testing.B) {
			out := []*Array{New(Type{d, half.Shape})}
			b.SetBytes(int64(len(half.Data)))
			for b.Loop() {
				require.NoError(b, kernel(op, out, []*Array{half}))
			}
		})
	}
}
