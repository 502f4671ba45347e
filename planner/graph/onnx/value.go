package onnx

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// declareTypes gives tensors the types that the file declares. A value that is declared twice keeps the first type that
// has a shape. Constants have their own: what is declared for them says nothing more.
func (im *importer) declareTypes(g *graphProto) {
	for _, list := range [][]valueProto{g.inputs, g.outputs, g.values} {
		for i := range list {
			im.declareType(&list[i])
		}
	}
}

func (im *importer) declareType(v *valueProto) {
	id, ok := im.ids[v.name]
	if !ok || v.kind == typeAbsent {
		return
	}
	t := &im.graph.Tensors[id]
	if t.Role == graph.Constant {
		return
	}
	if v.kind != typeTensor {
		im.report(diag.ONNXSequence, "value %q is declared as a %s, which has no size to plan. Export the model with tensors in its place.", v.name, v.kind)
		return
	}
	if t.DType == graph.InvalidDType && v.elem != 0 {
		t.DType, _ = im.dtypeOf(v.elem, fmt.Sprintf("value %q", v.name))
		im.elems[id] = t.DType
	}
	if t.Shape == nil && v.hasShape {
		setShape(t, v.dims)
	}
}

// setShape writes declared axes. Sizes below 0 are what some exporters write for an open axis. Open axes without a name
// are left for shape inference to name.
func setShape(t *graph.Tensor, dims []dimProto) {
	shape := make(graph.Shape, len(dims))
	symbols := make([]string, len(dims))
	open := false
	for axis, d := range dims {
		if d.fixed && d.size >= 0 {
			shape[axis] = d.size
			continue
		}
		shape[axis], symbols[axis], open = graph.Unknown, d.param, true
	}
	t.Shape = shape
	if open {
		t.Symbols = symbols
	}
}

// setOutputs finds the graph's outputs among the values.
func (im *importer) setOutputs(g *graphProto) {
	seen := make(map[string]bool, len(g.outputs))
	for i := range g.outputs {
		name := g.outputs[i].name
		if seen[name] {
			im.report(diag.ONNXDuplicateValue, "the graph gives %q out twice. Remove one of the two outputs.", name)
			continue
		}
		seen[name] = true
		id, ok := im.ids[name]
		if !ok {
			im.reportUndefined(name, "an output of the graph")
			continue
		}
		if t := &im.graph.Tensors[id]; t.Role == graph.Activation {
			t.Role = graph.Output
		}
		im.graph.Outputs = append(im.graph.Outputs, id)
	}
}
