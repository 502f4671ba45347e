package tvmjson

import (
	"path"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/jsontext"
	"github.com/memplan/memplan/planner/graph/source"
)

// Domain is the operator set of every op of an imported graph.
const Domain = "tvm"

// AttrFuncName is the string attribute with the name of the compiled function that an op calls, as the file has it.
const AttrFuncName = "func_name"

// importer turns what was read into a graph. Tensors are numbered as the file numbers entries.
type importer struct {
	*jsontext.Faults
	file *source.File
	doc  *document
	g    *graph.Graph

	// first is the first entry of each node and, at the end, the number of entries.
	first []int
	// outs is the number of outputs of each node.
	outs []int64
	// layouts are what the attributes of nodes say of entries, "" for nothing.
	layouts []string
}

// Import reads a graph file of TVM's graph executor. The graph is nil when there are errors. The content of constants
// aliases the parameter file beside f, which belongs to f. It costs O(file).
func Import(f *source.File) (*graph.Graph, diag.Diagnostics) {
	r := &reader{jsontext.New(f.Name(), f.Bytes(), words)}
	doc := r.read()
	im := &importer{Faults: &r.Faults, file: f, doc: doc, g: &graph.Graph{Name: baseName(f), Format: "tvm", Digest: f.Digest()}}
	if stranger := doc.stranger(); stranger != nil && !r.Dead() {
		r.Forget()
		r.Report(stranger.op.At, diag.TVMValue, "The file is a graph that was not compiled yet, such as MXNet's or NNVM's: its node %s is the operator %s. "+
			"Compile it with TVM and give the graph file of the result, or export the model to ONNX.", jsontext.Quoted(stranger.name.Value), jsontext.Quoted(stranger.op.Value))
	}
	// What a damaged file says of itself would be wrong.
	if r.Count() == 0 {
		im.link()
	}
	if diags := r.All(); len(diags) > 0 {
		return nil, diags
	}
	return im.g, nil
}

// baseName is the file's name without directory and extension.
func baseName(f *source.File) string {
	base := path.Base(f.Name())
	return strings.TrimSuffix(base, path.Ext(base))
}

// link follows the references. Each step relies on the ones before it.
func (im *importer) link() {
	steps := []func(){im.countEntries, im.checkReferences, im.addTensors, im.addOps, im.setInterface}
	for _, step := range steps {
		if step(); im.Count() > 0 {
			return
		}
	}
}

// countEntries numbers the entries and holds the lengths of all lists against their number.
func (im *importer) countEntries() {
	nodes := im.doc.nodes
	im.outs, im.first = make([]int64, len(nodes)), make([]int, len(nodes)+1)
	for i := range nodes {
		im.outs[i] = im.outputs(&nodes[i])
	}
	if im.Count() > 0 {
		return
	}
	rows := im.doc.rowPtr
	if len(rows.items) != len(nodes)+1 {
		im.Report(rows.at, diag.TVMLengths, "node_row_ptr has %d entries; %d nodes need %d. Write the file again with TVM.", len(rows.items), len(nodes), len(nodes)+1)
		return
	}
	entries := int64(len(im.doc.shapes.items))
	next := int64(0)
	for i := range rows.items {
		if got := rows.items[i].Value; got != next {
			im.Report(rows.items[i].At, diag.TVMLengths, "node_row_ptr has %d where the outputs of the nodes before %s end at %d. Write the file again with TVM.", got, im.nameOf(i), next)
			return
		}
		im.first[i] = int(next)
		if i == len(nodes) {
			break
		}
		if im.outs[i] > entries-next {
			im.Report(nodes[i].at, diag.TVMLengths, "Node %s has %d outputs, and the list shape has %d entries for all nodes. Write the file again with TVM.", im.nameOf(i), im.outs[i], entries)
			return
		}
		next += im.outs[i]
	}
	im.checkLengths(int(next))
}

// nameOf is how messages call a node; the one behind the last is the end of the list.
func (im *importer) nameOf(node int) string {
	if node >= len(im.doc.nodes) {
		return "the end"
	}
	return jsontext.Quoted(im.doc.nodes[node].name.Value)
}

func (im *importer) checkLengths(entries int) {
	im.checkLength("shape", len(im.doc.shapes.items), entries, im.doc.shapes.at)
	im.checkLength("dltype", len(im.doc.dtypes.items), entries, im.doc.dtypes.at)
	if im.doc.scopes.given() {
		im.checkLength("storage_scope", len(im.doc.scopes.items), entries, im.doc.scopes.at)
	}
	for i := range im.doc.unread {
		l := &im.doc.unread[i]
		im.checkLength(l.name, len(l.items), entries, l.at)
	}
}

func (im *importer) checkLength(name string, has, needs int, at jsontext.Span) {
	if has != needs {
		im.Report(at, diag.TVMLengths, "The list %s has %d entries; the nodes have %d outputs. Write the file again with TVM.", name, has, needs)
	}
}

// checkReferences checks that every input, argument and head exists. Inputs come from nodes further up, so that no op
// can wait for itself.
func (im *importer) checkReferences() {
	nodes := im.doc.nodes
	for i := range nodes {
		for _, ref := range nodes[i].inputs {
			if ref.node >= int64(i) && ref.node < int64(len(nodes)) {
				im.Report(ref.at, diag.TVMReference, "Node %s reads %s, which does not stand before it. Write the file again with TVM: nodes stand in the order they run in.",
					im.nameOf(i), im.nameOf(int(ref.node)))
				continue
			}
			im.checkReference("Node "+im.nameOf(i)+" reads", ref)
		}
	}
	for _, ref := range im.doc.heads {
		im.checkReference("heads names", ref)
	}
	listed := make([]bool, len(nodes))
	for _, arg := range im.doc.args {
		switch n := arg.Value; {
		case n < 0 || n >= int64(len(nodes)):
			im.Report(arg.At, diag.TVMReference, "arg_nodes names the node %d, and the file has %d nodes, counted from 0. Write the file again with TVM.", n, len(nodes))
		case nodes[n].op.Value != "null":
			im.Report(arg.At, diag.TVMReference, "arg_nodes names %s, which is computed by a function and no argument. Remove it.", im.nameOf(int(n)))
		case listed[n]:
			im.Report(arg.At, diag.TVMLengths, "arg_nodes names %s twice. Keep one of the two.", im.nameOf(int(n)))
		default:
			listed[n] = true
		}
	}
}

// checkReference reports a reference to a node or output that does not exist. who is the start of the sentence.
func (im *importer) checkReference(who string, ref reference) {
	nodes := im.doc.nodes
	switch {
	case ref.node < 0 || ref.node >= int64(len(nodes)):
		im.Report(ref.at, diag.TVMReference, "%s the node %d, and the file has %d nodes, counted from 0. Write the file again with TVM.", who, ref.node, len(nodes))
	case ref.index < 0 || ref.index >= im.outs[ref.node]:
		im.Report(ref.at, diag.TVMReference, "%s output %d of %s, which has %d. Write the file again with TVM.", who, ref.index, im.nameOf(int(ref.node)), im.outs[ref.node])
	}
}

// entry is the tensor that a checked reference leads to.
func (im *importer) entry(ref reference) graph.TensorID {
	return graph.TensorID(im.first[ref.node] + int(ref.index))
}

func (im *importer) entries(refs []reference) []graph.TensorID {
	ids := make([]graph.TensorID, len(refs))
	for i, ref := range refs {
		ids[i] = im.entry(ref)
	}
	return ids
}
