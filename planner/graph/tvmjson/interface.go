package tvmjson

import (
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/jsontext"
)

// setInterface tells inputs from constants and takes over the graph's results. Inputs stand in the order of arg_nodes;
// any that it leaves out follow.
func (im *importer) setInterface() {
	params, found := im.openParams()
	listed := make([]bool, len(im.doc.nodes))
	for _, arg := range im.doc.args {
		listed[arg.Value] = true
		im.argument(int(arg.Value), params, found)
	}
	for i := range im.doc.nodes {
		if im.doc.nodes[i].op.Value == "null" && !listed[i] {
			im.argument(i, params, found)
		}
	}
	im.g.Outputs = im.entries(im.doc.heads)
	for _, id := range im.g.Outputs {
		if t := &im.g.Tensors[id]; t.Role == graph.Activation {
			t.Role = graph.Output
		}
	}
}

// argument gives a node that no function computes its role and, when there is a parameter for it, its content.
func (im *importer) argument(node int, params map[string]param, found bool) {
	id := graph.TensorID(im.first[node])
	t := &im.g.Tensors[id]
	p, isParam := params[t.Name]
	switch {
	case isParam:
		t.Role, t.Data = graph.Constant, p.data
		im.checkParam(t, p)
	case !found && numbered(t.Name):
		t.Role = graph.Constant
	default:
		t.Role = graph.Input
		im.g.Inputs = append(im.g.Inputs, id)
	}
}

// checkParam holds a parameter against the graph.
func (im *importer) checkParam(t *graph.Tensor, p param) {
	if p.dtype != t.DType || !p.shape.Equal(t.Shape) {
		im.Add(diag.New(diag.TVMParams, "The parameter %s in %s is %s %s, and %s %s in the graph. Write both files again from one compilation.",
			jsontext.Quoted(t.Name), p.file, p.dtype, p.shape, t.DType, t.Shape))
	}
}

// numbered reports whether a name is "p" and a number.
func numbered(name string) bool {
	digits, ok := strings.CutPrefix(name, "p")
	return ok && isNumber(digits)
}
