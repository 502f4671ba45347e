package array

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// compareKernels give bool.
var compareKernels = map[string]entry{
	"Equal":          {kernel: comparison, needed: 2, most: 2, outputs: 1, halves: true},
	"Less":           {kernel: comparison, needed: 2, most: 2, outputs: 1, halves: true},
	"LessOrEqual":    {kernel: comparison, needed: 2, most: 2, outputs: 1, halves: true},
	"Greater":        {kernel: comparison, needed: 2, most: 2, outputs: 1, halves: true},
	"GreaterOrEqual": {kernel: comparison, needed: 2, most: 2, outputs: 1, halves: true},

	"And": {kernel: logic, needed: 2, most: 2, outputs: 1},
	"Or":  {kernel: logic, needed: 2, most: 2, outputs: 1},
	"Xor": {kernel: logic, needed: 2, most: 2, outputs: 1},
	"Not": {kernel: not, needed: 1, most: 1, outputs: 1},

	"IsNaN": {kernel: isNaN, needed: 1, most: 1, outputs: 1, halves: true},
	"IsInf": {kernel: isInf, needed: 1, most: 1, outputs: 1, halves: true},
}

func wantBool(arrays ...*Array) error {
	for _, a := range arrays {
		if a.DType != graph.Bool {
			return fmt.Errorf("element type %v where bool is needed", a.DType)
		}
	}
	return nil
}

func comparison(op *graph.Op, outputs, inputs []*Array) error {
	out, a, b := outputs[0], inputs[0], inputs[1]
	if err := wantBool(out); err != nil {
		return err
	}
	if err := sameDType(a, b); err != nil {
		return err
	}
	d := a.DType
	if d == graph.Bool && op.Op == "Equal" {
		d = graph.Uint8
	}
	n, err := numericOf(d)
	if err != nil {
		return err
	}
	return n.compare(op.Op, out, a, b)
}

func (of[T, A]) compare(name string, out, a, b *Array) error {
	switch name {
	case "Equal":
		return zipRuns(out, a, b, equalRun[T])
	case "Less":
		return zipRuns(out, a, b, lessRun[T])
	case "LessOrEqual":
		return zipRuns(out, a, b, lessOrEqualRun[T])
	case "Greater":
		return zipRuns(out, b, a, lessRun[T])
	case "GreaterOrEqual":
		return zipRuns(out, b, a, lessOrEqualRun[T])
	}
	return fmt.Errorf("there is no comparison %s", name)
}

func equalRun[T number](d []uint8, a, b []T) {
	for i := range d {
		d[i] = truth(a[i] == b[i])
	}
}

func lessRun[T number](d []uint8, a, b []T) {
	for i := range d {
		d[i] = truth(a[i] < b[i])
	}
}

func lessOrEqualRun[T number](d []uint8, a, b []T) {
	for i := range d {
		d[i] = truth(a[i] <= b[i])
	}
}

func logic(op *graph.Op, outputs, inputs []*Array) error {
	out, a, b := outputs[0], inputs[0], inputs[1]
	if err := wantBool(out, a, b); err != nil {
		return err
	}
	run := func(d, a, b []uint8) {
		for i := range d {
			d[i] = truth(a[i] != 0 && b[i] != 0)
		}
	}
	switch op.Op {
	case "Or":
		run = func(d, a, b []uint8) {
			for i := range d {
				d[i] = truth(a[i]|b[i] != 0)
			}
		}
	case "Xor":
		run = func(d, a, b []uint8) {
			for i := range d {
				d[i] = truth((a[i] != 0) != (b[i] != 0))
			}
		}
	}
	return zipRuns(out, a, b, run)
}

func not(_ *graph.Op, outputs, inputs []*Array) error {
	if err := wantBool(outputs[0], inputs[0]); err != nil {
		return err
	}
	if err := wantShape(outputs[0], dims(inputs[0].Shape)); err != nil {
		return err
	}
	for i, v := range inputs[0].Data {
		outputs[0].Data[i] = truth(v == 0)
	}
	return nil
}

func isNaN(_ *graph.Op, outputs, inputs []*Array) error {
	return testFloats(outputs[0], inputs[0], func(v float64) bool { return v != v })
}

func isInf(op *graph.Op, outputs, inputs []*Array) error {
	positive := op.Attrs.Int("detect_positive", 1) != 0
	negative := op.Attrs.Int("detect_negative", 1) != 0
	_, inf := limits[float64]()
	return testFloats(outputs[0], inputs[0], func(v float64) bool {
		return positive && v == inf || negative && v == -inf
	})
}

func testFloats(out, in *Array, test func(float64) bool) error {
	if err := wantBool(out); err != nil {
		return err
	}
	if err := wantShape(out, dims(in.Shape)); err != nil {
		return err
	}
	switch in.DType {
	case graph.Float32:
		for i, v := range View[float32](in) {
			out.Data[i] = truth(test(float64(v)))
		}
	case graph.Float64:
		for i, v := range View[float64](in) {
			out.Data[i] = truth(test(v))
		}
	default:
		return fmt.Errorf("%v is no float", in.DType)
	}
	return nil
}
