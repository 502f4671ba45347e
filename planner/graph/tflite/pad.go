package tflite

import (
	"encoding/binary"

	"github.com/memplan/memplan/planner/graph"
)

// pad converts PAD and PADV2. The file has [before, after] for each axis, ONNX all befores, then all afters. Padding
// of quantised data without a value is its zero point.
func (c *call) pad() bool {
	pads, ok := c.pads()
	if !ok {
		return false
	}
	value := c.in(2)
	if value == graph.NoTensor {
		if q := c.im.quantized(c.out(0)); q != nil {
			value = c.zeroPoint("value", q, graph.Shape{})
		}
	}
	c.emit("", "Pad", ids(c.in(0), c.vector("pads", pads), value), ids(c.out(0)), nil)
	return true
}

// mirrorPad converts MIRROR_PAD in its mode without the border; the one that repeats the border has no ONNX form.
func (c *call) mirrorPad() bool {
	pads, ok := c.pads()
	if !ok || c.options.u8(0) != 0 {
		return false
	}
	c.emit("", "Pad", ids(c.in(0), c.vector("pads", pads)), ids(c.out(0)), graph.Attrs{"mode": "reflect"})
	return true
}

func (c *call) pads() ([]int64, bool) {
	pairs, ok := c.ints(1)
	rank := len(c.shape(c.in(0)))
	if !ok || len(pairs) != 2*rank {
		return nil, false
	}
	pads := make([]int64, 2*rank)
	for axis := range rank {
		pads[axis], pads[rank+axis] = pairs[2*axis], pairs[2*axis+1]
	}
	return pads, true
}

// zeroPoint adds a constant with the zero points of q in the type of the call's quantised side.
func (c *call) zeroPoint(suffix string, q *quantization, shape graph.Shape) graph.TensorID {
	dtype := c.dtype(c.out(0))
	if dtype.IsFloat() {
		dtype = c.dtype(c.in(0))
	}
	count, _ := shape.Elements()
	content := make([]byte, 0, 8*count)
	for i := range int(count) {
		point := int64(0)
		if i < len(q.zeroPoint) {
			point = q.zeroPoint[i]
		}
		content = append(content, binary.LittleEndian.AppendUint64(nil, uint64(point))[:dtype.Size()]...)
	}
	return c.constant(suffix, dtype, shape, content)
}

func (c *call) tile() bool {
	repeats, ok := c.ints(1)
	if !ok || len(repeats) != len(c.shape(c.in(0))) {
		return false
	}
	c.emit("", "Tile", ids(c.in(0), c.vector("repeats", repeats)), ids(c.out(0)), nil)
	return true
}

// expand converts to an Expand of the given input to the result's shape.
func expand(input int) func(*call) bool {
	return func(c *call) bool {
		c.emit("", "Expand", ids(c.in(input), c.vector("shape", c.shape(c.out(0)))), ids(c.out(0)), nil)
		return true
	}
}
