package exec_test

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/graph"
)

// everything draws small networks of float32 tensors with batches, the channels second or last, from all that planning treats in a
// way of its own: pieces in pieces, windows, casts, reshapes, activations that are spelled out, squeeze-and-excitation blocks,
// outputs that are read again and tensors without elements.
type everything struct {
	*windows
	// rounds says that a tensor is cast to an element type that rounds.
	rounds bool
}

func drawEverything(t *rapid.T, most int) *everything {
	e := &everything{windows: &windows{network: &network{builder: newBuilder(), t: t}, last: rapid.Bool().Draw(t, "channels last")}}
	batch, size := rapid.Int64Range(1, 2).Draw(t, "batch"), rapid.Int64Range(3, 5).Draw(t, "size")
	for i := range rapid.IntRange(1, 2).Draw(t, "inputs") {
		shape := e.shape(rapid.Int64Range(1, 4).Draw(t, "channels"), size, size)
		shape[0] = batch
		e.add(e.tensor(fmt.Sprintf("x%d", i), graph.Input, graph.Float32, shape...))
	}
	for i := range rapid.IntRange(2, most).Draw(t, "ops") {
		e.anything(fmt.Sprintf("op%d", i))
	}
	for id := range e.g.Tensors {
		read := true
		for _, x := range e.fresh {
			read = read && x != graph.TensorID(id)
		}
		if e.g.Tensors[id].Role == graph.Activation && (!read || rapid.IntRange(0, 9).Draw(t, "output") == 0) {
			e.g.Tensors[id].Role = graph.Output
			e.g.Outputs = append(e.g.Outputs, graph.TensorID(id))
		}
	}
	return e
}

// like is a result of a shape that differs from that of x in the axes given as pairs of axis and size.
func (e *everything) like(name string, x graph.TensorID, changes ...int64) graph.TensorID {
	shape := append(graph.Shape{}, e.g.Tensors[x].Shape...)
	for i := 0; i < len(changes); i += 2 {
		shape[changes[i]] = changes[i+1]
	}
	id := e.tensor(name, graph.Activation, graph.Float32, shape...)
	e.add(id)
	return id
}

// hidden is a tensor that later ops do not read.
func (e *everything) hidden(name string, dtype graph.DType, shape ...int64) graph.TensorID {
	return e.tensor(name, graph.Activation, dtype, shape...)
}

func (e *everything) draw(name string, from, to int64) int64 {
	return rapid.Int64Range(from, to).Draw(e.t, name)
}

func (e *everything) oneOf(names ...string) string {
	return rapid.SampledFrom(names).Draw(e.t, "op")
}

// anything adds one op, or several that belong together.
func (e *everything) anything(name string) {
	x := e.pick()
	shape := e.g.Tensors[x].Shape
	if n, _ := shape.Elements(); n > 800 {
		e.op("MaxPool", name, ids(e.windowed(name, x, 2, 2)), ids(x), e.window(2, 2))
		return
	}
	steps := []func(string, graph.TensorID){e.unary, e.binary, e.concat, e.concat, e.split, e.slice, e.pad, e.cast, e.reshape, e.transpose,
		e.spelled, e.excite, e.pool, e.conv, e.conv, e.depthwise, e.resize}
	rapid.SampledFrom(steps).Draw(e.t, "step")(name, x)
}

func (e *everything) unary(name string, x graph.TensorID) {
	e.op(e.oneOf("Relu", "Sigmoid", "Abs", "Neg", "Tanh", "Identity", "Dropout", "Softmax", "LpNormalization"), name, ids(e.like(name, x)), ids(x), nil)
}

// same is a tensor of the shape of x, but for some axes.
func (e *everything) same(x graph.TensorID, but ...int) graph.TensorID {
	y := e.pick()
	a, b := e.g.Tensors[x].Shape, e.g.Tensors[y].Shape
	for axis := range a {
		free := false
		for _, k := range but {
			free = free || k == axis
		}
		if !free && a[axis] != b[axis] {
			return x
		}
	}
	return y
}

func (e *everything) binary(name string, x graph.TensorID) {
	y := e.same(x)
	e.op(e.oneOf("Add", "Sub", "Mul", "Max"), name, ids(e.like(name, x)), ids(x, y), nil)
}

func (e *everything) axis() int64 { return e.draw("axis", 0, 3) }

