package native

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/jsontext"
)

// roles are the roles a tensor of a file can have. Scratch memory belongs to an op and has no tensor.
var roles = []string{
	string(graph.Input), string(graph.Output), string(graph.Constant), string(graph.Activation), string(graph.State),
}

// tensor builds one tensor as far as it does not depend on ops. The role stays empty when it is left out.
func (im *importer) tensor(d *tensorDef) graph.Tensor {
	t := graph.Tensor{
		Name: d.name.Value, Role: im.role(d.role), Shape: d.shape, Symbols: d.symbols, Layout: d.layout.Value,
		UpperBound: d.upperBound, Given: d.interval,
	}
	if d.name.Given() && d.name.Value == "" {
		im.Report(d.name.At, diag.NativeValue, "Tensor names must not be empty. Name it.")
	}
	if d.dtype.Given() {
		t.DType = im.dtype(d.dtype)
	}
	im.checkNeeds(d, &t)
	im.addContent(d, &t)
	return t
}

func (im *importer) role(n name) graph.Role {
	if !n.Given() {
		return ""
	}
	for _, role := range roles {
		if role == n.Value {
			return graph.Role(role)
		}
	}
	if n.Value == string(graph.Scratch) {
		im.Report(n.At, diag.NativeValue, "A tensor cannot have the role \"scratch\". List the memory under \"scratch\" of its op.")
		return ""
	}
	im.Report(n.At, diag.NativeValue, "%s is not a role; the roles are %s.%s Correct it.", jsontext.Quoted(n.Value),
		strings.Join(roles, ", "), diag.DidYouMean(n.Value, roles))
	return ""
}

// checkNeeds reports a shape or dtype that is missing where no op can tell it.
func (im *importer) checkNeeds(d *tensorDef, t *graph.Tensor) {
	if t.Role == "" || t.Role == graph.Output || t.Role == graph.Activation {
		return
	}
	missing := func(field string) {
		im.Report(d.at, diag.NativeMissingField, "Tensor %s has the role %s and no field %q, which nothing else tells. Add it.",
			jsontext.Quoted(t.Name), t.Role, field)
	}
	if t.Shape == nil && d.shapeAt == (jsontext.Span{}) {
		missing("shape")
	}
	if !d.dtype.Given() {
		missing("dtype")
	}
}

// addContent attaches the content of a constant.
func (im *importer) addContent(d *tensorDef, t *graph.Tensor) {
	if t.Role != graph.Constant {
		im.refuseContent(d, t)
		return
	}
	if t.DType == graph.InvalidDType || t.Shape == nil {
		return
	}
	what := "constant " + jsontext.Quoted(t.Name)
	switch {
	case d.data.Given() && d.file.Given():
		im.Report(d.file.At, diag.NativeData, "%s has both data and a file. Keep one of them.", jsontext.Capital(what))
	case d.digest.Given() && (d.data.Given() || d.file.Given()):
		im.Report(d.digest.At, diag.NativeData, "%s has a digest, which stands for content that was left out, and content. Keep one of them.", jsontext.Capital(what))
	case d.digest.Given() && !isDigest(d.digest.Value):
		im.Report(d.digest.At, diag.NativeData, "The digest of %s is %s, and a digest is \"sha256:\" with 64 hexadecimal digits in lower case. Correct it.", what, jsontext.Quoted(d.digest.Value))
	case d.data.Given():
		if content, ok := im.inline(d.data, d.at, what, t.Shape, t.DType); ok {
			t.Data = graph.Bytes(content)
		}
	case d.file.Given():
		t.Data = im.external(d, t, what)
	default:
		if size, ok := t.Shape.Bytes(t.DType); ok {
			t.Data = absent{name: t.Name, size: size, digest: d.digest.Value}
			return
		}
		im.Report(d.at, diag.NativeData, "The bytes of %s with shape %s cannot be counted. Give every axis a size.", what, t.Shape)
	}
}

func (im *importer) refuseContent(d *tensorDef, t *graph.Tensor) {
	for _, n := range []name{d.data, d.file, d.digest} {
		if n.Given() {
			im.Report(n.At, diag.NativeData, "Tensor %s has content, which only constants have. Give it the role \"constant\", or "+
				"remove the content.", jsontext.Quoted(t.Name))
		}
	}
}

// external maps the file of a constant, which holds its elements and nothing else.
func (im *importer) external(d *tensorDef, t *graph.Tensor, what string) graph.Data {
	f, err := im.file.Sibling(d.file.Value)
	if err != nil {
		im.Report(d.file.At, diag.NativeData, "The file of %s cannot be read: %v. Correct the path, which starts at the directory "+
			"of the graph file and stays below it.", what, err)
		return nil
	}
	if !im.fits(d.file.At, what, f.Size(), t.Shape, t.DType) {
		return nil
	}
	return graph.Bytes(f.Bytes())
}

