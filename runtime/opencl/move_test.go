package opencl_test

import (
	"fmt"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/host"
	"github.com/memplan/memplan/runtime/opencl"
	"github.com/memplan/memplan/runtime/opencl/opencltest"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// elementTypes has a type of each size of elements.
var elementTypes = []graph.DType{graph.Uint8, graph.Float32, graph.Int64, graph.Complex128}

func TestElementsOfEverySizeMove(t *testing.T) {
	var cases []opCase
	for _, dtype := range elementTypes {
		x := operand{role: graph.Input, dtype: dtype, shape: graph.Shape{3, 17, 20}, data: counted(graph.Uint8, 3*17*20*dtype.Size()).data}
		of := func(name, op string, out []int64, attrs graph.Attrs, more ...operand) {
			cases = append(cases, opCase{name: name + " of " + dtype.String(), op: op, attrs: attrs,
				inputs: append([]operand{x}, more...), outputs: outputs(output(dtype, out...))})
		}
		of("planes", "Transpose", []int64{20, 3, 17}, graph.Attrs{"perm": []int64{2, 0, 1}})
		of("rows", "Slice", []int64{3, 5, 20}, nil, list(2), list(17), list(1), list(3))
		of("copies", "Tile", []int64{3, 34, 20}, nil, list(1, 2, 1))
		of("rows", "Concat", []int64{3, 34, 20}, graph.Attrs{"axis": int64(1)}, x)
		of("borders", "Pad", []int64{3, 19, 25}, nil, list(0, 1, 2, 0, 1, 3))
		of("edges", "Pad", []int64{3, 19, 25}, graph.Attrs{"mode": "reflect"}, list(0, 1, 2, 0, 1, 3))
		of("rows", "Gather", []int64{3, 2, 20}, graph.Attrs{"axis": int64(1)}, list(16, -16))
	}
	compareAll(t, cases)
}

func TestTransposesAgreeWithTheHost(t *testing.T) {
	var cases []opCase
	for _, c := range []struct {
		shape, perm []int64
	}{
		{[]int64{}, []int64{}}, {[]int64{7}, []int64{0}}, {[]int64{33, 18}, []int64{1, 0}}, {[]int64{2, 3, 40, 24}, []int64{0, 2, 3, 1}},
		{[]int64{2, 40, 24, 3}, []int64{0, 3, 1, 2}}, {[]int64{2, 3, 4, 5}, []int64{0, 2, 1, 3}}, {[]int64{2, 3, 2, 3, 2, 3}, []int64{5, 3, 1, 4, 2, 0}},
		{[]int64{1, 1, 5}, []int64{2, 1, 0}}, {[]int64{0, 4}, []int64{1, 0}},
	} {
		out := make([]int64, len(c.perm))
		for i, p := range c.perm {
			out[i] = c.shape[p]
		}
		cases = append(cases, opCase{name: fmt.Sprint(c.shape, " by ", c.perm), op: "Transpose", attrs: graph.Attrs{"perm": c.perm}, inputs: inputs(input(c.shape...)), outputs: outputs(float(out...))})
	}
	cases = append(cases, opCase{name: "reverses without perm", op: "Transpose", inputs: inputs(input(2, 3, 4)), outputs: outputs(float(4, 3, 2))})
	compareAll(t, cases)
}

func TestSlicesAgreeWithTheHost(t *testing.T) {
	x := input(4, 9, 20)
	compareAll(t, []opCase{
		{name: "with steps below 0", op: "Slice", inputs: inputs(x, list(-1, 8), list(-100, 1), list(0, 1), list(-1, -3)), outputs: outputs(float(4, 3, 20))},
		{name: "of the innermost axis", op: "Slice", inputs: inputs(x, list(19), list(-21), list(2), list(-2)), outputs: outputs(float(4, 9, 10))},
		{name: "clamped", op: "Slice", inputs: inputs(x, list(-100), list(1<<62), list(2)), outputs: outputs(float(4, 9, 20))},
		{name: "of nothing", op: "Slice", inputs: inputs(x, list(3), list(1), list(0)), outputs: outputs(float(0, 9, 20))},
		{name: "of a list", op: "Slice", inputs: inputs(counted(graph.Int64, 7), list(1), list(6), operand{}, list(2)), outputs: outputs(output(graph.Int64, 3))},
		{name: "of two axes", op: "ReverseV2", domain: "tflite", inputs: inputs(x, list(0, -1)), outputs: outputs(float(4, 9, 20))},
		{name: "of parts", op: "Split", attrs: graph.Attrs{"axis": int64(1)}, inputs: inputs(x, list(2, 0, 7)), outputs: outputs(float(4, 2, 20), float(4, 0, 20), float(4, 7, 20))},
		{name: "of equal parts", op: "Split", attrs: graph.Attrs{"axis": int64(-1)}, inputs: inputs(x), outputs: outputs(float(4, 9, 10), float(4, 9, 10))},
		{name: "of unequal parts", op: "Split", attrs: graph.Attrs{"axis": int64(1)}, inputs: inputs(x), outputs: outputs(float(4, 5, 20), operand{})},
		{name: "side by side", op: "Concat", attrs: graph.Attrs{"axis": int64(-1)}, inputs: inputs(x, input(4, 9, 3), input(4, 9, 0), x), outputs: outputs(float(4, 9, 43))},
		{name: "one after the other", op: "Concat", inputs: inputs(x, input(1, 9, 20)), outputs: outputs(float(5, 9, 20)), fused: []string{"Relu"}},
	})
}

func TestPaddingsAgreeWithTheHost(t *testing.T) {
	var cases []opCase
	x := input(2, 5, 6, 3)
	for _, mode := range []string{"constant", "edge", "reflect", "wrap", "symmetric"} {
		of := func(name string, out []int64, in operand, more ...operand) {
			cases = append(cases, opCase{name: mode + " " + name, op: "Pad", attrs: graph.Attrs{"mode": mode}, inputs: append([]operand{in}, more...), outputs: outputs(float(out...))})
		}
		of("of pictures", []int64{2, 8, 9, 3}, x, list(0, 1, 2, 0, 0, 2, 1, 0))
		of("of channels", []int64{2, 5, 6, 8}, x, list(0, 0, 0, 2, 0, 0, 0, 3))
		of("below 0", []int64{2, 4, 7, 3}, x, list(0, -2, -1, 0, 0, 1, 2, 0))
		of("of nothing", []int64{2, 5, 6, 3}, x, list(0, 0, 0, 0, 0, 0, 0, 0))
		of("of axes", []int64{2, 5, 9, 3}, x, list(2, 1), operand{}, list(-2))
	}
	cases = append(cases,
		opCase{name: "by a value", op: "Pad", inputs: inputs(x, list(0, 1, 0, 0, 0, 0, 2, 1), floats([]float32{7})), outputs: outputs(float(2, 6, 8, 4))},
		opCase{name: "of long rows", op: "Pad", inputs: inputs(input(3, 100), list(0, 7, 0, 30)), outputs: outputs(float(3, 137))},
		opCase{name: "from nothing", op: "Pad", inputs: inputs(input(0, 3), list(2, 0, 1, 0)), outputs: outputs(float(3, 3))},
		opCase{name: "of a scalar", op: "Pad", inputs: inputs(input(), list()), outputs: outputs(float())})
	compareAll(t, cases)
}

func TestBlocksAgreeWithTheHost(t *testing.T) {
	var cases []opCase
	for _, layout := range []string{"NCHW", "NHWC"} {
		deep, wide := []int64{2, 12, 3, 5}, []int64{2, 3, 6, 10}
		if layout == "NHWC" {
			deep, wide = []int64{2, 3, 5, 12}, []int64{2, 6, 10, 3}
		}
		for _, mode := range []string{"DCR", "CRD"} {
			cases = append(cases, opCase{name: layout + " " + mode, op: "DepthToSpace", attrs: graph.Attrs{"blocksize": int64(2), "mode": mode, graph.AttrDataLayout: layout},
				inputs: inputs(input(deep...)), outputs: outputs(float(wide...))})
		}
		cases = append(cases, opCase{name: layout, op: "SpaceToDepth", attrs: graph.Attrs{"blocksize": int64(2), graph.AttrDataLayout: layout},
			inputs: inputs(input(wide...)), outputs: outputs(float(deep...))})
	}
	block, margins := list(2, 3), whole(graph.Int64, []int64{1, 0, 2, 2}, 2, 2).constant()
	cases = append(cases,
		opCase{name: "with margins", op: "SpaceToBatchNd", domain: "tflite", inputs: inputs(input(2, 5, 8, 3), block, margins), outputs: outputs(float(12, 3, 4, 3))},
		opCase{name: "without margins", op: "SpaceToBatchNd", domain: "tflite", inputs: inputs(input(1, 4, 6), block, whole(graph.Int64, []int64{0, 0, 0, 0}, 2, 2).constant()), outputs: outputs(float(6, 2, 2))},
		opCase{name: "with margins", op: "BatchToSpaceNd", domain: "tflite", inputs: inputs(input(12, 3, 4, 3), block, margins), outputs: outputs(float(2, 5, 8, 3))},
		opCase{name: "of no blocks", op: "BatchToSpaceNd", domain: "tflite", inputs: inputs(input(2, 3, 4), list(1), whole(graph.Int64, []int64{0, 1}, 1, 2).constant()), outputs: outputs(float(2, 2, 4))})
	compareAll(t, cases)
}

func TestRepeatsAndSequencesAgreeWithTheHost(t *testing.T) {
	compareAll(t, []opCase{
		{name: "of a row", op: "Expand", inputs: inputs(input(1, 20), list(3, 4, 20)), outputs: outputs(float(3, 4, 20))},
		{name: "of a column", op: "Expand", inputs: inputs(input(4, 1), list(4, 20)), outputs: outputs(float(4, 20))},
		{name: "of a scalar", op: "Expand", inputs: inputs(input(), list(2, 3)), outputs: outputs(float(2, 3))},
		{name: "of all axes", op: "Tile", inputs: inputs(input(2, 3, 1, 4), list(2, 1, 3, 2)), outputs: outputs(float(4, 3, 3, 8))},
		{name: "of no copies", op: "Tile", inputs: inputs(input(2, 3), list(0, 1)), outputs: outputs(float(0, 3))},
		{name: "in time", op: "ReverseSequence", inputs: inputs(input(6, 3, 2), whole(graph.Int64, []int64{0, 4, 6}, 3)), outputs: outputs(float(6, 3, 2))},
		{name: "of batches", op: "ReverseSequence", attrs: graph.Attrs{"batch_axis": int64(0), "time_axis": int64(1)}, inputs: inputs(input(3, 6, 2), whole(graph.Int32, []int64{1, 4, 6}, 3)), outputs: outputs(float(3, 6, 2))},
		{name: "above", op: "Trilu", inputs: inputs(input(2, 20, 18), whole(graph.Int64, []int64{-3})), outputs: outputs(float(2, 20, 18))},
		{name: "below", op: "Trilu", attrs: graph.Attrs{"upper": int64(0)}, inputs: inputs(counted(graph.Int64, 3, 5)), outputs: outputs(output(graph.Int64, 3, 5))},
		{name: "with a mask", op: "Dropout", inputs: inputs(input(3, 7)), outputs: outputs(float(3, 7), output(graph.Bool, 3, 7))},
		{name: "in place", op: "Reshape", inputs: inputs(input(3, 7), list(21)), outputs: outputs(float(21)), inPlace: true},
		{name: "of 4 channels", op: "LayoutTransform", attrs: graph.Attrs{"src_layout": "NCHW", "dst_layout": "NCHW4c"}, inputs: inputs(input(2, 6, 3, 5)), outputs: outputs(float(2, 2, 3, 5, 4))},
		{name: "back from 4 channels", op: "LayoutTransform", attrs: graph.Attrs{"src_layout": "NCHW4c", "dst_layout": "NHWC"}, inputs: inputs(input(2, 2, 3, 5, 4)), outputs: outputs(float(2, 3, 5, 7))},
		{name: "of packed channels", op: "LayoutTransform", attrs: graph.Attrs{"src_layout": "NCHW4c", "dst_layout": "NHWC4c"}, inputs: inputs(input(2, 2, 3, 5, 4)), outputs: outputs(float(2, 3, 5, 2, 4))},
		{name: "of 2 to 4 channels", op: "LayoutTransform", attrs: graph.Attrs{"src_layout": "NCHW2c", "dst_layout": "NCHW4c"}, inputs: inputs(input(1, 3, 3, 5, 2)), outputs: outputs(float(1, 2, 3, 5, 4))},
		{name: "of weights", op: "LayoutTransform", attrs: graph.Attrs{"src_layout": "OIHW", "dst_layout": "OIHW4i4o"}, inputs: inputs(input(6, 5, 3, 3)), outputs: outputs(float(2, 2, 3, 3, 4, 4))},
	})
}

func TestPiecesInPlaceAreLeftThere(t *testing.T) {
	for _, c := range []struct {
		name     string
		r        rig
		within   int64
		overlaps bool
	}{
		{"an input in its part of the result", rig{op: &graph.Op{Name: "op", Op: "Concat"}, inputs: inputs(input(2, 3), input(4, 3)), outputs: outputs(float(6, 3))}, 0, false},
		{"an input where it does not belong", rig{op: &graph.Op{Name: "op", Op: "Concat"}, inputs: inputs(input(2, 3), input(4, 3)), outputs: outputs(float(6, 3))}, 12, true},
		{"a padded input", rig{op: &graph.Op{Name: "op", Op: "Pad"}, inputs: inputs(input(2, 3), list(1, 0, 2, 0)), outputs: outputs(float(5, 3))}, 12, false},
		{"a padded input where it does not belong", rig{op: &graph.Op{Name: "op", Op: "Pad"}, inputs: inputs(input(2, 3), list(1, 0, 2, 0)), outputs: outputs(float(5, 3))}, 24, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			place := func() *placed {
				p := c.r.place(t)
				p.step.Inputs[0].Place.Offset = p.step.Outputs[0].Place.Offset + c.within
				return p
			}
			reference, err := host.New(host.Options{Workers: 1})
			require.NoError(t, err)
			defer func() { require.NoError(t, reference.Close()) }()
			dev := opencltest.Connect(t).NewDevice()
			defer func() { require.NoError(t, dev.Close()) }()
			want, got := place().run(t, reference), place().run(t, dev)
			require.Equal(t, want, got)
			require.Equal(t, c.overlaps, opencl.Staged(dev), "staged")
		})
	}
}

