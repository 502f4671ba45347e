package tflite

import (
	"path"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/source"
)

// The operator domains of what has no ONNX form.
const (
	// Domain holds builtin operators under their own name in camel case, such as "L2Normalization". They have no
	// attributes.
	Domain = "tflite"
	// CustomDomain holds custom operators under their own name.
	CustomDomain = "tflite.custom"
	// QuantizedDomain holds operators with ONNX names and attributes that compute on quantised integers: the scales
	// of the file's tensors belong to their meaning.
	QuantizedDomain = "tflite.quantized"
)

// importer turns the decoded model into a graph. Tensor ids below the model's number of tensors are the file's own
// numbers until the end, when tensors that nothing refers to are dropped.
type importer struct {
	file     *source.File
	r        *reader
	m        *model
	g        *graph.Graph
	tensors  names
	ops      names
	diags    diag.Diagnostics
	producer []*call // by tensor number, nil for none
}

// Import reads the main subgraph of a TFLite model. The graph is nil when there are errors. Its constants alias the
// bytes of f. The cost is O(file's tables), and O(file) for the digest.
func Import(f *source.File) (*graph.Graph, diag.Diagnostics) {
	r := newReader(f.Bytes())
	root, problem := open(f, r)
	if problem != nil {
		return nil, diag.Diagnostics{*problem}
	}
	m := decode(r, root)
	if r.fault != "" {
		return nil, diag.Diagnostics{damaged(f, r)}
	}
	base := path.Base(f.Name())
	im := &importer{
		file: f, r: r, m: m,
		g: &graph.Graph{Name: strings.TrimSuffix(base, path.Ext(base)), Format: "tflite", Digest: f.Digest()},
	}
	im.run()
	if im.diags.HasErrors() {
		return nil, im.diags
	}
	return im.g, im.diags
}

// open checks what the file starts with and returns its root table.
func open(f *source.File, r *reader) (table, *diag.Diagnostic) {
	refuse := func(d diag.Diagnostic) (table, *diag.Diagnostic) { return table{}, &d }
	if data := f.Bytes(); len(data) < 8 || string(data[4:8]) != "TFL3" {
		return refuse(diag.New(diag.NotTFLite, "%s does not carry the identifier TFL3 of TFLite models at its start. "+
			"Check that the path is right and that the file is complete.", f.Name()))
	}
	root := r.root()
	version := root.u32(modelVersion)
	if r.fault != "" {
		return refuse(damaged(f, r))
	}
	if version != schemaVersion {
		return refuse(diag.New(diag.TFLiteVersion, "%s has version %d of the TFLite schema; version %d is supported. "+
			"Convert the model again with a current converter.", f.Name(), version, schemaVersion))
	}
	return root, nil
}

func damaged(f *source.File, r *reader) diag.Diagnostic {
	return diag.New(diag.TFLiteDamaged, "%s is truncated or damaged: %s. Export or download it again.", f.Name(), r.fault)
}

// run converts the decoded model.
func (im *importer) run() {
	if !im.checkNumbers() {
		return
	}
	for _, stage := range []func(){im.nameAll, im.refuse, im.addTensors, im.checkOrder, im.convertAll} {
		stage()
		if im.r.fault != "" {
			im.diags = append(im.diags, damaged(im.file, im.r))
		}
		if im.diags.HasErrors() {
			return
		}
	}
	im.setLayouts()
	im.dropUnused()
	if n := len(im.m.left); n > 0 {
		im.report(diag.TFLiteSubgraphs, "%s has subgraphs beside the main one that are not planned, %d in number: %s. "+
			"Convert each of them to a file of its own to plan it.", im.file.Name(), n, list(im.m.left))
	}
}

// report adds a diagnostic. Its text is charged like what is decoded: a hostile file can have any number of faults that
// all quote one long name.
func (im *importer) report(id diag.ID, detail string, args ...any) {
	if im.r.budget < 0 {
		return
	}
	d := diag.New(id, detail, args...)
	im.r.budget -= int64(len(d.Detail))
	im.diags = append(im.diags, d)
}

func (im *importer) convertAll() {
	for _, c := range im.m.calls {
		im.convert(c)
	}
}

// dropUnused removes the tensors that no op and no interface of the graph refers to, such as an axis operand that
// became an attribute, and renumbers the others.
func (im *importer) dropUnused() {
	g := im.g
	used := make([]bool, len(g.Tensors))
	im.eachReference(func(id *graph.TensorID) { used[*id] = true })
	renumbered := make([]graph.TensorID, len(g.Tensors))
	kept := g.Tensors[:0]
	for i := range g.Tensors {
		if used[i] {
			renumbered[i] = graph.TensorID(len(kept))
			kept = append(kept, g.Tensors[i])
		}
	}
	clear(g.Tensors[len(kept):])
	g.Tensors = kept
	im.eachReference(func(id *graph.TensorID) { *id = renumbered[*id] })
}

// eachReference visits every reference of the graph to a tensor.
func (im *importer) eachReference(visit func(*graph.TensorID)) {
	visitAll := func(ids []graph.TensorID) {
		for i := range ids {
			if ids[i] != graph.NoTensor {
				visit(&ids[i])
			}
		}
	}
	visitAll(im.g.Inputs)
	visitAll(im.g.Outputs)
	for i := range im.g.Ops {
		visitAll(im.g.Ops[i].Inputs)
		visitAll(im.g.Ops[i].Outputs)
	}
}
