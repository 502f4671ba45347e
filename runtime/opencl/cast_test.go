package opencl_test

import (
	"testing"

	"github.com/memplan/memplan/planner/graph"
)

func TestCastsAgreeWithTheHost(t *testing.T) {
	wide := floats([]float32{0, 1, -1, 0.9, -0.9, 2.5, -2.5, 127.5, 128, -129, 255.9, 256, 70000, -70000, 3e9, -3e9, 1e19, -1e19, 3e38, 1e-40}, 20)
	special := odd(40)
	var cases []opCase
	of := func(name string, x operand, to graph.DType) {
		cases = append(cases, opCase{name: name + x.dtype.String() + " to " + to.String(), op: "Cast", inputs: inputs(x), outputs: outputs(output(to, x.shape...))})
	}
	for _, to := range []graph.DType{graph.Uint8, graph.Int32, graph.Int64, graph.Uint64, graph.Bool, graph.Float16, graph.BFloat16, graph.Float64} {
		of("", wide, to)
		of("odd ", special, to)
	}
	for _, to := range []graph.DType{graph.Int8, graph.Float32, graph.Bool} {
		of("", counted(graph.Int64, 3, 11), to)
	}
	for _, from := range []graph.DType{graph.Int8, graph.Uint64, graph.Bool} {
		of("", counted(from, 3, 11), graph.Float32)
	}
	of("", halves(21), graph.Float32)
	of("", doubles(21), graph.Float32)
	of("", counted(graph.Int64, 3), graph.Int64)
	compareAll(t, cases)
}

func TestQuantisationsAgreeWithTheHost(t *testing.T) {
	x := input(2, 6, 5)
	scale, zero := positive(6), func(dtype graph.DType, shape ...int64) operand { return small(dtype, shape...) }
	axis := graph.Attrs{"axis": int64(1)}
	blocks := graph.Attrs{"axis": int64(1), "block_size": int64(4)}
	var cases []opCase
	for _, dtype := range []graph.DType{graph.Int8, graph.Uint16, graph.Int32} {
		cases = append(cases,
			opCase{name: "to " + dtype.String(), op: "QuantizeLinear", attrs: axis, inputs: inputs(x, scale, zero(dtype, 6)), outputs: outputs(output(dtype, 2, 6, 5))},
			opCase{name: "from " + dtype.String(), op: "DequantizeLinear", attrs: axis, inputs: inputs(counted(dtype, 2, 6, 5), scale, zero(dtype, 6)), outputs: outputs(float(2, 6, 5))})
	}
	cases = append(cases,
		opCase{name: "of odd numbers", op: "QuantizeLinear", inputs: inputs(odd(40), floats([]float32{0.25})), outputs: outputs(output(graph.Uint8, 40))},
		opCase{name: "by blocks", op: "QuantizeLinear", attrs: blocks, inputs: inputs(x, positive(2, 2, 5)), outputs: outputs(output(graph.Int8, 2, 6, 5))},
		opCase{name: "by blocks", op: "DequantizeLinear", attrs: blocks, inputs: inputs(counted(graph.Int8, 2, 6, 5), positive(2, 2, 5), zero(graph.Int8, 2, 2, 5)), outputs: outputs(float(2, 6, 5))},
		opCase{name: "of a range", op: "DynamicQuantizeLinear", inputs: inputs(input(3, 171)), outputs: outputs(output(graph.Uint8, 3, 171), float(), output(graph.Uint8))},
		opCase{name: "of odd numbers", op: "DynamicQuantizeLinear", inputs: inputs(odd(40)), outputs: outputs(output(graph.Uint8, 40), float(), output(graph.Uint8))},
		opCase{name: "of positive numbers", op: "DynamicQuantizeLinear", inputs: inputs(positive(7)), outputs: outputs(output(graph.Uint8, 7), float(), output(graph.Uint8))},
		opCase{name: "to float16", op: "DequantizeLinear", inputs: inputs(counted(graph.Int8, 33), halves()), outputs: outputs(output(graph.Float16, 33))})
	compareAll(t, cases)
}
