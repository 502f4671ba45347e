package host_test

import (
	"context"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
	"github.com/stretchr/testify/require"
)

// plainCase is an op on packed tensors. Shapes are the plain ones; an operand with an empty layout is not packed.
type plainCase struct {
	op     graph.Op
	data   string
	kernel string
	inputs []plainOperand
	out    graph.Shape
}

type plainOperand struct {
	layout string
	shape  graph.Shape
}

// packedShape cuts the axis of a plain layout that the packed one ends in, and reorders nothing.
func packedShape(shape graph.Shape, layout string) graph.Shape {
	packed := append(shape.Clone(), 4)
	for i := range shape {
		if layout[i] == layout[len(layout)-1]-'a'+'A' {
			packed[i] = (packed[i] + 3) / 4
		}
	}
	return packed
}

// results runs the case on plain tensors and on packed ones and returns both in the plain order.
func (c *plainCase) results(t *testing.T) (plain, packed []float32) {
	attrs := graph.Attrs{}
	for _, name := range c.op.Attrs.Names() {
		attrs[name] = c.op.Attrs[name]
	}
	if c.data[:4] == "NHWC" {
		attrs[graph.AttrDataLayout] = "NHWC"
	}
	if c.kernel != "" {
		attrs[graph.AttrKernelLayout] = c.kernel[:4]
	}
	flat, blocked := newRig(t, 2), newRig(t, 2)
	var plainInputs, packedInputs []*device.Tensor
	for i, in := range c.inputs {
		if in.shape == nil {
			plainInputs, packedInputs = append(plainInputs, nil), append(packedInputs, nil)
			continue
		}
		n, _ := in.shape.Elements()
		values, role := small(int(n), i+1), graph.Constant
		if i == 0 {
			role = graph.Input
		}
		plainInputs = append(plainInputs, flat.floats("in", role, in.shape, values))
		x := blocked.floats("in", role, in.shape, values)
		if in.layout != "" {
			shape := packedShape(in.shape, in.layout)
			// The rig has counted the bytes of the plain tensor: the packed one is as large, since no channel is padding.
			blocked.data[x] = floatBytes(transform(t, in.layout[:4], in.layout, values, in.shape, shape))
			x.Shape, x.Layout = shape, in.layout
		}
		packedInputs = append(packedInputs, x)
	}
	y := flat.floats("y", graph.Output, c.out, nil)
	op := c.op
	op.Attrs = attrs
	flat.run(&op, []*device.Tensor{y}, plainInputs)
	z := blocked.floats("y", graph.Output, packedShape(c.out, c.data), nil)
	z.Layout = c.data
	blocked.run(&c.op, []*device.Tensor{z}, packedInputs)
	return floatsOf(flat.read(y)), transform(t, c.data, c.data[:4], floatsOf(blocked.read(z)), z.Shape, c.out)
}

