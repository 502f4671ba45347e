package tflite

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// emitReshape reshapes to the shape that the result has.
func (c *call) emitReshape(suffix string, from, to graph.TensorID) {
	shape := c.shape(to)
	var attrs graph.Attrs
	if elements, ok := shape.Elements(); ok && elements == 0 {
		// A zero means an empty axis here, not "as in the input".
		attrs = graph.Attrs{"allowzero": int64(1)}
	}
	c.emit(suffix, "Reshape", ids(from, c.vector(join(suffix, "shape"), shape)), ids(to), attrs)
}

// join makes the suffix of a tensor that belongs to the op with the suffix of its own.
func join(op, tensor string) string {
	if op == "" {
		return tensor
	}
	return op + "/" + tensor
}

func (c *call) reshape() bool {
	c.emitReshape("", c.in(0), c.out(0))
	return true
}

// squeeze removes the given axes, or all of size 1 when none are given.
func (c *call) squeeze() bool {
	shape := c.shape(c.in(0))
	var axes []int64
	for _, axis := range c.options.ints32(0) {
		normal, ok := normalAxis(int64(axis), len(shape))
		if !ok {
			return false
		}
		axes = append(axes, normal)
	}
	if len(axes) == 0 {
		for axis, n := range shape {
			if n == 1 {
				axes = append(axes, int64(axis))
			}
		}
	}
	c.emit("", "Squeeze", ids(c.in(0), c.vector("axes", axes)), ids(c.out(0)), nil)
	return true
}

func (c *call) expandDims() bool {
	axis, ok := c.axis(1, len(c.shape(c.in(0)))+1)
	if !ok {
		return false
	}
	c.emit("", "Unsqueeze", ids(c.in(0), c.vector("axes", []int64{axis})), ids(c.out(0)), nil)
	return true
}

func (c *call) concatenation() bool {
	a, known := c.fused(1)
	axis, ok := normalAxis(int64(c.options.i32(0, 0)), len(c.shape(c.out(0))))
	if !known || !ok {
		return false
	}
	fuse(c.emit("", "Concat", c.all(c.inputs), c.all(c.outputs), graph.Attrs{"axis": axis}), a)
	return true
}

// pack stacks its inputs along a new axis: each gets that axis, then they are concatenated.
func (c *call) pack() bool {
	rank := len(c.shape(c.out(0)))
	axis, ok := normalAxis(int64(c.options.i32(1, 0)), rank)
	if !ok || len(c.shape(c.in(0))) != rank-1 || !c.afford(len(c.inputs)) {
		return false
	}
	axes := c.vector("axes", []int64{axis})
	shape := insertAxis(c.shape(c.in(0)), int(axis))
	parts := make([]graph.TensorID, len(c.inputs))
	for i, in := range c.all(c.inputs) {
		suffix := fmt.Sprintf("part_%d", i)
		parts[i] = c.temporary(suffix, c.dtype(in), shape)
		c.emit(suffix, "Unsqueeze", ids(in, axes), ids(parts[i]), nil)
	}
	c.emit("", "Concat", parts, c.all(c.outputs), graph.Attrs{"axis": axis})
	return true
}

// insertAxis returns the shape with an axis of size 1 at the position.
func insertAxis(shape graph.Shape, at int) graph.Shape {
	out := append(graph.Shape{}, shape[:at]...)
	out = append(out, 1)
	return append(out, shape[at:]...)
}

// unpack splits along an axis and removes it.
func (c *call) unpack() bool {
	rank := len(c.shape(c.in(0)))
	axis, ok := normalAxis(int64(c.options.i32(1, 0)), rank)
	if !ok || len(c.shape(c.out(0))) != rank-1 || c.shape(c.in(0))[axis] != int64(len(c.outputs)) ||
		!c.afford(len(c.outputs)) {
		return false
	}
	axes := c.vector("axes", []int64{axis})
	shape := insertAxis(c.shape(c.out(0)), int(axis))
	parts, sizes := make([]graph.TensorID, len(c.outputs)), make([]int64, len(c.outputs))
	for i, out := range c.all(c.outputs) {
		parts[i], sizes[i] = c.temporary(fmt.Sprintf("part_%d", i), c.dtype(out), shape), 1
	}
	c.emit("split", "Split", ids(c.in(0), c.vector("sizes", sizes)), parts, graph.Attrs{"axis": axis})
	for i, out := range c.all(c.outputs) {
		suffix := fmt.Sprintf("part_%d", i)
		if i == 0 {
			suffix = ""
		}
		c.emit(suffix, "Squeeze", ids(parts[i], axes), ids(out), nil)
	}
	return true
}

// split converts SPLIT, whose axis comes first.
func (c *call) split() bool { return c.splitAlong(0, 1) }

// splitV converts SPLIT_V, whose axis comes last and whose sizes the results' shapes repeat.
func (c *call) splitV() bool { return c.splitAlong(2, 0) }

func (c *call) splitAlong(axisInput, dataInput int) bool {
	data := c.in(dataInput)
	axis, ok := c.axis(axisInput, len(c.shape(data)))
	if !ok {
		return false
	}
	sizes := make([]int64, len(c.outputs))
	for i, out := range c.all(c.outputs) {
		if len(c.shape(out)) != len(c.shape(data)) {
			return false
		}
		sizes[i] = c.shape(out)[axis]
	}
	c.emit("", "Split", ids(data, c.vector("sizes", sizes)), c.all(c.outputs), graph.Attrs{"axis": axis})
	return true
}

func (c *call) transpose() bool {
	perm, ok := c.ints(1)
	rank := len(c.shape(c.in(0)))
	if !ok || len(perm) != rank {
		return false
	}
	seen := make([]bool, rank)
	for i, axis := range perm {
		normal, exists := normalAxis(axis, rank)
		if !exists || seen[normal] {
			return false
		}
		seen[normal], perm[i] = true, normal
	}
	return c.wrap("Transpose", graph.Attrs{"perm": perm})
}
