package onnx

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// sequenceOps take or give values that are no tensors.
var sequenceOps = map[string]bool{
	"ConcatFromSequence": true, "Optional": true, "OptionalGetElement": true, "OptionalHasElement": true,
	"SequenceAt": true, "SequenceConstruct": true, "SequenceEmpty": true, "SequenceErase": true, "SequenceInsert": true,
	"SequenceLength": true, "SequenceMap": true, "SplitToSequence": true,
}

// stringOps take or give strings.
var stringOps = map[string]bool{
	"RegexFullMatch": true, "StringConcat": true, "StringNormalizer": true, "StringSplit": true,
}

// refuse reports a node that cannot become an op of a planned graph.
func (im *importer) refuse(n *node) bool {
	switch {
	case n.refused:
	case n.op == "":
		im.report(diag.ONNXDamaged, "the node %q, which gives %s, has no operator type. Export the model again.", n.name, n.results())
	case n.domain == "" && sequenceOps[n.op]:
		im.report(diag.ONNXSequence, "%s, which gives %s, works on sequences or optional values, whose size is not known before a run. Export the model with tensors in their place.", n.title(), n.results())
	case n.domain == "" && stringOps[n.op]:
		im.report(diag.ONNXElementType, "%s, which gives %s, works on strings, which have no size to plan. Do this part before the model runs.", n.title(), n.results())
	case n.runsGraph():
		im.report(diag.ONNXControlFlow, "%s, which gives %s, runs a graph of its own: control flow is not planned. Export the model without it, for instance with constant conditions or unrolled loops.", n.title(), n.results())
	case n.domain != "":
		return im.refuseCustom(n)
	default:
		return im.refuseElem(n)
	}
	return true
}

// runsGraph reports whether the node has a graph of its own: If, Loop, Scan, and custom ops like them.
func (n *node) runsGraph() bool {
	if n.domain == "" && (n.op == "If" || n.op == "Loop" || n.op == "Scan") {
		return true
	}
	for i := range n.attrs {
		if n.attrs[i].kind == attrGraph || n.attrs[i].kind == attrGraphs {
			return true
		}
	}
	return false
}

// refuseCustom reports each result of a custom operator for which the model declares no shape or no type. Nobody else
// could say what they are.
func (im *importer) refuseCustom(n *node) bool {
	refused := false
	for _, out := range n.outs {
		if out == graph.NoTensor {
			continue
		}
		if t := &im.graph.Tensors[out]; t.Shape == nil || t.DType == graph.InvalidDType {
			im.report(diag.ONNXCustomOp, "%s is an unknown custom operator of domain %q, and the model declares no shape and type for its result %q. Add one to the model's value_info.",
				n.title(), n.domain, t.Name)
			refused = true
		}
	}
	return refused
}

// elemAttrs has for each op the attribute that says the element type of its result.
var elemAttrs = map[string]string{
	"Bernoulli": "dtype", "BlackmanWindow": "output_datatype", "Cast": "to", "EyeLike": "dtype",
	"HammingWindow": "output_datatype", "HannWindow": "output_datatype", "MelWeightMatrix": "output_datatype",
	"Multinomial": "dtype", "QuantizeLinear": "output_dtype", "RandomNormal": "dtype", "RandomNormalLike": "dtype",
	"RandomUniform": "dtype", "RandomUniformLike": "dtype",
}

// refuseElem reports an op that is told to give elements of a type that graphs cannot hold.
func (im *importer) refuseElem(n *node) bool {
	name, ok := elemAttrs[n.op]
	if !ok {
		return false
	}
	for i := range n.attrs {
		a := &n.attrs[i]
		if a.name != name || a.i == 0 || elemType(a.i).dtype() != graph.InvalidDType {
			continue
		}
		im.report(diag.ONNXElementType, "%s gives %s elements of type %s. Elements need a numeric type of whole bytes; change the export.", n.title(), n.results(), elemType(a.i))
		return true
	}
	return false
}
