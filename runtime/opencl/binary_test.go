package opencl_test

import (
	"context"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/opencl/opencltest"
	"github.com/stretchr/testify/require"
)

// broadcasts are shapes of two operands and of the result.
var broadcasts = []struct {
	name    string
	x, y, z []int64
}{
	{"of one shape", []int64{3, 5, 7}, []int64{3, 5, 7}, []int64{3, 5, 7}},
	{"of long rows", []int64{2, 1000}, []int64{2, 1000}, []int64{2, 1000}},
	{"with a scalar", []int64{4, 33}, []int64{}, []int64{4, 33}},
	{"of scalars", []int64{}, []int64{}, []int64{}},
	{"with a scalar on the left", []int64{1}, []int64{2, 17}, []int64{2, 17}},
	{"by channel", []int64{2, 6, 4, 5}, []int64{6, 1, 1}, []int64{2, 6, 4, 5}},
	{"by last axis", []int64{2, 4, 5, 24}, []int64{24}, []int64{2, 4, 5, 24}},
	{"both ways", []int64{3, 1, 5}, []int64{1, 4, 1}, []int64{3, 4, 5}},
	{"over six axes", []int64{2, 1, 3, 1, 2, 1}, []int64{2, 1, 3, 1, 2}, []int64{2, 2, 3, 3, 2, 2}},
	{"of nothing", []int64{0, 3}, []int64{3}, []int64{0, 3}},
}

func TestBroadcastsAgreeWithTheHost(t *testing.T) {
	var cases []opCase
	for _, s := range broadcasts {
		for _, op := range []string{"Add", "Sub", "Max"} {
			cases = append(cases, opCase{name: s.name, op: op, inputs: inputs(input(s.x...), input(s.y...)), outputs: outputs(float(s.z...))})
		}
		cases = append(cases, opCase{name: s.name, op: "Less", inputs: inputs(input(s.x...), input(s.y...)), outputs: outputs(output(graph.Bool, s.z...))})
		cases = append(cases, opCase{name: "of int64 " + s.name, op: "Mul", inputs: inputs(counted(graph.Int64, s.x...), counted(graph.Int64, s.y...)), outputs: outputs(output(graph.Int64, s.z...))})
		condition := counted(graph.Bool, s.x...)
		cases = append(cases, opCase{name: s.name, op: "Where", inputs: inputs(condition, input(s.y...), input(s.z...)), outputs: outputs(float(s.z...))})
	}
	compareAll(t, cases)
}

