package onnx

import (
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// resolve finds the tensors that the nodes' inputs and outputs name. A name without a definition is reported once.
func (im *importer) resolve(nodes []node) {
	reported := map[string]bool{}
	for i := range nodes {
		n := &nodes[i]
		n.ins = im.tensors(n.inputs)
		n.outs = im.tensors(n.outputs)
		for _, name := range n.inputs {
			if _, ok := im.ids[name]; !ok && name != "" && !reported[name] {
				reported[name] = true
				im.reportUndefined(name, "an input of "+n.title())
			}
		}
	}
}

// tensors returns the tensors of the names, without the absent ones at the end.
func (im *importer) tensors(names []string) []graph.TensorID {
	ids := make([]graph.TensorID, len(names))
	for i, name := range names {
		id, ok := im.ids[name]
		if !ok || name == "" {
			id = graph.NoTensor
		}
		ids[i] = id
	}
	return trimAbsent(ids)
}

// trimAbsent cuts absent tensors off the end of the list.
func trimAbsent(ids []graph.TensorID) []graph.TensorID {
	for len(ids) > 0 && ids[len(ids)-1] == graph.NoTensor {
		ids = ids[:len(ids)-1]
	}
	return ids
}

// A suggestion compares a name with all others, so that it is made only in models where this is cheap, and only for the
// first few names.
const (
	maxNamesCompared = 4096
	maxSuggestions   = 8
)

func (im *importer) reportUndefined(name, where string) {
	im.undefined++
	var suggestion diag.Hint
	if im.undefined <= maxSuggestions && len(im.ids) <= maxNamesCompared {
		names := make([]string, 0, len(im.graph.Tensors))
		for i := range im.graph.Tensors {
			names = append(names, im.graph.Tensors[i].Name)
		}
		suggestion = diag.DidYouMean(name, names)
	}
	im.report(diag.ONNXUndefinedValue, "the value %q, %s, is no input, no initializer and no output of an operator.%s Check the model with onnx.checker and export it again.",
		name, where, suggestion)
}

// markRead notes which tensors an op reads or the graph gives out.
func (im *importer) markRead(nodes []node) {
	im.read = make([]bool, len(im.graph.Tensors))
	mark := func(ids []graph.TensorID) {
		for _, id := range ids {
			if id != graph.NoTensor {
				im.read[id] = true
			}
		}
	}
	mark(im.graph.Outputs)
	for i := range nodes {
		mark(nodes[i].ins)
	}
}

// isRead reports whether an op of the model reads the tensor or the graph gives it out.
func (im *importer) isRead(id graph.TensorID) bool {
	return id != graph.NoTensor && int(id) < len(im.read) && im.read[id]
}

// prune removes the tensors that are neither an input nor touched by an op or given out: constants that nothing reads,
// or that the newer form of an op does not need, and optional outputs that were dropped.
func (im *importer) prune() {
	g := im.graph
	keep := make([]bool, len(g.Tensors))
	eachTensorID(g, func(id *graph.TensorID) { keep[*id] = true })
	moved := make([]graph.TensorID, len(g.Tensors))
	kept := g.Tensors[:0]
	for id := range g.Tensors {
		moved[id] = graph.TensorID(len(kept))
		if keep[id] {
			kept = append(kept, g.Tensors[id])
		}
	}
	g.Tensors = slices.Clip(kept)
	eachTensorID(g, func(id *graph.TensorID) { *id = moved[*id] })
}

// eachTensorID calls visit for every present reference to a tensor in the graph.
func eachTensorID(g *graph.Graph, visit func(*graph.TensorID)) {
	lists := [][]graph.TensorID{g.Inputs, g.Outputs}
	for i := range g.Ops {
		lists = append(lists, g.Ops[i].Inputs, g.Ops[i].Outputs)
	}
	for _, list := range lists {
		for i := range list {
			if list[i] != graph.NoTensor {
				visit(&list[i])
			}
		}
	}
}