// absent is the content of a constant of which the file has the size only, or the size and a digest.
type absent struct {
	name   string
	size   int64
	digest string
}

// digestOf is how a file states the digest of a content that it leaves out.
func digestOf(content []byte) string {
	return fmt.Sprintf("%s%x", digestPrefix, sha256.Sum256(content))
}

const digestPrefix = "sha256:"

func isDigest(text string) bool {
	digits, ok := strings.CutPrefix(text, digestPrefix)
	return ok && len(digits) == 2*sha256.Size && strings.Trim(digits, "0123456789abcdef") == ""
}

// Size returns the bytes the constant has.
func (a absent) Size() int64 { return a.size }

// Read fails.
func (a absent) Read() ([]byte, error) {
	return nil, fmt.Errorf("the graph file does not hold the %d bytes of constant %q", a.size, a.name)
}

// Digest is the digest that the file states, "" for none; see [graph.DigestOf].
func (a absent) Digest() string { return a.digest }

// Absent marks content that reading cannot give; see [graph.HasContent].
func (a absent) Absent() {}

// setRoles gives every tensor without a role the one of an activation, which an op must write.
func (im *importer) setRoles() {
	listed := map[string]bool{}
	if im.def.outputs != nil {
		for _, n := range *im.def.outputs {
			listed[n.Value] = true
		}
	}
	for i := range im.g.Tensors {
		t, d := &im.g.Tensors[i], &im.def.tensors[i]
		left := t.Role == ""
		switch {
		case left && listed[t.Name]:
			t.Role = graph.Output
		case left:
			t.Role = graph.Activation
		}
		if im.producer[i] >= 0 || t.Role != graph.Activation && t.Role != graph.Output {
			continue
		}
		if left || len(im.g.Ops) > 0 {
			im.Report(d.name.At, diag.NativeUnwritten, "No op writes tensor %s of role %s. Give it the role input, constant or "+
				"state, or add the op.", jsontext.Quoted(t.Name), t.Role)
		}
	}
}

// setInterface fills in the graph's inputs and outputs: the lists of the file, else the tensors of these roles in the
// order of the file.
func (im *importer) setInterface() {
	im.g.Inputs = im.interfaceOf(im.def.inputs, "inputs", graph.Input)
	im.g.Outputs = im.interfaceOf(im.def.outputs, "outputs", graph.Output)
}

func (im *importer) interfaceOf(list *[]name, what string, role graph.Role) []graph.TensorID {
	if list == nil {
		return byRole(im.g, role)
	}
	listed := map[graph.TensorID]bool{}
	ids := im.lookUp(*list)
	for i, id := range ids {
		n := (*list)[i]
		switch {
		case id == graph.NoTensor && n.Value == "":
			im.Report(n.At, diag.NativeUnknownTensor, "The list of %s has an empty name. Name a tensor.", what)
		case id == graph.NoTensor:
		case listed[id]:
			im.Report(n.At, diag.NativeDuplicateName, "Tensor %s stands in the list of %s twice. Keep one of the two.", jsontext.Quoted(n.Value), what)
		case !im.mayBeListed(id, role):
			im.Report(n.At, diag.NativeInterface, "Tensor %s is listed among the %s, but has the role %s. Give it the role %s, or "+
				"take it out of the list.", jsontext.Quoted(n.Value), what, im.g.Tensors[id].Role, role)
		}
		listed[id] = true
	}
	for _, id := range byRole(im.g, role) {
		if !listed[id] {
			im.Report(im.def.tensors[id].name.At, diag.NativeInterface, "Tensor %s has the role %s, but does not stand in the list of "+
				"%s. Add it to the list, or change its role.", jsontext.Quoted(im.g.Tensors[id].Name), role, what)
		}
	}
	return ids
}

// mayBeListed reports whether a tensor can be an input or output of the graph. What is an input, a constant or state
// may be an output as well.
func (im *importer) mayBeListed(id graph.TensorID, role graph.Role) bool {
	has := im.g.Tensors[id].Role
	return has == role || role == graph.Output && has != graph.Activation
}

// byRole lists the tensors of a role.
func byRole(g *graph.Graph, role graph.Role) []graph.TensorID {
	ids := []graph.TensorID{}
	for i := range g.Tensors {
		if g.Tensors[i].Role == role {
			ids = append(ids, graph.TensorID(i))
		}
	}
	return ids
}
