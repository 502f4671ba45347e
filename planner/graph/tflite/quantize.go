package tflite

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// onnxTypes are the numbers of ONNX's data types, as the attribute "to" of a Cast has them.
var onnxTypes = map[graph.DType]int64{
	graph.Float32: 1, graph.Uint8: 2, graph.Int8: 3, graph.Uint16: 4, graph.Int16: 5, graph.Int32: 6, graph.Int64: 7,
	graph.Bool: 9, graph.Float16: 10, graph.Float64: 11, graph.Uint32: 12, graph.Uint64: 13, graph.Complex64: 14,
	graph.Complex128: 15, graph.BFloat16: 16,
}

// emitCast casts to the type that the result has.
func (c *call) emitCast(suffix string, from, to graph.TensorID) {
	c.emit(suffix, "Cast", ids(from), ids(to), graph.Attrs{"to": onnxTypes[c.dtype(to)]})
}

func (c *call) cast() bool {
	c.emitCast("", c.in(0), c.out(0))
	return true
}

// quantize converts QUANTIZE from a float type; from one scale to another it has no ONNX form.
func (c *call) quantize() bool {
	if !c.dtype(c.in(0)).IsFloat() {
		return false
	}
	return c.linear("QuantizeLinear", c.out(0))
}

// dequantize converts DEQUANTIZE. On half floats it only widens.
func (c *call) dequantize() bool {
	if c.dtype(c.in(0)).IsFloat() {
		return c.cast()
	}
	return c.linear("DequantizeLinear", c.in(0))
}

// linear emits a quantising op with scale and zero point as constants, one for all or one for each index of an axis.
func (c *call) linear(op string, stored graph.TensorID) bool {
	q := c.im.quantized(stored)
	if q == nil {
		return false
	}
	shape, attrs := graph.Shape{}, graph.Attrs(nil)
	if n := int64(len(q.scale)); n > 1 {
		axis, ok := normalAxis(int64(q.axis), len(c.shape(stored)))
		if !ok || c.shape(stored)[axis] != n {
			return false
		}
		shape, attrs = graph.Shape{n}, graph.Attrs{"axis": axis}
	}
	content := make([]byte, 0, 4*len(q.scale))
	for _, s := range q.scale {
		content = binary.LittleEndian.AppendUint32(content, math.Float32bits(s))
	}
	scale := c.constant("scale", graph.Float32, shape, content)
	c.emit("", op, ids(c.in(0), scale, c.zeroPoint("zero_point", q, shape)), ids(c.out(0)), attrs)
	return true
}

// quantized returns the quantisation of an integer tensor of the file, nil for any other tensor.
func (im *importer) quantized(id graph.TensorID) *quantization {
	if id < 0 || int(id) >= len(im.m.tensors) {
		return nil
	}
	switch im.g.Tensors[id].DType {
	case graph.Int8, graph.Uint8, graph.Int16, graph.Uint16, graph.Int32, graph.Int64:
		return im.m.tensors[id].quant
	}
	return nil
}

// orderOnly are ops that move or compare stored integers and mean the same for quantised ones, as long as these have
// one scale and zero point.
var orderOnly = map[string]bool{
	"Reshape": true, "Squeeze": true, "Unsqueeze": true, "Concat": true, "Slice": true, "Split": true,
	"Transpose": true, "Pad": true, "Gather": true, "Tile": true, "Expand": true, "Identity": true, "Where": true,
	"MaxPool": true, "DepthToSpace": true, "SpaceToDepth": true, "ArgMax": true, "ArgMin": true, "TopK": true,
	"Max": true, "Min": true, "ReduceMax": true, "ReduceMin": true,
	"Equal": true, "Less": true, "LessOrEqual": true, "Greater": true, "GreaterOrEqual": true,
}

// aboutStorage are ops that read stored integers as they are, or whose operands say how.
var aboutStorage = map[string]bool{"Shape": true, "Cast": true, "QuantizeLinear": true, "DequantizeLinear": true}

// markQuantized moves the ops that compute on quantised integers to a domain of their own.
func (c *call) markQuantized() {
	for i := range c.ops {
		op := &c.ops[i]
		if op.Domain != "" || aboutStorage[op.Op] {
			continue
		}
		scales := c.im.scales(op)
		moves := orderOnly[op.Op] || op.Op == "Resize" && op.Attrs.String("mode", "") == "nearest"
		if len(scales) > 0 && !(moves && op.Fused == nil && allEqual(scales)) {
			op.Domain = QuantizedDomain
		}
	}
}

// scales lists the quantisations of an op's operands.
func (im *importer) scales(op *graph.Op) []*quantization {
	var found []*quantization
	for _, list := range [][]graph.TensorID{op.Inputs, op.Outputs} {
		for _, id := range list {
			if q := im.quantized(id); q != nil {
				found = append(found, q)
			}
		}
	}
	return found
}

func allEqual(scales []*quantization) bool {
	first := scales[0]
	return !slices.ContainsFunc(scales, func(q *quantization) bool {
		return q != first && (!slices.Equal(q.scale, first.scale) || !slices.Equal(q.zeroPoint, first.zeroPoint))
	})
}
