package opencl_test

import (
	"fmt"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/texture"
)

const (
	picture = texture.Scope("global.texture")
	rows    = texture.Scope("global.texture-nhwc")
	weight  = texture.Scope("global.texture-weight")
)

func TestElementwiseFunctionsComputeOnTexels(t *testing.T) {
	for _, name := range []string{"Add", "Sub", "Mul", "Max", "Min"} {
		for _, layout := range []string{"NCHW", "NHWC"} {
			t.Run(name+" of two images in "+layout, func(t *testing.T) {
				r := &rig{op: &graph.Op{Name: "f", Op: name}, inputs: []operand{input(2, 5, 6, 7).in(picture, layout), input(2, 5, 6, 7).in(rows, layout)}}
				r.outputs = []operand{output(graph.Float32, 2, 5, 6, 7).in(picture, layout)}
				r.compareDirect(t)
			})
		}
	}
	channels := map[string]operand{"NCHW": input(5, 1, 1).constant(), "NHWC": input(7).constant()}
	for layout, by := range channels {
		t.Run("values of channels are added in "+layout, func(t *testing.T) {
			r := &rig{op: &graph.Op{Name: "f", Op: "Add"}, inputs: []operand{input(2, 5, 6, 7).in(picture, layout), by}}
			r.outputs = []operand{output(graph.Float32, 2, 5, 6, 7).in(picture, layout)}
			r.compareDirect(t)
		})
		t.Run("slopes of channels in "+layout, func(t *testing.T) {
			r := &rig{op: &graph.Op{Name: "f", Op: "PRelu"}, inputs: []operand{input(2, 5, 6, 7).in(rows, layout), by}}
			r.outputs = []operand{output(graph.Float32, 2, 5, 6, 7).in(rows, layout)}
			r.compareDirect(t)
		})
		t.Run("one number for all in "+layout, func(t *testing.T) {
			r := &rig{op: &graph.Op{Name: "f", Op: "Div"}, inputs: []operand{input(2, 5, 6, 7).in(picture, layout), floats([]float32{3}, 1).constant()}}
			r.outputs = []operand{output(graph.Float32, 2, 5, 6, 7)}
			r.compareDirect(t)
		})
		t.Run("a picture of one channel times one of many in "+layout, func(t *testing.T) {
			small := input(2, 1, 6, 7)
			if layout == "NHWC" {
				small = input(2, 5, 6, 1)
			}
			r := &rig{op: &graph.Op{Name: "f", Op: "Mul"}, inputs: []operand{small, input(2, 5, 6, 7).in(picture, layout)}}
			r.outputs = []operand{output(graph.Float32, 2, 5, 6, 7).in(picture, layout)}
			r.compareDirect(t)
		})
	}
	for _, name := range []string{"Relu", "Sigmoid", "HardSwish", "LeakyRelu", "Neg", "Sign", "Tanh", "Clip"} {
		t.Run(name+" of an image", func(t *testing.T) {
			r := &rig{op: &graph.Op{Name: "f", Op: name}, inputs: []operand{input(1, 6, 5, 7).in(picture, "NCHW")}}
			if name == "Clip" {
				r.inputs = append(r.inputs, floats([]float32{-0.5}).constant(), floats([]float32{1.25}).constant())
			}
			r.outputs = []operand{output(graph.Float32, 1, 6, 5, 7).in(rows, "NCHW")}
			r.compareDirect(t)
		})
	}
	t.Run("a packed tensor of rank 5", func(t *testing.T) {
		r := &rig{op: &graph.Op{Name: "f", Op: "Add", Fused: []string{"Add", "Relu"}}, inputs: []operand{input(2, 3, 5, 6, 4).in(picture, "NCHW4c"), input(2, 3, 5, 6, 4).in(picture, "NCHW4c")}}
		r.outputs = []operand{output(graph.Float32, 2, 3, 5, 6, 4).in(rows, "NCHW4c")}
		r.compareDirect(t)
	})
}

