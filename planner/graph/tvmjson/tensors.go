package tvmjson

import (
	"fmt"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/jsontext"
)

// addTensors adds a tensor for each entry: its name, element type, shape, layout and scope.
func (im *importer) addTensors() {
	im.layouts = make([]string, im.first[len(im.doc.nodes)])
	im.readLayouts()
	im.g.Tensors = make([]graph.Tensor, len(im.layouts))
	im.nameTensors()
	scopes := im.scopes()
	for i := range im.g.Tensors {
		t, dtype := &im.g.Tensors[i], im.doc.dtypes.items[i]
		t.Role, t.Shape, t.Scope = graph.Activation, im.doc.shapes.items[i], scopes[i]
		if axesOf(im.layouts[i]) == len(t.Shape) {
			t.Layout = im.layouts[i]
		}
		var fault string
		if t.DType, fault = parseDType(dtype.Value); fault != "" {
			im.Report(dtype.At, diag.TVMDType, "The tensor %s has the element type %s, %s", jsontext.Quoted(t.Name), jsontext.Quoted(dtype.Value), fault)
			continue
		}
		if _, ok := t.Shape.Bytes(t.DType); !ok {
			im.Report(im.doc.shapes.at, diag.TVMValue, "The tensor %s has the shape %s, which takes more than 2^63-1 bytes. Correct it.", jsontext.Quoted(t.Name), t.Shape)
		}
	}
}

// nameTensors names the result of a node like the node, and several by their number. The names of arguments are how
// values are bound to them, so these must differ.
func (im *importer) nameTensors() {
	var names namer
	for i := range im.doc.nodes {
		n := &im.doc.nodes[i]
		if n.op.Value != "null" {
			continue
		}
		name := names.unique(n.name.Value)
		if name != n.name.Value {
			im.Report(n.name.At, diag.TVMLengths, "Two arguments of the graph are named %s. Rename one of the two.", jsontext.Quoted(n.name.Value))
		}
		im.g.Tensors[im.first[i]].Name = name
	}
	for i := range im.doc.nodes {
		n := &im.doc.nodes[i]
		if n.op.Value == "null" {
			continue
		}
		for k := range im.outs[i] {
			name := n.name.Value
			if im.outs[i] > 1 {
				name = fmt.Sprintf("%s:%d", name, k)
			}
			im.g.Tensors[im.first[i]+int(k)].Name = names.unique(name)
		}
	}
}

// scopeNames are the scopes that TVM's runtime knows, beside "", which means the first.
var scopeNames = []string{"global", "global.texture", "global.texture-weight", "global.texture-nhwc"}

// scopes returns the scope that the file asks for each entry, under its one spelling: "" in a file that puts everything
// into flat memory, as in one that does not speak of scopes at all.
func (im *importer) scopes() []string {
	out := make([]string, len(im.g.Tensors))
	flat := true
	for i, t := range im.doc.scopes.items {
		out[i] = t.Value
		if t.Value == "" {
			out[i] = scopeNames[0]
		}
		flat = flat && out[i] == scopeNames[0]
		if !known(out[i]) {
			im.Report(t.At, diag.TVMScope, "The tensor %s has the storage scope %s; the scopes are %s.%s Correct it.", jsontext.Quoted(im.g.Tensors[i].Name), jsontext.Quoted(t.Value),
				strings.Join(scopeNames, ", "), diag.DidYouMean(t.Value, scopeNames))
		}
	}
	if flat {
		clear(out)
	}
	return out
}

func known(scope string) bool {
	for _, name := range scopeNames {
		if name == scope {
			return true
		}
	}
	return false
}
