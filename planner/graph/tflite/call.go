package tflite

import (
	"cmp"
	"encoding/binary"
	"math"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// call is one operator of the file and, while it is converted, the ops it becomes.
type call struct {
	index int
	kind  kind
	// inputs and outputs are tensor numbers, -1 for an absent input.
	inputs, outputs []int32
	options         table

	im   *importer
	name string
	ops  []graph.Op
}

// convert adds the ops of the call to the graph. A call that no conversion can express stays one op of the file's own
// kind.
func (im *importer) convert(c *call) {
	conv, known := conversions[c.kind.code.String()]
	if known && !conv.fits(c) {
		im.report(diag.TFLiteOperands, "Operator %q (%s) has %d inputs and %d outputs; it needs %s. Convert the model again.",
			c.name, c.kind, len(c.inputs), len(c.outputs), conv.needs())
		return
	}
	if !known || !conv.run(c) {
		c.keep()
	}
	c.markQuantized()
	im.g.Ops = append(im.g.Ops, c.ops...)
	c.ops = nil
}

// keep leaves the operator as it is: planning needs no more than its operands.
func (c *call) keep() {
	op := graph.Op{Name: c.name, Op: c.kind.code.camelCase(), Domain: Domain, Inputs: c.all(c.inputs), Outputs: c.all(c.outputs)}
	if c.kind.code == customOperator {
		op.Op, op.Domain = cmp.Or(c.kind.custom, "Custom"), CustomDomain
	}
	c.ops = []graph.Op{op}
}

// all returns the tensor ids of file numbers.
func (c *call) all(numbers []int32) []graph.TensorID {
	ids := make([]graph.TensorID, len(numbers))
	for i, n := range numbers {
		ids[i] = graph.TensorID(n)
	}
	return ids
}

// in returns input i, NoTensor when it is absent.
func (c *call) in(i int) graph.TensorID {
	if i >= len(c.inputs) {
		return graph.NoTensor
	}
	return graph.TensorID(c.inputs[i])
}

// out returns output i, which conversion.fits has found to exist.
func (c *call) out(i int) graph.TensorID { return graph.TensorID(c.outputs[i]) }

func (c *call) shape(id graph.TensorID) graph.Shape { return c.im.g.Tensors[id].Shape }

func (c *call) dtype(id graph.TensorID) graph.DType { return c.im.g.Tensors[id].DType }

// emit appends an op. Only the last one of a call may carry the call's own name: pass a suffix for the others.
func (c *call) emit(suffix, op string, inputs, outputs []graph.TensorID, attrs graph.Attrs) *graph.Op {
	name := c.name
	if suffix != "" {
		name = c.im.ops.claim(c.name + "/" + suffix)
	}
	c.ops = append(c.ops, graph.Op{Name: name, Op: op, Inputs: inputs, Outputs: outputs, Attrs: attrs})
	return &c.ops[len(c.ops)-1]
}

// ids is a list of tensors without the absent ones at its end.
func ids(list ...graph.TensorID) []graph.TensorID {
	for len(list) > 0 && list[len(list)-1] == graph.NoTensor {
		list = list[:len(list)-1]
	}
	return list
}

// temporary adds a tensor between two ops of this call.
func (c *call) temporary(suffix string, dtype graph.DType, shape graph.Shape) graph.TensorID {
	return c.add(graph.Tensor{Name: c.name + "/" + suffix, Role: graph.Activation, DType: dtype, Shape: shape})
}

func (c *call) add(t graph.Tensor) graph.TensorID {
	t.Name, t.Shape = c.im.tensors.claim(t.Name), t.Shape.Clone()
	c.im.g.Tensors = append(c.im.g.Tensors, t)
	return graph.TensorID(len(c.im.g.Tensors) - 1)
}

// constant adds a constant with the given content.
func (c *call) constant(suffix string, dtype graph.DType, shape graph.Shape, content []byte) graph.TensorID {
	return c.add(graph.Tensor{
		Name: c.name + "/" + suffix, Role: graph.Constant, DType: dtype, Shape: shape, Data: graph.Bytes(content),
	})
}

// vector adds a constant of rank one, as ONNX wants axes, sizes and the like.
func (c *call) vector(suffix string, values []int64) graph.TensorID {
	content := make([]byte, 0, 8*len(values))
	for _, v := range values {
		content = binary.LittleEndian.AppendUint64(content, uint64(v))
	}
	return c.constant(suffix, graph.Int64, graph.Shape{int64(len(values))}, content)
}

// scalar adds a float32 constant of rank zero.
func (c *call) scalar(suffix string, value float32) graph.TensorID {
	content := binary.LittleEndian.AppendUint32(nil, math.Float32bits(value))
	return c.constant(suffix, graph.Float32, graph.Shape{}, content)
}

// afford charges what n tensors and ops with the call's name in theirs cost, and reports whether they may be made.
func (c *call) afford(n int) bool {
	return c.im.r.spend(int64(n) * int64(tableCharge+len(c.name)))
}

// maxOperand is the number of elements up to which a constant is read as an operand such as axes or paddings.
const maxOperand = 1 << 16

// ints reads input i as integers. The second result is false when it is absent, not a constant or not of an integer
// type.
func (c *call) ints(i int) ([]int64, bool) {
	id := c.in(i)
	if id == graph.NoTensor {
		return nil, false
	}
	t := &c.im.g.Tensors[id]
	content, ok := t.Data.(graph.Bytes)
	width := t.DType.Size()
	if !ok || t.DType != graph.Int32 && t.DType != graph.Int64 || t.Data.Size()/width > maxOperand {
		return nil, false
	}
	if !c.im.r.spend(t.Data.Size()) {
		return nil, false
	}
	values := make([]int64, int64(len(content))/width)
	for k := range values {
		if width == 4 {
			values[k] = int64(int32(binary.LittleEndian.Uint32(content[4*k:])))
		} else {
			values[k] = int64(binary.LittleEndian.Uint64(content[8*k:]))
		}
	}
	return values, true
}

// axis reads input i as one axis of a tensor of the rank; negative ones count from the end.
func (c *call) axis(i, rank int) (int64, bool) {
	values, ok := c.ints(i)
	if !ok || len(values) != 1 {
		return 0, false
	}
	return normalAxis(values[0], rank)
}

// normalAxis makes an axis that counts from the end count from the start. The second result is false when there is no
// such axis.
func normalAxis(axis int64, rank int) (int64, bool) {
	if axis < 0 {
		axis += int64(rank)
	}
	return axis, axis >= 0 && axis < int64(rank)
}