func TestPoolingsComputeOnTexels(t *testing.T) {
	for _, layout := range []string{"NCHW", "NHWC"} {
		in, out, whole := []int64{2, 6, 9, 10}, []int64{2, 6, 4, 5}, []int64{2, 6, 1, 1}
		if layout == "NHWC" {
			in, out, whole = []int64{2, 9, 10, 6}, []int64{2, 4, 5, 6}, []int64{2, 1, 1, 6}
		}
		attrs := graph.Attrs{graph.AttrDataLayout: layout, "kernel_shape": []int64{3, 2}, "strides": []int64{2, 2}, "pads": []int64{0, 0, 0, 0}}
		padded := graph.Attrs{graph.AttrDataLayout: layout, "kernel_shape": []int64{4, 3}, "strides": []int64{2, 2}, "pads": []int64{1, 1, 0, 0}, "count_include_pad": int64(1)}
		for name, attrs := range map[string]graph.Attrs{"MaxPool": attrs, "AveragePool": attrs} {
			t.Run(name+" in "+layout, func(t *testing.T) {
				r := &rig{op: &graph.Op{Name: "f", Op: name, Attrs: attrs}, inputs: []operand{input(in...).in(picture, layout)}}
				r.outputs = []operand{output(graph.Float32, out...).in(rows, layout)}
				r.compareDirect(t)
			})
			t.Run(name+" with padding in "+layout, func(t *testing.T) {
				r := &rig{op: &graph.Op{Name: "f", Op: name, Attrs: padded}, inputs: []operand{input(in...).in(picture, layout)}}
				r.outputs = []operand{output(graph.Float32, out...)}
				r.compareDirect(t)
			})
			t.Run("Global"+name+" in "+layout, func(t *testing.T) {
				r := &rig{op: &graph.Op{Name: "f", Op: "Global" + name, Attrs: graph.Attrs{graph.AttrDataLayout: layout}}, inputs: []operand{input(in...).in(rows, layout)}}
				r.outputs = []operand{output(graph.Float32, whole...).in(picture, layout)}
				r.compareDirect(t)
			})
		}
	}
}

func TestResizingComputesOnTexels(t *testing.T) {
	for _, mode := range []string{"nearest", "linear", "cubic"} {
		for layout, shapes := range map[string][2][]int64{
			"NCHW": {{1, 6, 5, 4}, {1, 6, 10, 7}},
			"NHWC": {{2, 6, 5, 7}, {2, 9, 10, 7}},
		} {
			t.Run(mode+" in "+layout, func(t *testing.T) {
				r := &rig{op: &graph.Op{Name: "f", Op: "Resize", Attrs: graph.Attrs{"mode": mode}}}
				r.inputs = []operand{input(shapes[0]...).in(picture, layout), {}, {}, list(shapes[1]...)}
				r.outputs = []operand{output(graph.Float32, shapes[1]...).in(picture, layout)}
				r.compareDirect(t)
			})
		}
	}
}

func TestPaddingMovesTexels(t *testing.T) {
	for _, mode := range []string{"constant", "edge", "reflect"} {
		for _, layout := range []string{"NCHW", "NHWC"} {
			t.Run(fmt.Sprintf("%s in %s", mode, layout), func(t *testing.T) {
				r := &rig{op: &graph.Op{Name: "f", Op: "Pad", Attrs: graph.Attrs{"mode": mode}}}
				r.inputs = []operand{input(1, 5, 6, 7).in(picture, layout), list(0, 1, 2, 3, 0, 4, 0, 1)}
				if mode == "constant" {
					r.inputs = append(r.inputs, floats([]float32{1.5}).constant())
				}
				r.outputs = []operand{output(graph.Float32, 1, 10, 8, 11).in(picture, layout)}
				r.compareDirect(t)
			})
		}
	}
}

func TestConcatenationsMoveTexels(t *testing.T) {
	for name, c := range map[string]struct {
		layout string
		axis   int64
		parts  [][]int64
		whole  []int64
	}{
		"along whole blocks of channels":   {"NCHW", 1, [][]int64{{1, 8, 3, 4}, {1, 4, 3, 4}, {1, 5, 3, 4}}, []int64{1, 17, 3, 4}},
		"along channels that come last":    {"NHWC", -1, [][]int64{{1, 3, 4, 4}, {1, 3, 4, 6}}, []int64{1, 3, 4, 10}},
		"along rows":                       {"NCHW", 2, [][]int64{{2, 5, 3, 4}, {2, 5, 1, 4}}, []int64{2, 5, 4, 4}},
		"along columns in flat and images": {"NHWC", 2, [][]int64{{1, 3, 4, 6}, {1, 3, 2, 6}}, []int64{1, 3, 6, 6}},
	} {
		t.Run(name, func(t *testing.T) {
			r := &rig{op: &graph.Op{Name: "f", Op: "Concat", Attrs: graph.Attrs{"axis": c.axis}}}
			for i, shape := range c.parts {
				part := input(shape...)
				if i > 0 || c.axis != 2 {
					part = part.in(picture, c.layout)
				}
				r.inputs = append(r.inputs, part)
			}
			r.outputs = []operand{output(graph.Float32, c.whole...).in(rows, c.layout)}
			r.compareIn(t, len(c.parts))
		})
	}
}
