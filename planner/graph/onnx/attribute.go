package onnx

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// attrsOf returns the attributes of a node, nil when it has none. Of an attribute that stands there twice the last one
// counts.
func (im *importer) attrsOf(n *node) graph.Attrs {
	if len(n.attrs) == 0 {
		return nil
	}
	attrs := make(graph.Attrs, len(n.attrs))
	for i := range n.attrs {
		a := &n.attrs[i]
		if value := im.attrValue(n, a); value != nil {
			attrs[a.name] = value
		}
	}
	return attrs
}

// attrValue returns the value of an attribute, or reports one that graphs cannot carry and returns nil.
func (im *importer) attrValue(n *node, a *attrProto) graph.Attr {
	what := fmt.Sprintf("attribute %q of %s", a.name, n.title())
	switch {
	case a.ref != "":
		im.report(diag.ONNXAttribute, "%s takes its value from %q, a parameter of a function, outside of any function. Export the model again.", what, a.ref)
		return nil
	case a.kind == attrTensor && a.tensor != nil:
		if t := im.constantOf(a.tensor, what); t != nil {
			return t
		}
		return nil
	case a.kind == attrSparseTensor && a.sparse != nil:
		if t := im.sparseConstant(a.sparse, what); t != nil {
			return t
		}
		return nil
	}
	if value := a.plain(); value != nil {
		return value
	}
	im.report(diag.ONNXAttribute, "%s is %s. Attributes must be numbers, strings, lists of them, or one tensor; export the model without it.", what, a.kind)
	return nil
}

// plain returns the value of an attribute that is no tensor, nil for a kind that graphs cannot carry. An empty list is
// not nil: it differs from an absent attribute.
func (a *attrProto) plain() graph.Attr {
	switch a.kind {
	case attrFloat:
		return a.f
	case attrInt:
		return a.i
	case attrString:
		return a.s
	case attrFloats:
		return append([]float32{}, a.floats...)
	case attrInts:
		return append([]int64{}, a.ints...)
	case attrStrings:
		return append([]string{}, a.strings...)
	}
	return nil
}

// String describes the kind as messages do.
func (k attrKind) String() string {
	switch k {
	case attrTensor, attrSparseTensor:
		return "a tensor without a value"
	case attrGraph, attrGraphs:
		return "a graph"
	case attrTensors, attrSparseTensors:
		return "a list of tensors"
	case attrType, attrTypes:
		return "a type"
	case attrUndefined:
		return "without a value"
	}
	return fmt.Sprintf("of the unknown kind %d", int64(k))
}
