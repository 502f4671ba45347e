package tflite

import (
	"github.com/memplan/memplan/planner/graph"
)

// fusedActivation is an activation that runs as part of another operator, by the schema's number.
type fusedActivation struct {
	op string
	// low and high are the bounds of a Clip.
	low, high float32
}

var fusedActivations = [...]fusedActivation{
	0: {},
	1: {op: "Relu"},
	2: {op: "Clip", low: -1, high: 1},
	3: {op: "Clip", low: 0, high: 6},
	4: {op: "Tanh"},
}

// fused reads the fused activation from the options. The second result is false for one that ONNX has no op for.
func (c *call) fused(slot int) (fusedActivation, bool) {
	code := int(c.options.u8(slot))
	if code >= len(fusedActivations) {
		return fusedActivation{}, false
	}
	return fusedActivations[code], true
}

// fuse makes the activation part of the op.
func fuse(op *graph.Op, a fusedActivation) {
	if a.op == "" {
		return
	}
	op.Fused = []string{op.Op, a.op}
	if a.op == "Clip" {
		if op.Attrs == nil {
			op.Attrs = graph.Attrs{}
		}
		op.Attrs["Clip.min"], op.Attrs["Clip.max"] = a.low, a.high
	}
}

// activated converts to one op with the fused activation of the options' first field.
func activated(op string) func(*call) bool {
	return func(c *call) bool {
		a, ok := c.fused(0)
		if !ok {
			return false
		}
		fuse(c.emit("", op, c.all(c.inputs), c.all(c.outputs), nil), a)
		return true
	}
}

// clip converts to a Clip between constants.
func clip(low, high float32) func(*call) bool {
	return func(c *call) bool {
		if c.dtype(c.in(0)) != graph.Float32 {
			// The bounds would need the type of the data, and for integers its scale.
			return false
		}
		c.emit("", "Clip", ids(c.in(0), c.scalar("min", low), c.scalar("max", high)), ids(c.out(0)), nil)
		return true
	}
}

func (c *call) leakyRelu() bool {
	return c.wrap("LeakyRelu", graph.Attrs{"alpha": c.options.f32(0)})
}

func (c *call) gelu() bool {
	approximate := "none"
	if c.options.flag(0) {
		approximate = "tanh"
	}
	return c.wrap("Gelu", graph.Attrs{"approximate": approximate})
}

// softmax scales by beta first when it is not 1.
func (c *call) softmax() bool {
	data := c.in(0)
	if beta := c.options.f32(0); c.options.present() && beta != 1 {
		if c.dtype(data) != graph.Float32 {
			return false
		}
		scaled := c.temporary("scaled", graph.Float32, c.shape(data))
		c.emit("scale", "Mul", ids(data, c.scalar("beta", beta)), ids(scaled), nil)
		data = scaled
	}
	c.emit("", "Softmax", ids(data), ids(c.out(0)), graph.Attrs{"axis": int64(-1)})
	return true
}

func (c *call) logSoftmax() bool { return c.wrap("LogSoftmax", graph.Attrs{"axis": int64(-1)}) }

// notEqual becomes Equal and Not.
func (c *call) notEqual() bool {
	equal := c.temporary("equal", graph.Bool, c.shape(c.out(0)))
	c.emit("equal", "Equal", c.all(c.inputs), ids(equal), nil)
	c.emit("", "Not", ids(equal), ids(c.out(0)), nil)
	return true
}
