package tflite

import (
	"github.com/memplan/memplan/planner/graph"
)

// resizeBilinear converts RESIZE_BILINEAR of [N, H, W, C] NHWC.
func (c *call) resizeBilinear() bool {
	corners, centers := c.options.flag(2), c.options.flag(3)
	attrs := graph.Attrs{"mode": "linear", "coordinate_transformation_mode": "asymmetric"}
	switch {
	case corners:
		attrs["coordinate_transformation_mode"] = "align_corners"
	case centers:
		attrs["coordinate_transformation_mode"] = "half_pixel"
	}
	return c.resize(attrs)
}

// resizeNearest converts RESIZE_NEAREST_NEIGHBOR of [N, H, W, C] NHWC. Between pixel centres the interpreter takes
// floor((x + 0.5) * scale), without the -0.5 that ONNX's half_pixel has.
func (c *call) resizeNearest() bool {
	corners, centers := c.options.flag(0), c.options.flag(1)
	attrs := graph.Attrs{"mode": "nearest", "nearest_mode": "floor", "coordinate_transformation_mode": "asymmetric"}
	switch {
	case corners:
		attrs["coordinate_transformation_mode"], attrs["nearest_mode"] = "align_corners", "round_prefer_ceil"
	case centers:
		attrs["coordinate_transformation_mode"] = "tf_half_pixel_for_nn"
	}
	return c.resize(attrs)
}

func (c *call) resize(attrs graph.Attrs) bool {
	if !c.rank4(c.in(0), c.out(0)) {
		return false
	}
	sizes := c.shape(c.out(0)).Clone()
	if given, ok := c.ints(1); ok && len(given) == 2 {
		sizes[1], sizes[2] = given[0], given[1]
	}
	inputs := ids(c.in(0), graph.NoTensor, graph.NoTensor, c.vector("sizes", sizes))
	c.emit("", "Resize", inputs, ids(c.out(0)), attrs)
	c.layout(c.in(0), "NHWC")
	c.layout(c.out(0), "NHWC")
	return true
}

func (c *call) depthToSpace() bool {
	return c.rearrange("DepthToSpace", graph.Attrs{"mode": "DCR"})
}

func (c *call) spaceToDepth() bool { return c.rearrange("SpaceToDepth", graph.Attrs{}) }

func (c *call) rearrange(op string, attrs graph.Attrs) bool {
	block := c.options.i32(0, 0)
	if block < 1 || !c.rank4(c.in(0)) {
		return false
	}
	attrs["blocksize"] = int64(block)
	attrs[graph.AttrDataLayout] = "NHWC"
	c.layout(c.in(0), "NHWC")
	c.layout(c.out(0), "NHWC")
	return c.wrap(op, attrs)
}
