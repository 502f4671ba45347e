package onnx

import "github.com/memplan/memplan/planner/graph"

// addOp appends the op of a node in its newest form, after those it depends on, or reports why it cannot be planned.
func (im *importer) addOp(n *node) {
	if im.refuse(n) {
		return
	}
	op := graph.Op{Name: n.name, Op: n.op, Domain: n.domain, Inputs: n.ins, Outputs: n.outs, Attrs: im.attrsOf(n)}
	if op.Domain == "" {
		im.normalize(&op, n)
	}
	op.Inputs, op.Outputs = trimAbsent(op.Inputs), trimAbsent(op.Outputs)
	im.graph.Ops = append(im.graph.Ops, op)
	im.typeResults(&op)
}

// boolOps are the ops whose result is bool whatever they read.
var boolOps = map[string]bool{
	"And": true, "Equal": true, "Greater": true, "GreaterOrEqual": true, "IsInf": true, "IsNaN": true, "Less": true,
	"LessOrEqual": true, "Not": true, "Or": true, "Xor": true,
}

// int64Ops are the ops whose result is int64 whatever they read.
var int64Ops = map[string]bool{
	"ArgMax": true, "ArgMin": true, "NonMaxSuppression": true, "NonZero": true, "Shape": true, "Size": true,
}

// typeResults notes the element type of results for which the file declares none. It serves to type the constants of
// converted forms, so that it follows the ops of old models and takes the first input's type for the rest.
func (im *importer) typeResults(op *graph.Op) {
	elem := im.resultElem(op)
	for _, out := range op.Outputs {
		if out != graph.NoTensor && im.elems[out] == graph.InvalidDType {
			im.elems[out] = elem
		}
	}
}

func (im *importer) resultElem(op *graph.Op) graph.DType {
	switch {
	case boolOps[op.Op]:
		return graph.Bool
	case int64Ops[op.Op]:
		return graph.Int64
	}
	switch op.Op {
	case "Cast":
		return elemType(op.Attrs.Int("to", 0)).dtype()
	case "ConstantOfShape":
		if value, ok := op.Attrs["value"].(*graph.AttrTensor); ok {
			return value.DType
		}
		return graph.Float32
	case "Where", "CastLike", "DequantizeLinear":
		return im.elemOf(op, 1)
	case "OneHot", "QuantizeLinear":
		return im.elemOf(op, 2)
	}
	return im.elemOf(op, 0)
}

// elemOf returns the element type of the op's input, InvalidDType when it is not known.
func (im *importer) elemOf(op *graph.Op, input int) graph.DType {
	if input >= len(op.Inputs) || op.Inputs[input] == graph.NoTensor {
		return graph.InvalidDType
	}
	return im.elems[op.Inputs[input]]
}