// TestAnyMovementAgreesWithTheHost draws boxes of arrays of up to six axes.
func TestAnyMovementAgreesWithTheHost(t *testing.T) {
	opencltest.Connect(t)
	rapid.Check(t, func(rt *rapid.T) {
		rank := rapid.IntRange(1, 6).Draw(rt, "rank")
		var shape, out, perm, starts, ends, axes, steps []int64
		for i := range rank {
			d := rapid.Int64Range(1, 6).Draw(rt, "extent")
			if i == rank-1 && rapid.Bool().Draw(rt, "long") {
				d += 29
			}
			shape = append(shape, d)
			first := rapid.Int64Range(0, d-1).Draw(rt, "first")
			step := rapid.SampledFrom([]int64{1, 1, 2, -1, -2}).Draw(rt, "step")
			count := int64(0)
			for at := first; at >= 0 && at < d; at += step {
				count++
			}
			end := first + step*count
			if end < 0 {
				end = -d - 1
			}
			starts, ends, axes, steps = append(starts, first), append(ends, end), append(axes, int64(i)), append(steps, step)
			out = append(out, count)
			perm = append(perm, int64(i))
		}
		sliced := &rig{op: &graph.Op{Name: "op", Op: "Slice"}, inputs: inputs(counted(graph.Int32, shape...), list(starts...), list(ends...), list(axes...), list(steps...)),
			outputs: outputs(output(graph.Int32, out...))}
		sliced.compare(t)
		perm = rapid.Permutation(perm).Draw(rt, "perm")
		turned := make([]int64, rank)
		for i, p := range perm {
			turned[i] = shape[p]
		}
		(&rig{op: &graph.Op{Name: "op", Op: "Transpose", Attrs: graph.Attrs{"perm": perm}}, inputs: inputs(counted(graph.Int32, shape...)),
			outputs: outputs(output(graph.Int32, turned...))}).compare(t)
	})
}
