package opencl_test

import (
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"pgregory.net/rapid"
)

func TestAnyGemmAgreesWithTheHost(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string, hi int64) int64 { return rapid.Int64Range(1, hi).Draw(rt, name) }
		m, k, n := draw("m", 40), draw("k", 70), draw("n", 50)
		op := &graph.Op{Name: "gemm", Op: "Gemm", Attrs: graph.Attrs{
			"alpha": float32(draw("alpha", 2)), "beta": float32(draw("beta", 2)),
		}}
		a, b := []int64{m, k}, []int64{k, n}
		if rapid.Bool().Draw(rt, "transA") {
			op.Attrs["transA"], a = int64(1), []int64{k, m}
		}
		if rapid.Bool().Draw(rt, "transB") {
			op.Attrs["transB"], b = int64(1), []int64{n, k}
		}
		left, right := input(a...), input(b...)
		if rapid.Bool().Draw(rt, "constant") {
			right = right.constant()
		}
		if rapid.Bool().Draw(rt, "constant left") {
			left = left.constant()
		}
		r := &rig{op: op, inputs: []operand{left, right}, outputs: []operand{output(graph.Float32, m, n)}}
		c := rapid.SampledFrom([][]int64{nil, {}, {1}, {n}, {1, n}, {m, 1}, {m, n}, {1, 1}}).Draw(rt, "c")
		if c != nil {
			r.inputs = append(r.inputs, input(c...))
		}
		if rapid.Bool().Draw(rt, "relu") {
			op.Fused = []string{"Gemm", "Relu"}
		}
		r.compare(t)
	})
}

func TestMatrixProductsAgreeWithTheHost(t *testing.T) {
	cases := []struct {
		name    string
		a, b, y []int64
	}{
		{"vector by vector", []int64{3}, []int64{3}, []int64{}},
		{"vector by matrix", []int64{3}, []int64{3, 2}, []int64{2}},
		{"matrix by vector", []int64{2, 3}, []int64{3}, []int64{2}},
		{"matrix by matrix", []int64{17, 40}, []int64{40, 35}, []int64{17, 35}},
		{"one row", []int64{1, 200}, []int64{200, 2}, []int64{1, 2}},
		{"one matrix for a batch", []int64{4, 2, 3}, []int64{3, 2}, []int64{4, 2, 2}},
		{"a batch by one matrix on the left", []int64{2, 3}, []int64{4, 3, 2}, []int64{4, 2, 2}},
		{"a matrix for each of a batch", []int64{2, 3, 9, 5}, []int64{2, 3, 5, 18}, []int64{2, 3, 9, 18}},
		{"both batches repeat", []int64{4, 1, 2, 3}, []int64{1, 5, 3, 2}, []int64{4, 5, 2, 2}},
		{"batches repeat on three axes", []int64{2, 1, 4, 9, 3}, []int64{1, 5, 4, 3, 20}, []int64{2, 5, 4, 9, 20}},
		{"batches repeat on four axes", []int64{2, 1, 2, 1, 9, 3}, []int64{1, 3, 1, 2, 3, 20}, []int64{2, 3, 2, 2, 9, 20}},
		{"an empty batch", []int64{0, 2, 3}, []int64{3, 2}, []int64{0, 2, 2}},
		{"no common factor", []int64{2, 0}, []int64{0, 3}, []int64{2, 3}},
	}
	for _, c := range cases {
		for _, role := range []graph.Role{graph.Input, graph.Constant} {
			for _, fused := range [][]string{nil, {"MatMul", "Add", "Relu"}} {
				name := c.name + ", " + string(role)
				if fused != nil {
					name += ", fused"
				}
				t.Run(name, func(t *testing.T) {
					right := input(c.b...)
					right.role = role
					r := &rig{op: &graph.Op{Name: "m", Op: "MatMul", Fused: fused}, inputs: []operand{input(c.a...), right}, outputs: []operand{output(graph.Float32, c.y...)}}
					if fused != nil {
						r.inputs = append(r.inputs, input(c.y...))
					}
					r.compare(t)
				})
			}
		}
	}
}