func TestFunctionsOfTwoNumbersAgreeWithTheHost(t *testing.T) {
	var cases []opCase
	for _, op := range []string{"Add", "Sub", "Mul", "Div", "Max", "Min", "Sum", "Mean", "PRelu"} {
		cases = append(cases,
			opCase{name: "of float32", op: op, inputs: inputs(odd(5, 40), input(5, 40)), outputs: outputs(float(5, 40))},
			opCase{name: "in place", op: op, inputs: inputs(input(5, 40), input(40)), outputs: outputs(float(5, 40)), inPlace: true})
	}
	for _, op := range []string{"Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual"} {
		cases = append(cases,
			opCase{name: "of float32", op: op, inputs: inputs(odd(5, 40), odd(40)), outputs: outputs(output(graph.Bool, 5, 40))})
	}
	for _, op := range []string{"SquaredDifference", "FloorDiv", "FloorMod"} {
		cases = append(cases, opCase{name: "of float32", op: op, domain: "tflite", inputs: inputs(input(5, 40), positive(40)), outputs: outputs(float(5, 40))})
		cases = append(cases, opCase{name: "of int32", op: op, domain: "tflite", inputs: inputs(small(graph.Int32, 40), small(graph.Int32, 40)), outputs: outputs(output(graph.Int32, 40))})
	}
	cases = append(cases,
		opCase{name: "of float64", op: "Div", inputs: inputs(doubles(3, 20), doubles(20)), outputs: outputs(output(graph.Float64, 3, 20))},
		opCase{name: "of float64", op: "Less", inputs: inputs(doubles(64), doubles(64)), outputs: outputs(output(graph.Bool, 64))},
		opCase{name: "of float32", op: "Pow", inputs: inputs(positive(5, 40), input(40)), outputs: outputs(float(5, 40))},
		opCase{name: "of float32 by int64", op: "Pow", inputs: inputs(input(40), small(graph.Int64, 40)), outputs: outputs(float(40))},
		opCase{name: "of int64 by int32", op: "Pow", inputs: inputs(small(graph.Int64, 40), small(graph.Int32, 40)), outputs: outputs(output(graph.Int64, 40))},
		opCase{name: "of int32 by float32", op: "Pow", inputs: inputs(small(graph.Int32, 8), floats([]float32{1, 2, 3, 4, 5, 6, 7, 8}, 8)), outputs: outputs(output(graph.Int32, 8))},
		opCase{name: "of the sign of the dividend", op: "Mod", attrs: graph.Attrs{"fmod": int64(1)}, inputs: inputs(input(40), positive(40)), outputs: outputs(float(40))},
		opCase{name: "of four operands", op: "Sum", inputs: inputs(input(5, 8), input(8), input(5, 1), input(1)), outputs: outputs(float(5, 8))},
		opCase{name: "of three operands", op: "Mean", inputs: inputs(input(5, 8), input(8), input(5, 1)), outputs: outputs(float(5, 8)), inPlace: true},
		opCase{name: "of one operand", op: "Min", inputs: inputs(input(5, 8)), outputs: outputs(float(5, 8))},
		opCase{name: "with a fused activation", op: "Add", inputs: inputs(input(5, 8), input(8)), outputs: outputs(float(5, 8)), fused: []string{"Relu"}},
		opCase{name: "of float16", op: "Mul", inputs: inputs(halves(5, 8), halves(8)), outputs: outputs(output(graph.Float16, 5, 8))},
	)
	compareAll(t, cases)
}

// halves is an operand of float16 between 1 and 2.
func halves(shape ...int64) operand {
	o := counted(graph.Uint16, shape...)
	for i := range len(o.data) / 2 {
		o.data[2*i+1] = 0x3c | o.data[2*i+1]&3
	}
	o.dtype = graph.Float16
	return o
}

func TestIntegersOfEveryTypeAreExact(t *testing.T) {
	// Every variant is compiled, so each type has few ops and one has all.
	types := []graph.DType{graph.Int8, graph.Uint16, graph.Int32, graph.Uint64}
	var cases []opCase
	add := func(op string, attrs graph.Attrs, dtype, to graph.DType, x, y operand) {
		cases = append(cases, opCase{name: "of " + dtype.String(), op: op, attrs: attrs, inputs: inputs(x, y), outputs: outputs(output(to, 3, 21))})
	}
	for _, dtype := range types {
		all, few := counted(dtype, 3, 21), small(dtype, 21)
		add("Sub", nil, dtype, dtype, all, few)
		add("Mod", nil, dtype, dtype, all, few)
	}
	for _, dtype := range []graph.DType{graph.Int64} {
		add("Less", nil, dtype, graph.Bool, counted(dtype, 3, 21), small(dtype, 21))
		all, few := counted(dtype, 3, 21), small(dtype, 21)
		for _, op := range []string{"Add", "Mul", "Div", "Max", "Min", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Pow"} {
			add(op, nil, dtype, dtype, all, few)
		}
		add("Mod", graph.Attrs{"fmod": int64(1)}, dtype, dtype, all, few)
		add("BitShift", graph.Attrs{"direction": "LEFT"}, dtype, dtype, all, few)
		add("BitShift", graph.Attrs{"direction": "RIGHT"}, dtype, dtype, all, few)
		for _, op := range []string{"Equal", "LessOrEqual", "Greater", "GreaterOrEqual"} {
			add(op, nil, dtype, graph.Bool, all, few)
		}
		cases = append(cases, opCase{name: "of " + dtype.String(), op: "BitwiseNot", inputs: inputs(all), outputs: outputs(output(dtype, 3, 21))})
	}
	least := whole(graph.Int64, []int64{-1 << 63, -1 << 63, 7, -7}, 4)
	by := whole(graph.Int64, []int64{-1, 2, -2, 2}, 4)
	for _, op := range []string{"Div", "Mod"} {
		cases = append(cases, opCase{name: "of the least number", op: op, inputs: inputs(least, by), outputs: outputs(output(graph.Int64, 4))})
	}
	for _, op := range []string{"And", "Or", "Xor", "Equal"} {
		x, y := whole(graph.Bool, []int64{0, 0, 1, 1}, 4), whole(graph.Bool, []int64{0, 1, 0, 1}, 4)
		cases = append(cases, opCase{name: "of bools", op: op, inputs: inputs(x, y), outputs: outputs(output(graph.Bool, 4))})
	}
	compareAll(t, cases)
}

