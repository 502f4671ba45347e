package tflite

import (
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// fullyConnected converts FULLY_CONNECTED: data of any rank is flattened to [rows, I], weights are [O, I], the bias
// [O] is optional. Reshapes are added where data or result are not of rank two.
func (c *call) fullyConnected() bool {
	a, ok := c.fused(0)
	shuffled := c.options.u8(1) != 0
	data, weights, out := c.in(0), c.in(1), c.out(0)
	kernel := c.shape(weights)
	if !ok || shuffled || len(kernel) != 2 || kernel[0] < 1 || kernel[1] < 1 {
		return false
	}
	elements, counted := c.shape(data).Elements()
	if !counted || elements%kernel[1] != 0 {
		return false
	}
	rows := graph.Shape{elements / kernel[1], kernel[1]}
	result := graph.Shape{rows[0], kernel[0]}
	if !c.shape(data).Equal(rows) {
		flat := c.temporary("flat", c.dtype(data), rows)
		c.emitReshape("flatten", data, flat)
		data = flat
	}
	product := out
	if !c.shape(out).Equal(result) {
		product = c.temporary("product", c.dtype(out), result)
	}
	suffix := ""
	if product != out {
		suffix = "product"
	}
	fuse(c.emit(suffix, "Gemm", ids(data, weights, c.in(2)), ids(product), graph.Attrs{"transB": int64(1)}), a)
	if product != out {
		c.emitReshape("", product, out)
	}
	return true
}

// batchMatMul converts BATCH_MATMUL. An operand that is given transposed is transposed first.
func (c *call) batchMatMul() bool {
	left, right := c.in(0), c.in(1)
	if len(c.shape(left)) < 2 || len(c.shape(right)) < 2 {
		return false
	}
	if c.options.flag(0) {
		left = c.emitTransposed("left", left)
	}
	if c.options.flag(1) {
		right = c.emitTransposed("right", right)
	}
	c.emit("", "MatMul", ids(left, right), ids(c.out(0)), nil)
	return true
}

// emitTransposed exchanges the last two axes.
func (c *call) emitTransposed(suffix string, id graph.TensorID) graph.TensorID {
	shape := c.shape(id).Clone()
	perm := make([]int64, len(shape))
	for i := range perm {
		perm[i] = int64(i)
	}
	last := len(shape) - 1
	shape[last-1], shape[last] = shape[last], shape[last-1]
	slices.Reverse(perm[last-1:])
	out := c.temporary(suffix, c.dtype(id), shape)
	c.emit(suffix, "Transpose", ids(id), ids(out), graph.Attrs{"perm": perm})
	return out
}
