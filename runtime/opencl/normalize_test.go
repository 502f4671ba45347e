package opencl_test

import (
	"fmt"
	"testing"

	"github.com/memplan/memplan/planner/graph"
)

func TestNormalisationsAgreeWithTheHost(t *testing.T) {
	x, y := input(2, 6, 5, 7), float(2, 6, 5, 7)
	six := inputs(x, input(6), input(6))
	axis := func(a int64) graph.Attrs { return graph.Attrs{"axis": a} }
	cases := []opCase{
		{name: "of pictures", op: "BatchNormalization", inputs: inputs(x, input(6), input(6), input(6), positive(6)), outputs: outputs(y)},
		{name: "in place", op: "BatchNormalization", inputs: inputs(x, input(6), input(6), input(6), positive(6)), outputs: outputs(y), inPlace: true, fused: []string{"Relu"}},
		{name: "of rows", op: "BatchNormalization", inputs: inputs(input(5, 33), input(33), input(33), input(33), positive(33)), outputs: outputs(float(5, 33))},
		{name: "of a list", op: "BatchNormalization", inputs: inputs(input(33), input(33), input(33), input(33), positive(33)), outputs: outputs(float(33))},
		{name: "of pictures", op: "InstanceNormalization", inputs: six, outputs: outputs(y)},
		{name: "by channel", op: "GroupNormalization", attrs: graph.Attrs{"num_groups": int64(3)}, inputs: six, outputs: outputs(y), inPlace: true},
		{name: "by group", op: "GroupNormalization", attrs: graph.Attrs{"num_groups": int64(3), "epsilon": float32(0.1)}, inputs: inputs(x, input(3), input(3)), outputs: outputs(y)},
		{name: "of rows", op: "LayerNormalization", inputs: inputs(input(3, 4, 40), input(40), input(40)), outputs: outputs(float(3, 4, 40))},
		{name: "with its moments", op: "LayerNormalization", attrs: axis(1), inputs: inputs(input(3, 4, 5), input(4, 5)), outputs: outputs(float(3, 4, 5), float(3, 1, 1), float(3, 1, 1))},
		{name: "of planes", op: "MeanVarianceNormalization", inputs: inputs(x), outputs: outputs(y)},
		{name: "of rows", op: "MeanVarianceNormalization", attrs: graph.Attrs{"axes": []int64{-1}}, inputs: inputs(input(3, 40)), outputs: outputs(float(3, 40)), inPlace: true},
		{name: "of rows", op: "L2Normalization", domain: "tflite", inputs: inputs(input(3, 40)), outputs: outputs(float(3, 40))},
	}
	for _, size := range []int64{1, 3, 4} {
		attrs := graph.Attrs{"size": size, "alpha": float32(0.5), "bias": float32(2)}
		cases = append(cases, opCase{name: fmt.Sprint("over ", size, " channels"), op: "LRN", attrs: attrs, inputs: inputs(x), outputs: outputs(y)})
	}
	for _, p := range []int64{1, 2} {
		attrs := graph.Attrs{"p": p, "axis": int64(1)}
		cases = append(cases, opCase{name: fmt.Sprint("by the norm ", p), op: "LpNormalization", attrs: attrs, inputs: inputs(x), outputs: outputs(y)})
	}
	zeros := floats(make([]float32, 12), 3, 4)
	cases = append(cases, opCase{name: "of zeros", op: "LpNormalization", inputs: inputs(zeros), outputs: outputs(float(3, 4))})
	compareAll(t, withOddNumbers(cases))
}

