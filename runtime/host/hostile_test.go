package host_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/host"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var numbers = rapid.OneOf(rapid.Int64Range(-2, 4), rapid.SampledFrom([]int64{1 << 31, 1<<31 - 1, 1 << 62, -1 << 63}))

// drawAttrs draws attributes of the right types with values of any meaning.
func drawAttrs(t *rapid.T) graph.Attrs {
	attrs := graph.Attrs{}
	for _, name := range []string{"strides", "dilations", "pads", "kernel_shape", "output_shape", "output_padding", "axes"} {
		if rapid.Bool().Draw(t, "has "+name) {
			attrs[name] = rapid.SliceOfN(numbers, 0, 6).Draw(t, name)
		}
	}
	for _, name := range []string{"group", "axis", "p", "size", "num_groups", "transA", "transB", "layout", "flatten", "storage_order",
		"count_include_pad", "exclude_outside", "antialias", "linear_before_reset"} {
		if rapid.IntRange(0, 3).Draw(t, "has "+name) == 0 {
			attrs[name] = numbers.Draw(t, name)
		}
	}
	words := map[string][]string{
		"auto_pad": {"SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET", "odd"}, "mode": {"nearest", "linear", "cubic", "odd"},
		graph.AttrDataLayout: {"NHWC", "NCHW", "CHW", "", "NCHW4c"}, graph.AttrKernelLayout: {"OIHW", "IHWO", "OIW", "OO", "OIXX", "OIHW4o"},
		"direction":                      {"forward", "reverse", "bidirectional", "odd"},
		"coordinate_transformation_mode": {"half_pixel", "align_corners", "tf_crop_and_resize", "pytorch_half_pixel", "odd"},
		"keep_aspect_ratio_policy":       {"stretch", "not_larger", "odd"},
	}
	for _, name := range slices.Sorted(maps.Keys(words)) {
		if rapid.Bool().Draw(t, "has "+name) {
			attrs[name] = rapid.SampledFrom(words[name]).Draw(t, name)
		}
	}
	return attrs
}

func TestNoStepMakesTheDevicePanic(t *testing.T) {
	operators := host.OwnOperators()
	extent := rapid.OneOf(rapid.Int64Range(1, 4), rapid.Int64Range(0, 4))
	rapid.Check(t, func(rt *rapid.T) {
		r := newRig(t, 2)
		rank := rapid.IntRange(0, 5).Draw(rt, "rank")
		draw := func(kind string, count int, optional bool) []*device.Tensor {
			var list []*device.Tensor
			for i := range count {
				if optional && rapid.IntRange(0, 5).Draw(rt, "absent") == 0 {
					list = append(list, nil)
					continue
				}
				n := rank
				if rapid.IntRange(0, 2).Draw(rt, "odd rank") == 0 {
					n = rapid.IntRange(0, 5).Draw(rt, "rank")
				}
				shape := graph.Shape(rapid.SliceOfN(extent, n, n).Draw(rt, kind))
				dtype := rapid.SampledFrom([]graph.DType{graph.Float32, graph.Float32, graph.Float32, graph.Float16, graph.Int64, graph.Int32}).Draw(rt, "dtype")
				role := rapid.SampledFrom([]graph.Role{graph.Activation, graph.Constant}).Draw(rt, "role")
				bytes, _ := shape.Bytes(dtype)
				operand := r.tensor(fmt.Sprintf("%s%d", kind, i), role, dtype, append(graph.Shape{}, shape...), make([]byte, bytes))
				operand.Layout = rapid.SampledFrom([]string{"", "", "NCHW", "NCHW4c", "NHWC4c", "OIHW4o", "NCW4c", "4c", "CC4c"}).Draw(rt, "layout")
				list = append(list, operand)
			}
			return list
		}
		inputs := draw("in", rapid.IntRange(0, 7).Draw(rt, "inputs"), true)
		outputs := draw("out", rapid.IntRange(0, 3).Draw(rt, "outputs"), true)
		r.open()
		op := &graph.Op{Name: "op", Op: rapid.SampledFrom(operators).Draw(rt, "op"), Attrs: drawAttrs(rt)}
		h, diags, err := r.dev.Prepare(&device.Step{Op: op, Inputs: inputs, Outputs: outputs})
		require.NoError(t, err)
		if len(diags) > 0 {
			require.Contains(t, []string{"MP0801", "MP0802"}, string(diags[0].ID))
			return
		}
		// It may fail on its data, and must not panic.
		_ = r.dev.Run(context.Background(), h)
	})
}