func (e *everything) concat(name string, x graph.TensorID) {
	axis := e.axis()
	pieces, total := ids(x), e.g.Tensors[x].Shape[axis]
	for range e.draw("pieces", 1, 3) {
		y := e.same(x, int(axis))
		pieces, total = append(pieces, y), total+e.g.Tensors[y].Shape[axis]
	}
	e.op("Concat", name, ids(e.like(name, x, axis, total)), pieces, graph.Attrs{"axis": axis})
}

func (e *everything) split(name string, x graph.TensorID) {
	axis := e.axis()
	n := e.g.Tensors[x].Shape[axis]
	first := e.draw("first", 1, max(1, n-1))
	if n < 2 {
		e.unary(name, x)
		return
	}
	a, b := e.like(name+"a", x, axis, first), e.like(name+"b", x, axis, n-first)
	e.op("Split", name, ids(a, b), ids(x, e.integers(name+"sizes", first, n-first)), graph.Attrs{"axis": axis})
}

func (e *everything) slice(name string, x graph.TensorID) {
	axis := e.axis()
	n := e.g.Tensors[x].Shape[axis]
	from := e.draw("from", 0, n-1)
	to := e.draw("to", from+1, n)
	if e.draw("empty", 0, 9) == 0 {
		// A piece without elements goes back into a concatenation, where it adds nothing.
		none := e.hidden(name+"none", graph.Float32, e.g.Tensors[x].Shape...)
		e.g.Tensors[none].Shape[axis] = 0
		e.op("Slice", name+"none", ids(none), ids(x, e.integers(name+"from", from), e.integers(name+"to", from), e.integers(name+"axes", axis)), nil)
		e.op("Concat", name, ids(e.like(name, x)), ids(none, x), graph.Attrs{"axis": axis})
		return
	}
	e.op("Slice", name, ids(e.like(name, x, axis, to-from)), ids(x, e.integers(name+"from", from), e.integers(name+"to", to), e.integers(name+"axes", axis)), nil)
}

func (e *everything) pad(name string, x graph.TensorID) {
	axis := e.axis()
	pads := make([]int64, 8)
	pads[axis], pads[axis+4] = e.draw("before", 0, 2), e.draw("after", 0, 2)
	e.op("Pad", name, ids(e.like(name, x, axis, e.g.Tensors[x].Shape[axis]+pads[axis]+pads[axis+4])), ids(x, e.integers(name+"pads", pads...)), nil)
}

var castTypes = map[graph.DType]int64{graph.Float32: 1, graph.Float16: 10, graph.Float64: 11}

func (e *everything) cast(name string, x graph.TensorID) {
	to := rapid.SampledFrom([]graph.DType{graph.Float16, graph.Float64}).Draw(e.t, "to")
	e.rounds = e.rounds || to == graph.Float16
	between := e.hidden(name+"between", to, e.g.Tensors[x].Shape...)
	e.op("Cast", name+"to", ids(between), ids(x), graph.Attrs{"to": castTypes[to]})
	if e.draw("computed", 0, 1) == 1 {
		next := e.hidden(name+"neg", to, e.g.Tensors[x].Shape...)
		e.op("Neg", name+"neg", ids(next), ids(between), nil)
		between = next
	}
	e.op("Cast", name, ids(e.like(name, x)), ids(between), graph.Attrs{"to": castTypes[graph.Float32]})
}

func (e *everything) reshape(name string, x graph.TensorID) {
	s := e.g.Tensors[x].Shape
	y := e.like(name, x, 1, s[2], 2, s[1])
	e.op("Reshape", name, ids(y), ids(x, e.integers(name+"shape", e.g.Tensors[y].Shape...)), nil)
}

func (e *everything) transpose(name string, x graph.TensorID) {
	s := e.g.Tensors[x].Shape
	e.op("Transpose", name, ids(e.like(name, x, 2, s[3], 3, s[2])), ids(x), graph.Attrs{"perm": []int64{0, 1, 3, 2}})
}

// spelled is an activation in simpler ops.
func (e *everything) spelled(name string, x graph.TensorID) {
	shape := e.g.Tensors[x].Shape
	gate := e.hidden(name+"gate", graph.Float32, shape...)
	e.op(e.oneOf("Sigmoid", "HardSigmoid", "Tanh"), name+"gate", ids(gate), ids(x), nil)
	operands := ids(x, gate)
	if e.draw("swapped", 0, 1) == 1 {
		operands = ids(gate, x)
	}
	e.op("Mul", name, ids(e.like(name, x)), operands, nil)
}