func TestResizesAgreeWithTheHost(t *testing.T) {
	var cases []opCase
	x := input(2, 3, 7, 6)
	scales := floats([]float32{1, 1, 1.5, 2.5}, 4).constant()
	out := float(2, 3, 10, 15)
	for _, mode := range []string{"nearest", "linear", "cubic"} {
		for _, coordinates := range []string{"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn"} {
			attrs := graph.Attrs{"mode": mode, "coordinate_transformation_mode": coordinates, "nearest_mode": "floor"}
			cases = append(cases, opCase{name: mode + " " + coordinates, op: "Resize", attrs: attrs, inputs: inputs(x, operand{}, scales), outputs: outputs(out)})
		}
		roi := floats([]float32{0, 0, -0.2, 0.1, 1, 1, 0.9, 1.3}, 8).constant()
		crop := graph.Attrs{"mode": mode, "coordinate_transformation_mode": "tf_crop_and_resize", "extrapolation_value": float32(9)}
		cases = append(cases,
			opCase{name: mode + " of a region", op: "Resize", attrs: crop, inputs: inputs(x, roi, operand{}, list(2, 3, 10, 15)), outputs: outputs(out)},
			opCase{name: mode + " of channels last", op: "Resize", attrs: graph.Attrs{"mode": mode}, inputs: inputs(input(1, 4, 5, 24), operand{}, operand{}, list(1, 8, 3, 24)), outputs: outputs(float(1, 8, 3, 24))},
			opCase{name: mode + " without a change", op: "Resize", attrs: graph.Attrs{"mode": mode}, inputs: inputs(x, operand{}, operand{}, list(2, 3, 7, 6)), outputs: outputs(float(2, 3, 7, 6))},
			opCase{name: mode + " of three axes", op: "Resize", attrs: graph.Attrs{"mode": mode, "antialias": int64(1), "exclude_outside": int64(1)},
				inputs: inputs(x, operand{}, operand{}, list(2, 5, 3, 4)), outputs: outputs(float(2, 5, 3, 4))})
	}
	for _, rounding := range []string{"round_prefer_floor", "round_prefer_ceil", "ceil"} {
		attrs := graph.Attrs{"nearest_mode": rounding}
		cases = append(cases, opCase{name: rounding, op: "Resize", attrs: attrs, inputs: inputs(x, operand{}, scales), outputs: outputs(out), fused: []string{"Relu"}})
	}
	compareAll(t, withOddNumbers(cases))
}

func TestRecurrentCellsAgreeWithTheHost(t *testing.T) {
	const steps, batch, in, n = 5, 3, 4, 6
	var cases []opCase
	for op, gates := range map[string]int64{"LSTM": 4, "GRU": 3, "RNN": 1} {
		for _, direction := range []string{"forward", "reverse", "bidirectional"} {
			d := int64(1)
			if direction == "bidirectional" {
				d = 2
			}
			results := outputs(float(steps, d, batch, n), float(d, batch, n))
			if op == "LSTM" {
				results = append(results, float(d, batch, n))
			}
			weights := inputs(input(steps, batch, in), input(d, gates*n, in), input(d, gates*n, n))
			lengths := whole(graph.Int32, []int64{5, 2, 0}, batch)
			all := append(append([]operand{}, weights...), input(d, 2*gates*n), lengths, input(d, batch, n))
			attrs := graph.Attrs{"direction": direction, "hidden_size": int64(n), "clip": float32(1.5)}
			if op == "LSTM" {
				all = append(all, input(d, batch, n), input(d, 3*n))
				attrs["input_forget"] = int64(0)
			}
			cases = append(cases,
				opCase{name: direction, op: op, attrs: graph.Attrs{"direction": direction, "hidden_size": int64(n)}, inputs: weights, outputs: results},
				opCase{name: direction + " with everything", op: op, attrs: attrs, inputs: all, outputs: results})
		}
	}
	first := inputs(input(batch, steps, in), input(1, 3*n, in), input(1, 3*n, n))
	cases = append(cases,
		opCase{name: "of batches first", op: "GRU", attrs: graph.Attrs{"layout": int64(1), "linear_before_reset": int64(1)}, inputs: first, outputs: outputs(float(batch, steps, 1, n), float(batch, 1, n))},
		opCase{name: "with the last state alone", op: "LSTM", attrs: graph.Attrs{"input_forget": int64(1), "activations": []string{"HardSigmoid", "Softsign", "Relu"}},
			inputs: inputs(input(steps, batch, in), input(1, 4*n, in), input(1, 4*n, n)), outputs: outputs(operand{}, operand{}, float(1, batch, n))})
	for _, name := range []string{"Sigmoid", "Tanh", "Relu", "HardSigmoid", "Softsign", "Softplus"} {
		cases = append(cases, opCase{name: "through " + name, op: "RNN", attrs: graph.Attrs{"activations": []string{name}, "clip": float32(1)},
			inputs: inputs(input(steps, batch, in), input(1, n, in), input(1, n, n)), outputs: outputs(float(steps, 1, batch, n))})
	}
	compareAll(t, withOddNumbers(cases))
}