func TestPackedChannelsGiveTheBitsOfPlainOnes(t *testing.T) {
	around := graph.Attrs{"pads": []int64{1, 1, 1, 1}}
	conv := func(fused ...string) graph.Op { return graph.Op{Name: "op", Op: "Conv", Fused: fused, Attrs: around} }
	vector := plainOperand{"", graph.Shape{8}}
	for name, c := range map[string]plainCase{
		"a convolution": {op: conv(), data: "NCHW4c", kernel: "OIHW4o",
			inputs: []plainOperand{{"NCHW4c", graph.Shape{2, 8, 5, 4}}, {"OIHW4o", graph.Shape{12, 8, 3, 3}}, {"", graph.Shape{12}}}, out: graph.Shape{2, 12, 5, 4}},
		"a convolution, channels last": {op: conv(), data: "NHWC4c", kernel: "HWIO4o",
			inputs: []plainOperand{{"NHWC4c", graph.Shape{1, 5, 4, 8}}, {"HWIO4o", graph.Shape{3, 3, 8, 12}}}, out: graph.Shape{1, 5, 4, 12}},
		"a convolution with plain weights": {op: conv(), data: "NCHW4c",
			inputs: []plainOperand{{"NCHW4c", graph.Shape{1, 8, 5, 4}}, {"", graph.Shape{4, 8, 3, 3}}}, out: graph.Shape{1, 4, 5, 4}},
		"a depthwise convolution": {op: graph.Op{Name: "op", Op: "Conv", Attrs: graph.Attrs{"group": int64(8)}}, data: "NCHW4c", kernel: "OIHW4o",
			inputs: []plainOperand{{"NCHW4c", graph.Shape{1, 8, 5, 4}}, {"OIHW4o", graph.Shape{8, 1, 3, 3}}}, out: graph.Shape{1, 8, 3, 2}},
		"a convolution with an addition and an activation fused to it": {op: conv("Conv", "Add", "Relu"), data: "NCHW4c", kernel: "OIHW4o",
			inputs: []plainOperand{{"NCHW4c", graph.Shape{1, 8, 5, 4}}, {"OIHW4o", graph.Shape{8, 8, 3, 3}}, {}, {"NCHW4c", graph.Shape{1, 8, 5, 4}}}, out: graph.Shape{1, 8, 5, 4}},
		"a pooling": {op: graph.Op{Name: "op", Op: "MaxPool", Attrs: graph.Attrs{"kernel_shape": []int64{2, 2}, "strides": []int64{2, 2}}}, data: "NCHW4c",
			inputs: []plainOperand{{"NCHW4c", graph.Shape{1, 8, 6, 4}}}, out: graph.Shape{1, 8, 3, 2}},
		"a pooling over everything, channels last": {op: graph.Op{Name: "op", Op: "GlobalAveragePool"}, data: "NHWC4c",
			inputs: []plainOperand{{"NHWC4c", graph.Shape{2, 6, 4, 8}}}, out: graph.Shape{2, 1, 1, 8}},
		"a normalisation": {op: graph.Op{Name: "op", Op: "BatchNormalization"}, data: "NCHW4c",
			inputs: []plainOperand{{"NCHW4c", graph.Shape{1, 8, 6, 4}}, vector, vector, vector, vector}, out: graph.Shape{1, 8, 6, 4}},
	} {
		t.Run(name, func(t *testing.T) {
			plain, packed := c.results(t)
			require.Equal(t, bits(plain), bits(packed))
		})
	}
}

// bits compares NaN like any other value.
func bits(values []float32) []byte { return floatBytes(values) }

func TestPackedTensorsInImagesAreOpenedForTheirKernel(t *testing.T) {
	dev := newRig(t, 2).dev
	diags, err := dev.Open(device.Memory{
		Pools: []device.Pool{{Name: "images", Texture: true, Alignment: 1}},
		Images: []device.Image{
			{Offset: -1, Width: 4, Height: 10, RowPitch: 96, Bytes: 960, Texel: "rgba_float32"},
			{Offset: -1, Width: 2, Height: 6, RowPitch: 32, Bytes: 192, Texel: "rgba_float32"},
		},
	})
	require.NoError(t, err)
	require.Empty(t, diags)
	tensor := func(image int, bytes int64, shape ...int64) *device.Tensor {
		n, _ := graph.Shape(shape).Bytes(graph.Float32)
		return &device.Tensor{Name: "t", DType: graph.Float32, Shape: shape, Layout: "NCHW4c", Scope: "global.texture", LogicalBytes: n, Place: device.Region{Image: image, Bytes: bytes}}
	}
	x, y := tensor(0, 960, 1, 2, 5, 4, 4), tensor(1, 192, 1, 2, 3, 2, 4)
	op := graph.Op{Name: "op", Op: "AveragePool", Attrs: graph.Attrs{"kernel_shape": []int64{3, 3}}}
	values := small(160, 1)
	require.NoError(t, dev.Write(x, floatBytes(values)))
	h, diags, err := dev.Prepare(&device.Step{Op: &op, Inputs: []*device.Tensor{x}, Outputs: []*device.Tensor{y}})
	require.NoError(t, err)
	require.Empty(t, diags)
	require.NoError(t, dev.Run(context.Background(), h))
	got := make([]byte, y.LogicalBytes)
	require.NoError(t, dev.Read(y, got))
	plain := transform(t, "NCHW4c", "NCHW", values, x.Shape, graph.Shape{1, 8, 5, 4})
	want := one(t, 2, &op, graph.Shape{1, 8, 3, 2}, in("x", graph.Input, plain, 1, 8, 5, 4))
	require.Equal(t, want, transform(t, "NCHW4c", "NCHW", floatsOf(got), y.Shape, graph.Shape{1, 8, 3, 2}))
}
