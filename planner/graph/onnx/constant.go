package onnx

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// defineConstantNode makes the output of a Constant node a constant. The value is in one of seven attributes.
func (im *importer) defineConstantNode(n *node) {
	if len(n.outputs) == 0 || n.outputs[0] == "" {
		return
	}
	name := n.outputs[0]
	what := fmt.Sprintf("constant %q", name)
	im.defineConstant(name, im.constantNodeValue(n, what), what)
}

func (im *importer) constantNodeValue(n *node, what string) *graph.AttrTensor {
	for i := range n.attrs {
		a := &n.attrs[i]
		switch a.name {
		case "value":
			if a.tensor != nil {
				return im.constantOf(a.tensor, what)
			}
		case "sparse_value":
			if a.sparse != nil {
				return im.sparseConstant(a.sparse, what)
			}
		case "value_int":
			return scalarOf(intTensor([]int64{a.i}))
		case "value_ints":
			return intTensor(a.ints)
		case "value_float":
			return scalarOf(floatTensor([]float32{a.f}))
		case "value_floats":
			return floatTensor(a.floats)
		case "value_string", "value_strings":
			im.report(diag.ONNXElementType, "%s holds strings, which have no size to plan. Export the model with numeric values only.", what)
			return nil
		}
	}
	im.report(diag.ONNXAttribute, "%s has no value: its node lacks the attribute value, and every other form of it. Export the model again.", what)
	return nil
}

// intTensor returns an int64 tensor of shape [n].
func intTensor(values []int64) *graph.AttrTensor {
	data := make([]byte, 0, 8*len(values))
	for _, v := range values {
		data = binary.LittleEndian.AppendUint64(data, uint64(v))
	}
	return &graph.AttrTensor{DType: graph.Int64, Shape: graph.Shape{int64(len(values))}, Data: graph.Bytes(data)}
}

// floatTensor returns a float32 tensor of shape [n].
func floatTensor(values []float32) *graph.AttrTensor {
	data := make([]byte, 0, 4*len(values))
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	return &graph.AttrTensor{DType: graph.Float32, Shape: graph.Shape{int64(len(values))}, Data: graph.Bytes(data)}
}

// scalarOf gives a tensor of one element the shape [] of a scalar.
func scalarOf(t *graph.AttrTensor) *graph.AttrTensor {
	t.Shape = graph.Shape{}
	return t
}