func TestTestsOfOneNumberAgreeWithTheHost(t *testing.T) {
	result := outputs(output(graph.Bool, 3, 13))
	compareAll(t, []opCase{
		{name: "of bools", op: "Not", inputs: inputs(counted(graph.Bool, 3, 13)), outputs: result},
		{name: "of bools in place", op: "Not", inputs: inputs(counted(graph.Bool, 3, 13)), outputs: result, inPlace: true},
		{name: "of float32", op: "IsNaN", inputs: inputs(odd(3, 13)), outputs: result},
		{name: "of both signs", op: "IsInf", inputs: inputs(odd(3, 13)), outputs: result},
		{name: "above", op: "IsInf", attrs: graph.Attrs{"detect_negative": int64(0)}, inputs: inputs(odd(3, 13)), outputs: result},
		{name: "below", op: "IsInf", attrs: graph.Attrs{"detect_positive": int64(0)}, inputs: inputs(odd(3, 13)), outputs: result},
		{name: "of no sign", op: "IsInf", attrs: graph.Attrs{"detect_positive": int64(0), "detect_negative": int64(0)}, inputs: inputs(odd(3, 13)), outputs: result},
	})
}

func TestWhatHasNoMeaningFailsTheRun(t *testing.T) {
	for name, c := range map[string]opCase{
		"a divisor is 0":           {op: "Div", inputs: inputs(counted(graph.Int32, 20), whole(graph.Int32, []int64{0}, 1)), outputs: outputs(output(graph.Int32, 20))},
		"an index is out of range": {op: "Gather", inputs: inputs(input(5, 3), whole(graph.Int64, []int64{1, 5}, 2)), outputs: outputs(float(2, 3))},
		"the number of elements is not the planned one": {op: "Range", inputs: inputs(whole(graph.Int64, []int64{0}), whole(graph.Int64, []int64{9}), whole(graph.Int64, []int64{1})),
			outputs: outputs(output(graph.Int64, 5))},
		"the number of elements that are not 0 is not the planned one": {op: "NonZero", inputs: inputs(whole(graph.Int64, []int64{1, 0, 1}, 3)), outputs: outputs(output(graph.Int64, 1, 1))},
		"a length is outside of the time axis":                         {op: "ReverseSequence", inputs: inputs(input(4, 2), whole(graph.Int64, []int64{2, 5}, 2)), outputs: outputs(float(4, 2))},
	} {
		t.Run(name, func(t *testing.T) {
			dev := opencltest.Connect(t).NewDevice()
			defer func() { require.NoError(t, dev.Close()) }()
			p := (&rig{op: &graph.Op{Name: "op", Op: c.op}, inputs: c.inputs, outputs: c.outputs}).place(t)
			h, diags := p.prepare(t, dev)
			require.Empty(t, diags)
			require.NoError(t, dev.Run(context.Background(), h))
			var failed *device.StepError
			require.ErrorAs(t, dev.Finish(), &failed)
			require.EqualError(t, failed.Err, name)
			require.NoError(t, dev.Finish(), "a flag is lowered")
		})
	}
}
