package onnx

import (
	"path"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/source"
)

// importer holds what the stages of one import share.
type importer struct {
	file  *source.File
	diags diag.Diagnostics
	graph *graph.Graph
	// ids has every value of the graph by name.
	ids map[string]graph.TensorID
	// elems has for each tensor the element type that is declared or follows from its producer, InvalidDType when
	// neither is known. Shape inference settles the types later: this one only types the constants of converted forms.
	elems []graph.DType
	// read marks the tensors that an op reads or the graph gives out.
	read []bool
	// opNames has the names of all ops.
	opNames *namer
	// undefined counts the names without a definition that were reported.
	undefined int
}

// Import reads an ONNX model. It returns the graph in a valid execution order, that of the file where the file's is
// valid; tensors have the shapes and types that the file declares, if any. The graph is nil when a diagnostic is an
// error. Constants alias the bytes of f and of the files beside it: f must stay open as long as the graph is used.
//
// An initializer is a constant even when it is listed among the graph's inputs too. Constants that nothing
// reads are left out.
//
// The cost is linear in the size of the file without the values of constants, and that of the digest.
func Import(f *source.File) (*graph.Graph, diag.Diagnostics) {
	im := &importer{file: f, ids: map[string]graph.TensorID{}, opNames: newNamer()}
	model := im.decode()
	if model == nil || !im.checkOpsets(model) {
		return nil, im.diags
	}
	im.graph = &graph.Graph{Name: graphName(f, model), Format: "onnx", Digest: f.Digest()}
	nodes := im.expand(model)
	nodes = im.defineValues(model.graph, nodes)
	im.resolve(nodes)
	im.declareTypes(model.graph)
	im.setOutputs(model.graph)
	im.markRead(nodes)
	for _, i := range im.order(nodes) {
		im.addOp(&nodes[i])
	}
	if im.diags.HasErrors() {
		return nil, im.diags
	}
	im.prune()
	setLayouts(im.graph)
	return im.graph, im.diags
}

// report adds a diagnostic. The detail continues the sentence "In <file>, ...".
func (im *importer) report(id diag.ID, detail string, args ...any) {
	im.diags = append(im.diags, diag.New(id, "In %s, %s", im.file.Name(), diag.Format(detail, args...)))
}

// graphName is the graph's own name, else the file's without its extension.
func graphName(f *source.File, model *modelProto) string {
	if model.graph.name != "" {
		return model.graph.name
	}
	base := path.Base(f.Name())
	return strings.TrimSuffix(base, path.Ext(base))
}

// add appends a tensor under a name that is not taken yet.
func (im *importer) add(t graph.Tensor) graph.TensorID {
	id := graph.TensorID(len(im.graph.Tensors))
	im.graph.Tensors = append(im.graph.Tensors, t)
	im.elems = append(im.elems, t.DType)
	im.ids[t.Name] = id
	return id
}
