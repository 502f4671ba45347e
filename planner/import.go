package planner

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/intervals"
	"github.com/memplan/memplan/planner/graph/native"
	"github.com/memplan/memplan/planner/graph/onnx"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/graph/tflite"
	"github.com/memplan/memplan/planner/graph/tvmjson"
	"github.com/memplan/memplan/planner/liveness"
	"github.com/memplan/memplan/planner/rewrite"
	"github.com/memplan/memplan/planner/scope"
)

// planned is one graph on its way through the pipeline.
type planned struct {
	block *config.Graph
	// imported is the graph as the file has it; source is the graph after rewriting in the model's order, rewritten in the order of execution; graph has the copies
	// between scopes as well.
	imported, source, rewritten, graph *graph.Graph
	// wide are the tensors of these graphs, by id, before rules gave them narrower element types.
	wide []graph.Tensor
	// views are the kinds of sharing in effect, divided the pieces that lie in place.
	views   []string
	divided pieces
	// ordering is nil when the order is the model's own by the settings.
	ordering *ordering
	notes    []rewrite.Note
	// pins of tensors by id, from place blocks and interval files; nil before the shapes of the graph are known.
	pins map[graph.TensorID]pin
	keep []graph.TensorID
	// keepInputs says that inputs live to the end.
	keepInputs bool
	// lasting are inputs from other graphs whose bytes somebody else may read later; flat says why an input or output that
	// passes from graph to graph is no image.
	lasting []graph.TensorID
	// external says that the caller owns inputs and outputs.
	external bool
	flat     map[graph.TensorID]string
	// textured says that tensors become images, so that scopes play a part in what is fused and in the order.
	textured bool
	// scopes are what is foreseen of them until they are decided; see foreseeScopes.
	scopes  *scope.Result
	buffers []liveness.Buffer
	// overs are the buffers that are written over another one, in order of time.
	overs []over
	// denied are the tensors for which there was no room as an image, and why; unstored those that no pool of image objects
	// had room for, but that may still be an image over a flat pool.
	denied   map[graph.TensorID]denial
	unstored map[graph.TensorID]bool
	// first is the index of the graph's first buffer among the slots; start is added to its steps to get the problem's
	// time.
	first int
	start int64
	stage *stage
}

type imports struct {
	graphs []*planned
	files  []*source.File
}

func (im *imports) close() error {
	var errs []error
	for _, f := range im.files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// importGraphs reads the source of every graph block. All of them are tried, so that each bad one is reported.
func importGraphs(cfg *config.Config, open func(string) (*source.File, error), reading func(path string, number, of int)) (*imports, diag.Diagnostics) {
	im := &imports{}
	var diags diag.Diagnostics
	for i, block := range cfg.Graphs {
		if reading != nil {
			reading(block.Source, i, len(cfg.Graphs))
		}
		file, err := open(block.Source)
		if err != nil {
			diags = append(diags, at(unreadable(block, err), block.Name, block.SourceRange))
			continue
		}
		im.files = append(im.files, file)
		g, more := Import(file)
		diags = append(diags, allAt(more, block.Name, block.SourceRange)...)
		if more.HasErrors() {
			continue
		}
		im.graphs = append(im.graphs, newPlanned(block, g))
	}
	return im, diags
}

// newPlanned is a graph at the start of the pipeline.
func newPlanned(block *config.Graph, g *graph.Graph) *planned {
	return &planned{block: block, imported: g, rewritten: g, keepInputs: block.KeepInputs,
		denied: map[graph.TensorID]denial{}, unstored: map[graph.TensorID]bool{}, flat: map[graph.TensorID]string{}}
}

func unreadable(block *config.Graph, err error) diag.Diagnostic {
	var pathErr *fs.PathError
	next := diag.Hint{Text: " Check that the file can be read."}
	if errors.Is(err, fs.ErrNotExist) {
		next.Text = " Give the path relative to the directory of the configuration file."
	}
	var missing *source.MissingError
	if errors.As(err, &missing) {
		next = diag.DidYouMean(path.Base(block.Source), missing.Names).Or(next.Text)
	}
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return diag.New(diag.GraphSourceUnreadable, "The source %q of graph %q cannot be read: %v.%s", block.Source, block.Name, err, next)
}

// maxTextBytes is the largest text that is read as a graph. What is read from a text takes several times its memory.
const maxTextBytes = 1 << 30

// looksLikeText tells the formats that are text by name and first byte, without reading on.
func looksLikeText(file *source.File) bool {
	switch Format(file.Name(), file.Bytes()[:min(file.Size(), 64)]) {
	case "tvm", "json", "intervals":
		return true
	}
	return false
}

// Import reads a graph file in any format that memplan knows. The format follows from the content where it has a
// signature, else from the file name's extension.
func Import(file *source.File) (*graph.Graph, diag.Diagnostics) {
	if file.Size() > maxTextBytes && looksLikeText(file) {
		return nil, diag.Diagnostics{diag.New(diag.GraphTooLarge,
			"The graph file %q has %d bytes, and memplan reads JSON and CSV up to %d. Keep weights in files of their own, or leave them out.",
			file.Name(), file.Size(), int64(maxTextBytes))}
	}
	switch Format(file.Name(), file.Bytes()) {
	case "onnx":
		return onnx.Import(file)
	case "tflite":
		return tflite.Import(file)
	case "tvm":
		return tvmjson.Import(file)
	case "json":
		return native.Import(file)
	case "intervals":
		return intervals.Import(file)
	}
	return nil, diag.Diagnostics{diag.New(diag.GraphFormatUnknown,
		"The file %q is none of the graph formats that memplan reads: ONNX (.onnx), TensorFlow Lite (.tflite), TVM graph JSON and native "+
			"JSON (.json), and interval CSV (.csv). Name the file with the extension of its format.", file.Name())}
}

// Format returns "onnx", "tflite", "tvm", "json" or "intervals" for a graph file, "" when it is none of them.
func Format(name string, content []byte) string {
	if len(content) >= 8 && string(content[4:8]) == "TFL3" {
		return "tflite"
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".onnx":
		return "onnx"
	case ".tflite":
		return "tflite"
	case ".json":
		return jsonFormat(content)
	case ".csv":
		return "intervals"
	}
	if trimmed := bytes.TrimLeft(content[:min(len(content), 64)], " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '{' {
		return jsonFormat(content)
	}
	return ""
}

// jsonFormat tells the two formats apart that are JSON.
func jsonFormat(content []byte) string {
	if tvmjson.Is(content) {
		return "tvm"
	}
	return "json"
}

// at gives a diagnostic the range as its subject, unless the range is that of no text (a bare graph file). The block is the full
// name of the one that the range is in, since several may be made of one text.
func at(d diag.Diagnostic, block string, r hcl.Range) diag.Diagnostic {
	if r.Filename == "" {
		return d
	}
	if d.Subject == nil {
		d.Block = block
	}
	return d.At(r)
}

func allAt(ds diag.Diagnostics, block string, r hcl.Range) diag.Diagnostics {
	out := make(diag.Diagnostics, len(ds))
	for i, d := range ds {
		out[i] = at(d, block, r)
	}
	return out
}