// excite is a squeeze-and-excitation block.
func (e *everything) excite(name string, x graph.TensorID) {
	c, h, w := e.sizes(x)
	if c > 8 || h == 0 || w == 0 {
		e.unary(name, x)
		return
	}
	batch := e.g.Tensors[x].Shape[0]
	vector := func(name string, c int64) graph.TensorID {
		s := e.shape(c, 1, 1)
		s[0] = batch
		return e.hidden(name, graph.Float32, s...)
	}
	mean, squeezed, active, excited, factors := vector(name+"mean", c), vector(name+"squeezed", 2), vector(name+"active", 2), vector(name+"excited", c), vector(name+"factors", c)
	attrs := func() graph.Attrs {
		out := graph.Attrs{"kernel_shape": []int64{1, 1}}
		if e.last {
			out[graph.AttrDataLayout] = "NHWC"
		}
		return out
	}
	pool := graph.Attrs{}
	if e.last {
		pool[graph.AttrDataLayout] = "NHWC"
	}
	e.op("GlobalAveragePool", name+"mean", ids(mean), ids(x), pool)
	e.op("Conv", name+"squeezed", ids(squeezed), ids(mean, e.values(name+"sw", 2, c, 1, 1), e.values(name+"sb", 2)), attrs())
	e.op("Relu", name+"active", ids(active), ids(squeezed), nil)
	e.op("Conv", name+"excited", ids(excited), ids(active, e.values(name+"ew", c, 2, 1, 1)), attrs())
	e.op(e.oneOf("Sigmoid", "HardSigmoid"), name+"factors", ids(factors), ids(excited), nil)
	e.op("Mul", name, ids(e.like(name, x)), ids(x, factors), nil)
}

// window are the attributes of a window without padding.
func (e *everything) window(kernel, stride int64) graph.Attrs {
	attrs := graph.Attrs{"kernel_shape": []int64{kernel, kernel}, "strides": []int64{stride, stride}, "pads": []int64{kernel / 2, kernel / 2, kernel / 2, kernel / 2}}
	if e.last {
		attrs[graph.AttrDataLayout] = "NHWC"
	}
	return attrs
}

// windowed is the result of such a window.
func (e *everything) windowed(name string, x graph.TensorID, kernel, stride int64) graph.TensorID {
	c, _, _ := e.sizes(x)
	return e.filtered(name, x, c, kernel, stride)
}

func (e *everything) filtered(name string, x graph.TensorID, c, kernel, stride int64) graph.TensorID {
	_, h, w := e.sizes(x)
	out := func(n int64) int64 { return (n+2*(kernel/2)-kernel)/stride + 1 }
	s := e.shape(c, out(h), out(w))
	return e.like(name, x, 1, s[1], 2, s[2], 3, s[3])
}

func (e *everything) pool(name string, x graph.TensorID) {
	kernel, stride := e.draw("kernel", 1, 3), e.draw("stride", 1, 2)
	e.op(e.oneOf("MaxPool", "AveragePool"), name, ids(e.windowed(name, x, kernel, stride)), ids(x), e.window(kernel, stride))
}

func (e *everything) conv(name string, x graph.TensorID) {
	c, _, _ := e.sizes(x)
	kernel, stride := e.draw("kernel", 1, 3), e.draw("stride", 1, 2)
	if c*kernel*kernel > 100 {
		kernel = 1
	}
	// The graph file holds small constants only.
	if c > 100 {
		e.unary(name, x)
		return
	}
	filters := e.draw("filters", 1, max(1, min(6, 200/(c*kernel*kernel))))
	e.op("Conv", name, ids(e.filtered(name, x, filters, kernel, stride)), ids(x, e.values(name+"w", filters, c, kernel, kernel), e.values(name+"b", filters)), e.window(kernel, stride))
}

func (e *everything) depthwise(name string, x graph.TensorID) {
	c, _, _ := e.sizes(x)
	if c > 20 {
		e.unary(name, x)
		return
	}
	attrs := e.window(3, 1)
	attrs["group"] = c
	e.op("Conv", name, ids(e.windowed(name, x, 3, 1)), ids(x, e.values(name+"w", c, 1, 3, 3)), attrs)
}

func (e *everything) resize(name string, x graph.TensorID) {
	c, h, w := e.sizes(x)
	s := e.shape(c, 2*h, w)
	y := e.like(name, x, 1, s[1], 2, s[2], 3, s[3])
	e.op("Resize", name, ids(y), ids(x, graph.NoTensor, graph.NoTensor, e.integers(name+"sizes", e.g.Tensors[y].Shape...)), graph.Attrs{"mode": e.oneOf("nearest", "linear")})
}
