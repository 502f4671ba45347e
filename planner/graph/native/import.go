package native

import (
	"path"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/jsontext"
	"github.com/memplan/memplan/planner/graph/source"
)

// importer turns what was read into a graph.
type importer struct {
	*reader
	file *source.File
	def  *fileDef
	g    *graph.Graph

	ids map[string]graph.TensorID
	// producer is the op that writes a tensor, -1 for none.
	producer []int
}

// Import reads a native graph file. The graph is nil when there are errors. Constants that name a file alias its
// mapped bytes, which belong to f; those without any content have their size only. It costs O(file).
func Import(f *source.File) (*graph.Graph, diag.Diagnostics) {
	r := &reader{jsontext.New(f.Name(), f.Bytes(), words)}
	def := r.readFile()
	base := path.Base(f.Name())
	im := &importer{
		reader: r, file: f, def: def,
		g: &graph.Graph{Name: strings.TrimSuffix(base, path.Ext(base)), Format: "json", Digest: f.Digest()},
	}
	if def.name.Value != "" {
		im.g.Name = def.name.Value
	}
	// After a fault in the JSON the rest of the file is unknown: what could be said of names would be wrong.
	if !r.Dead() && im.checkVersion() {
		im.link()
	}
	if r.Count() > 0 {
		return nil, r.All()
	}
	return im.g, nil
}

// checkVersion accepts every minor version of the major one that is known. A file of a newer minor version may have
// fields that are not known here, which are errors of their own.
func (im *importer) checkVersion() bool {
	v := im.def.version
	major, _, _ := strings.Cut(v.Value, ".")
	if !v.Given() || major == "1" {
		return true
	}
	im.Report(v.At, diag.NativeVersion, "Format version %s is not supported; this version of memplan reads 1.x. "+
		"Write the file again with a version that matches.", jsontext.Quoted(v.Value))
	return false
}

// link resolves names and checks what they refer to. Each step relies on the ones before it.
func (im *importer) link() {
	im.addTensors()
	im.addOps()
	if im.Count() > 0 {
		return
	}
	im.setRoles()
	im.setInterface()
	im.checkOrder()
}

// addTensors adds the tensors in the order of the file.
func (im *importer) addTensors() {
	im.ids = make(map[string]graph.TensorID, len(im.def.tensors))
	im.g.Tensors = make([]graph.Tensor, len(im.def.tensors))
	im.producer = make([]int, len(im.def.tensors))
	for i := range im.def.tensors {
		d := &im.def.tensors[i]
		im.producer[i] = -1
		im.g.Tensors[i] = im.tensor(d)
		if !d.name.Given() {
			continue
		}
		if first, taken := im.ids[d.name.Value]; taken {
			im.reportTaken("Tensor", d.name, im.def.tensors[first].name.At)
			continue
		}
		im.ids[d.name.Value] = graph.TensorID(i)
	}
}

// reportTaken reports a name that is used before.
func (im *importer) reportTaken(kind string, second name, first jsontext.Span) {
	if second.Value == "" {
		im.Report(second.At, diag.NativeValue, "%s names must not be empty. Name it.", kind)
		return
	}
	d := im.Report(second.At, diag.NativeDuplicateName, "%s %s is declared twice. Rename one of the two.", kind, jsontext.Quoted(second.Value))
	if d != nil {
		d.Related = append(d.Related, diag.Related{Message: "The first one is here.", Range: im.Place(first)})
	}
}

// addOps adds the ops and notes who writes which tensor.
func (im *importer) addOps() {
	first := map[string]jsontext.Span{}
	for i := range im.def.ops {
		d := &im.def.ops[i]
		im.g.Ops = append(im.g.Ops, im.op(d))
		at, taken := first[d.name.Value]
		if d.name.Given() && (taken || d.name.Value == "") {
			im.reportTaken("Op", d.name, at)
		}
		first[d.name.Value] = d.name.At
		for k, id := range im.g.Ops[i].Outputs {
			im.noteProducer(i, id, d.outputs[k].At)
		}
	}
}

func (im *importer) op(d *opDef) graph.Op {
	op := graph.Op{
		Name: d.name.Value, Op: d.op.Value, Domain: d.domain.Value,
		Inputs: im.lookUp(d.inputs), Outputs: im.lookUp(d.outputs), Attrs: d.attrs, Scratch: d.scratch,
	}
	if d.op.Given() && d.op.Value == "" {
		im.Report(d.op.At, diag.NativeValue, "Op %s has an empty operator. Name one, such as \"Conv\".", jsontext.Quoted(op.Name))
	}
	for _, n := range d.fused {
		op.Fused = append(op.Fused, n.Value)
	}
	if len(op.Fused) > 0 && op.Fused[0] != op.Op {
		im.Report(d.fused[0].At, diag.NativeValue, "Op %s fuses %s first, but its operator is %s. The two must be the same.",
			jsontext.Quoted(op.Name), jsontext.Quoted(op.Fused[0]), jsontext.Quoted(op.Op))
	}
	return op
}

// lookUp resolves names of tensors; an empty one is an absent operand.
func (im *importer) lookUp(names []name) []graph.TensorID {
	ids := make([]graph.TensorID, len(names))
	for i, n := range names {
		id, ok := im.ids[n.Value]
		if n.Value == "" {
			id, ok = graph.NoTensor, true
		}
		if !ok {
			id = graph.NoTensor
			im.Report(n.At, diag.NativeUnknownTensor, "Tensor %s is not declared.%s Declare it in the list of tensors.",
				jsontext.Quoted(n.Value), im.didYouMean(n.Value))
		}
		ids[i] = id
	}
	return ids
}

// suggestAmong is the number of tensors up to which a near name is searched for.
const suggestAmong = 10_000

func (im *importer) didYouMean(text string) diag.Hint {
	if len(im.def.tensors) > suggestAmong || im.Full() {
		return diag.Hint{}
	}
	names := make([]string, len(im.def.tensors))
	for i := range names {
		names[i] = im.def.tensors[i].name.Value
	}
	return diag.DidYouMean(text, names)
}

func (im *importer) noteProducer(op int, id graph.TensorID, at jsontext.Span) {
	if id == graph.NoTensor {
		return
	}
	// The role of what an op writes is checked here as it is given; one that is left out never stands in the way.
	t := &im.g.Tensors[id]
	if role := t.Role; role == graph.Input || role == graph.Constant {
		im.Report(at, diag.NativeWrittenTwice, "Op %s writes tensor %s, which has the role %s. Correct its role or the output.",
			jsontext.Quoted(im.g.Ops[op].Name), jsontext.Quoted(t.Name), role)
		return
	}
	if first := im.producer[id]; first >= 0 && t.Role != graph.State {
		im.Report(at, diag.NativeWrittenTwice, "Tensor %s is written by op %s and by op %s. Give one of them another output.",
			jsontext.Quoted(t.Name), jsontext.Quoted(im.g.Ops[first].Name), jsontext.Quoted(im.g.Ops[op].Name))
		return
	}
	im.producer[id] = op
}
