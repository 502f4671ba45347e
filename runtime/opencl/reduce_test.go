package opencl_test

import (
	"fmt"
	"testing"

	"github.com/memplan/memplan/planner/graph"
)

func TestReductionsAgreeWithTheHost(t *testing.T) {
	shapes := []struct {
		in, axes, out []int64
	}{
		{[]int64{3, 40}, []int64{1}, []int64{3, 1}},
		{[]int64{3, 40}, []int64{0}, []int64{1, 40}},
		{[]int64{2, 5, 6, 3}, []int64{-2, -3}, []int64{2, 1, 1, 3}},
		{[]int64{2, 3, 4, 5, 2, 3}, []int64{0, 2, 4}, []int64{1, 3, 1, 5, 1, 3}},
		{[]int64{2, 3, 4, 5, 2, 17}, []int64{1, 3, 5}, []int64{2, 1, 4, 1, 2, 1}},
		{[]int64{3, 40}, []int64{0, 1}, []int64{1, 1}},
	}
	names := []string{"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare"}
	var cases []opCase
	for _, op := range names {
		for _, s := range shapes {
			cases = append(cases, opCase{name: fmt.Sprint(s.in, " over ", s.axes), op: op, inputs: inputs(positive(s.in...), list(s.axes...)), outputs: outputs(float(s.out...))})
		}
		cases = append(cases,
			opCase{name: "of int64", op: op, inputs: inputs(small(graph.Int64, 2, 9), list(1)), outputs: outputs(output(graph.Int64, 2, 1))},
			opCase{name: "of uint8", op: op, inputs: inputs(small(graph.Uint8, 3, 5), list(0)), outputs: outputs(output(graph.Uint8, 1, 5))},
			opCase{name: "of float64", op: op, inputs: inputs(doubles(4, 30), list(0)), outputs: outputs(output(graph.Float64, 1, 30))},
			opCase{name: "of no elements", op: op, inputs: inputs(input(2, 0, 3), list(1)), outputs: outputs(float(2, 1, 3))})
	}
	cases = append(cases,
		opCase{name: "of a scalar", op: "ReduceSum", inputs: inputs(input()), outputs: outputs(float())},
		opCase{name: "of all axes", op: "ReduceMean", attrs: graph.Attrs{"keepdims": int64(0)}, inputs: inputs(input(3, 50)), outputs: outputs(float())},
		opCase{name: "of no axes", op: "ReduceSum", attrs: graph.Attrs{"noop_with_empty_axes": int64(1)}, inputs: inputs(input(3, 50), list()), outputs: outputs(float(3, 50))},
		opCase{name: "of bools", op: "ReduceMin", inputs: inputs(counted(graph.Bool, 4, 5), list(1)), outputs: outputs(output(graph.Bool, 4, 1))},
		opCase{name: "of large numbers", op: "ReduceLogSumExp", inputs: inputs(floats([]float32{500, 501, -500, 3}, 2, 2), list(1)), outputs: outputs(float(2, 1))},
		opCase{name: "with a fused activation", op: "ReduceSum", inputs: inputs(input(3, 50), list(0)), outputs: outputs(float(1, 50)), fused: []string{"Relu"}})
	compareAll(t, withOddNumbers(cases))
}

