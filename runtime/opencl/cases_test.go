package opencl_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/memplan/memplan/planner/graph"
)

// opCase is one op on given operands, compared with the host.
type opCase struct {
	name    string
	op      string
	domain  string
	attrs   graph.Attrs
	inputs  []operand
	outputs []operand
	// fused are ops that follow.
	fused   []string
	inPlace bool
}

// withOddNumbers adds to cases the same ones with a NaN, infinities and zeros in the first input.
func withOddNumbers(cases []opCase) []opCase {
	for _, c := range slices.Clone(cases) {
		c.name += " with odd numbers"
		c.inputs = slices.Clone(c.inputs)
		if c.inputs[0].dtype == graph.Float32 {
			c.inputs[0] = c.inputs[0].with(oddNumbers...)
			cases = append(cases, c)
		}
	}
	return cases
}

// compareAll compares each case with the host.
func compareAll(t *testing.T, cases []opCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.op+" "+c.name, func(t *testing.T) {
			op := &graph.Op{Name: "op", Op: c.op, Domain: c.domain, Attrs: c.attrs}
			if len(c.fused) > 0 {
				op.Fused = append([]string{c.op}, c.fused...)
			}
			(&rig{op: op, inputs: c.inputs, outputs: c.outputs, inPlace: c.inPlace}).within(t, 1e-5)
		})
	}
}

// whole is an operand of integers of a type.
func whole(dtype graph.DType, values []int64, shape ...int64) operand {
	var data []byte
	for _, v := range values {
		data = append(data, binary.LittleEndian.AppendUint64(nil, uint64(v))[:dtype.Size()]...)
	}
	return operand{role: graph.Input, dtype: dtype, shape: append(graph.Shape{}, shape...), data: data}
}

// list is a constant list of int64.
func list(values ...int64) operand {
	return whole(graph.Int64, values, int64(len(values))).constant()
}

// counted is an operand of a type whose elements differ: integers below and above 0, all bits used, bools in turns.
func counted(dtype graph.DType, shape ...int64) operand {
	n, _ := append(graph.Shape{}, shape...).Elements()
	values := make([]int64, n)
	for i := range values {
		values[i] = int64(uint64(i+1) * 0x9e3779b97f4a7c15)
		if dtype == graph.Bool {
			values[i] = int64(i*i) % 3 & 1
		}
	}
	return whole(dtype, values, shape...)
}

// small is an operand of integers from 1 to 7 and, where the type has them, from -7 to -1.
func small(dtype graph.DType, shape ...int64) operand {
	n, _ := append(graph.Shape{}, shape...).Elements()
	values := make([]int64, n)
	for i := range values {
		values[i] = int64(i*5+int(n))%7 + 1
		if i%3 == 0 && dtype.String()[0] == 'i' {
			values[i] *= -1
		}
	}
	return whole(dtype, values, shape...)
}

// doubles is an operand of float64.
func doubles(shape ...int64) operand {
	n, _ := append(graph.Shape{}, shape...).Elements()
	var data []byte
	for i := range n {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(float64((i*37+n)%101)/25-2+1e-9*float64(i)))
	}
	return operand{role: graph.Input, dtype: graph.Float64, shape: append(graph.Shape{}, shape...), data: data}
}

// positive is input with values above 0.
func positive(shape ...int64) operand {
	o := input(shape...)
	for i := range len(o.data) / 4 {
		v := math.Float32frombits(binary.LittleEndian.Uint32(o.data[4*i:]))
		binary.LittleEndian.PutUint32(o.data[4*i:], math.Float32bits(v+2.05))
	}
	return o
}

var oddNumbers = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1)}

// odd is input with a NaN, infinities and zeros of both signs among the values.
func odd(shape ...int64) operand { return input(shape...).with(oddNumbers...) }

// with is the operand with other numbers in every seventh place, as many as there are places for.
func (o operand) with(numbers ...float64) operand {
	o.data = slices.Clone(o.data)
	for i, v := range numbers {
		if at := i * 7; at < len(o.data)/4 {
			binary.LittleEndian.PutUint32(o.data[4*at:], math.Float32bits(float32(v)))
		}
	}
	return o
}

// float is a result of float32.
func float(shape ...int64) operand { return output(graph.Float32, shape...) }

// outputs puts results into a list.
func outputs(list ...operand) []operand { return list }

// inputs puts operands into a list.
func inputs(list ...operand) []operand { return list }

// floatOf64 is a scalar of float64.
func floatOf64(v float64) operand {
	return operand{role: graph.Input, dtype: graph.Float64, shape: graph.Shape{}, data: binary.LittleEndian.AppendUint64(nil, math.Float64bits(v))}
}
