package tflite

import (
	"github.com/memplan/memplan/planner/graph"
)

// window is what convolutions and pools have in common.
type window struct {
	same       bool
	activation fusedActivation
	attrs      graph.Attrs
}

// window reads padding, strides and fused activation. Strides come with the width first.
func (c *call) window(activationSlot int) (window, bool) {
	o := c.options
	a, ok := c.fused(activationSlot)
	padding := o.u8(0)
	strideW, strideH := int64(o.i32(1, 0)), int64(o.i32(2, 0))
	if !ok || padding > 1 || strideW < 1 || strideH < 1 {
		return window{}, false
	}
	w := window{same: padding == 0, activation: a, attrs: graph.Attrs{
		graph.AttrDataLayout: "NHWC",
		"auto_pad":           "VALID",
		"strides":            []int64{strideH, strideW},
	}}
	if w.same {
		w.attrs["auto_pad"] = "SAME_UPPER"
	}
	return w, true
}

// dilate reads the dilation, whose fields come with the width first.
func (c *call) dilate(w window, slot int) bool {
	dw, dh := int64(c.options.i32(slot, 1)), int64(c.options.i32(slot+1, 1))
	w.attrs["dilations"] = []int64{dh, dw}
	return dw >= 1 && dh >= 1
}

// rank4 reports whether each tensor has four axes, none of them empty.
func (c *call) rank4(list ...graph.TensorID) bool {
	for _, id := range list {
		shape := c.shape(id)
		if n, ok := shape.Elements(); len(shape) != 4 || !ok || n == 0 {
			return false
		}
	}
	return true
}

// conv2D converts CONV_2D: data [N, H, W, C] NHWC, weights [O, H, W, C/groups] OHWI, bias [O] optional.
func (c *call) conv2D() bool {
	w, ok := c.window(3)
	data, weights := c.in(0), c.in(1)
	if !ok || !c.dilate(w, 4) || !c.rank4(data, weights) {
		return false
	}
	kernel, channels := c.shape(weights), c.shape(data)[3]
	if channels%kernel[3] != 0 {
		return false
	}
	w.attrs["group"] = channels / kernel[3]
	c.convolve("Conv", w, kernel, "OHWI", ids(data, weights, c.in(2)))
	return true
}

// depthwiseConv2D converts DEPTHWISE_CONV_2D: data [N, H, W, C] NHWC, weights [1, H, W, C*multiplier] IHWO.
func (c *call) depthwiseConv2D() bool {
	w, ok := c.window(4)
	data, weights := c.in(0), c.in(1)
	if !ok || !c.dilate(w, 5) || !c.rank4(data, weights) {
		return false
	}
	kernel, channels := c.shape(weights), c.shape(data)[3]
	if kernel[0] != 1 || kernel[3]%channels != 0 {
		return false
	}
	w.attrs["group"] = channels
	c.convolve("Conv", w, kernel, "IHWO", ids(data, weights, c.in(2)))
	return true
}

// transposeConv converts TRANSPOSE_CONV: output shape [4], weights [O, H, W, C] OHWI, data [N, H, W, C] NHWC, bias
// [O] optional. The padding follows from the output shape, as in ONNX's own ConvTranspose.
func (c *call) transposeConv() bool {
	w, ok := c.window(3)
	out, fixed := c.ints(0)
	weights, data := c.in(1), c.in(2)
	if !ok || !fixed || len(out) != 4 || !c.rank4(data, weights) {
		return false
	}
	kernel, in := c.shape(weights), c.shape(data)
	strides := w.attrs.Ints("strides")
	for axis := range 2 {
		natural := (in[axis+1]-1)*strides[axis] + kernel[axis+1]
		if out[axis+1] < 1 || !w.same && out[axis+1] != natural {
			return false
		}
	}
	w.attrs["output_shape"] = []int64{out[1], out[2]}
	w.attrs["group"] = int64(1)
	c.convolve("ConvTranspose", w, kernel, "OHWI", ids(data, weights, c.in(3)))
	return true
}

// convolve emits the convolution and notes the layouts of what it touches. In both kernel layouts the kernel's height
// and width are the axes 1 and 2.
func (c *call) convolve(op string, w window, kernel graph.Shape, kernelLayout string, inputs []graph.TensorID) {
	w.attrs["kernel_shape"] = []int64{kernel[1], kernel[2]}
	w.attrs[graph.AttrKernelLayout] = kernelLayout
	fuse(c.emit("", op, inputs, ids(c.out(0)), w.attrs), w.activation)
	c.layout(inputs[0], "NHWC")
	c.layout(inputs[1], kernelLayout)
	c.layout(c.out(0), "NHWC")
}

// pool converts a pooling operator on [N, H, W, C] NHWC. Padding does not count in an average.
func pool(op string) func(*call) bool {
	return func(c *call) bool {
		w, ok := c.window(5)
		width, height := int64(c.options.i32(3, 0)), int64(c.options.i32(4, 0))
		if !ok || width < 1 || height < 1 || !c.rank4(c.in(0)) {
			return false
		}
		w.attrs["kernel_shape"] = []int64{height, width}
		if op == "AveragePool" {
			w.attrs["count_include_pad"] = int64(0)
		}
		fuse(c.emit("", op, ids(c.in(0)), ids(c.out(0)), w.attrs), w.activation)
		c.layout(c.in(0), "NHWC")
		c.layout(c.out(0), "NHWC")
		return true
	}
}