func TestOrdersAgreeWithTheHost(t *testing.T) {
	axis := func(a int64) graph.Attrs { return graph.Attrs{"axis": a} }
	last := graph.Attrs{"axis": int64(1), "select_last_index": int64(1), "keepdims": int64(0)}
	ties := small(graph.Int32, 3, 11, 4)
	var cases []opCase
	for _, op := range []string{"ArgMax", "ArgMin"} {
		cases = append(cases,
			opCase{name: "of float32", op: op, attrs: axis(-1), inputs: inputs(input(3, 40)), outputs: outputs(output(graph.Int64, 3, 1))},
			opCase{name: "of odd numbers", op: op, attrs: axis(0), inputs: inputs(odd(40, 3)), outputs: outputs(output(graph.Int64, 1, 3))},
			opCase{name: "of ties", op: op, attrs: axis(1), inputs: inputs(ties), outputs: outputs(output(graph.Int32, 3, 1, 4))},
			opCase{name: "of ties from the end", op: op, attrs: last, inputs: inputs(ties), outputs: outputs(output(graph.Int64, 3, 4))})
	}
	for _, largest := range []int64{0, 1} {
		attrs := graph.Attrs{"axis": int64(1), "largest": largest}
		cases = append(cases,
			opCase{name: fmt.Sprint("of float32, largest ", largest), op: "TopK", attrs: attrs, inputs: inputs(odd(3, 40), list(7)), outputs: outputs(float(3, 7), output(graph.Int64, 3, 7))},
			opCase{name: fmt.Sprint("of ties, largest ", largest), op: "TopK", attrs: attrs, inputs: inputs(ties, list(11)), outputs: outputs(output(graph.Int32, 3, 11, 4), output(graph.Int32, 3, 11, 4))})
	}
	for _, exclusive := range []int64{0, 1} {
		for _, reverse := range []int64{0, 1} {
			attrs := graph.Attrs{"exclusive": exclusive, "reverse": reverse}
			name := fmt.Sprint("of float32, exclusive ", exclusive, " reverse ", reverse)
			cases = append(cases, opCase{name: name, op: "CumSum", attrs: attrs, inputs: inputs(input(3, 20, 2), list(1)), outputs: outputs(float(3, 20, 2))})
		}
	}
	cases = append(cases,
		opCase{name: "of one result", op: "TopK", inputs: inputs(input(40), list(3)), outputs: outputs(operand{}, output(graph.Int64, 3))},
		opCase{name: "of int64 in place", op: "CumSum", inputs: inputs(counted(graph.Int64, 3, 20), list(-1)), outputs: outputs(output(graph.Int64, 3, 20)), inPlace: true},
		opCase{name: "of float32", op: "Hardmax", inputs: inputs(odd(3, 20)), outputs: outputs(float(3, 20))},
		opCase{name: "of ties", op: "Hardmax", attrs: axis(1), inputs: inputs(ties), outputs: outputs(output(graph.Int32, 3, 11, 4))})
	compareAll(t, cases)
}

func TestSoftmaxesAgreeWithTheHost(t *testing.T) {
	var cases []opCase
	for _, op := range []string{"Softmax", "LogSoftmax"} {
		for _, axis := range []int64{-1, 1, 0} {
			for _, shape := range [][]int64{{3, 40, 1}, {2, 5, 33}, {4, 3, 2}} {
				cases = append(cases, opCase{name: fmt.Sprint(shape, " on axis ", axis), op: op, attrs: graph.Attrs{"axis": axis}, inputs: inputs(input(shape...)), outputs: outputs(float(shape...))})
			}
		}
		cases = append(cases,
			opCase{name: "in place", op: op, inputs: inputs(input(3, 40)), outputs: outputs(float(3, 40)), inPlace: true},
			opCase{name: "of a scalar", op: op, attrs: graph.Attrs{"axis": int64(0)}, inputs: inputs(input()), outputs: outputs(float())},
			opCase{name: "of all that follows", op: op, attrs: graph.Attrs{"flatten": int64(1)}, inputs: inputs(input(2, 5, 33)), outputs: outputs(float(2, 5, 33))},
			opCase{name: "by beta", op: op, attrs: graph.Attrs{"beta": float32(0.5)}, inputs: inputs(input(2, 5)), outputs: outputs(float(2, 5))},
			opCase{name: "of odd numbers", op: op, inputs: inputs(odd(4, 5)), outputs: outputs(float(4, 5))},
			opCase{name: "of float16", op: op, inputs: inputs(halves(4, 5)), outputs: outputs(output(graph.Float16, 4, 5))})
	}
	compareAll(t, cases)
}
