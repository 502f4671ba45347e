package tflite

import (
	"github.com/memplan/memplan/planner/graph"
)

// reduce converts a reduction over constant axes. No axes means no reduction.
func reduce(op string) func(*call) bool {
	return func(c *call) bool {
		axes, ok := c.ints(1)
		rank := len(c.shape(c.in(0)))
		if !ok {
			return false
		}
		for i, axis := range axes {
			if axes[i], ok = normalAxis(axis, rank); !ok {
				return false
			}
		}
		attrs := graph.Attrs{"keepdims": number(c.options.flag(0))}
		if len(axes) == 0 {
			attrs["noop_with_empty_axes"] = int64(1)
		}
		c.emit("", op, ids(c.in(0), c.vector("axes", axes)), ids(c.out(0)), attrs)
		return true
	}
}

// number writes a flag as ONNX does.
func number(flag bool) int64 {
	if flag {
		return 1
	}
	return 0
}

// argument converts ARG_MAX and ARG_MIN along a constant axis.
func argument(op string) func(*call) bool {
	return func(c *call) bool {
		axis, ok := c.axis(1, len(c.shape(c.in(0))))
		if !ok {
			return false
		}
		c.emitIndices(c.out(0), func(suffix string, to graph.TensorID) {
			c.emit(suffix, op, ids(c.in(0)), ids(to), graph.Attrs{"axis": axis, "keepdims": int64(0)})
		})
		return true
	}
}

// emitIndices emits an op whose result is int64 in ONNX, followed by a cast when the file has another type.
func (c *call) emitIndices(out graph.TensorID, emit func(suffix string, to graph.TensorID)) {
	if c.dtype(out) == graph.Int64 {
		emit("", out)
		return
	}
	wide := c.temporary("int64", graph.Int64, c.shape(out))
	emit("int64", wide)
	c.emitCast("", wide, out)
}

// topK converts TOPK_V2 with a constant k: the largest along the last axis, in descending order.
func (c *call) topK() bool {
	k, ok := c.ints(1)
	if !ok || len(k) != 1 {
		return false
	}
	c.emitIndices(c.out(1), func(suffix string, to graph.TensorID) {
		attrs := graph.Attrs{"axis": int64(-1), "largest": int64(1), "sorted": int64(1)}
		c.emit(suffix, "TopK", ids(c.in(0), c.vector("k", k)), ids(c.out(0), to), attrs)
	})
	return true
}

func (c *call) cumSum() bool {
	attrs := graph.Attrs{"exclusive": number(c.options.flag(0)), "reverse": number(c.options.flag(1))}
	c.emit("", "CumSum", c.all(c.inputs), c.all(c.outputs), attrs)
	return true
}

// shapeOf converts SHAPE.
func (c *call) shapeOf() bool {
	c.emitIndices(c.out(0), func(suffix string, to graph.TensorID) {
		c.emit(suffix, "Shape", ids(c.in(0)), ids(to), nil)
	})
	return true
}

// selectV1 converts SELECT unless its condition picks whole rows, which broadcasting cannot express.
func (c *call) selectV1() bool {
	if condition, data := c.shape(c.in(0)), c.shape(c.in(1)); len(condition) == 1 && len(data) > 1 {
		return false
	}
	c.emit("", "Where", c.all(c.inputs), c.all(c.outputs), nil)
	return true
}
