package planner

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/rewrite"
	"github.com/memplan/memplan/planner/shape"
)

// resolveShapes binds dimensions, infers shapes, folds constants and then looks up the names that the configuration
// uses: they are those of the rewritten graph.
func (p *pipeline) resolveShapes(context.Context) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, g := range p.graphs {
		dims := make(map[string]shape.Dim, len(g.block.Dims))
		for name, dim := range g.block.Dims {
			dims[name] = shape.Dim{Value: dim.Value, Max: dim.Max}
		}
		inferred, more := shape.Infer(g.rewritten, dims)
		diags = append(diags, allAt(more, g.block.Name, attribute(g.block.Attributes, "dims", g.block.SourceRange))...)
		if more.HasErrors() {
			continue
		}
		settings := p.cfg.Planner.RewriteOn(g.block.Device)
		if slices.Contains(settings, "fold") {
			g.rewritten, g.notes = rewrite.Fold(g.rewritten, inferred.Known)
		}
		g.textured = p.usesImages(g)
		p.rewrite(g, settings)
		diags = append(diags, g.lookUpNames()...)
	}
	return diags
}

// rewrite makes the changes of the settings, in their order, to a graph whose constants are folded. A TVM graph's kernels are
// compiled: nothing changes there.
func (p *pipeline) rewrite(g *planned, settings []string) {
	if g.rewritten.Format == "tvm" {
		return
	}
	change := func(setting string, with func(*graph.Graph, map[graph.TensorID]bool) (*graph.Graph, []rewrite.Note)) {
		if !slices.Contains(settings, setting) {
			return
		}
		changed, notes := with(g.rewritten, g.named())
		g.rewritten, g.notes = changed, append(g.notes, notes...)
	}
	change("fuse", rewrite.FoldPads)
	change("fuse", rewrite.Fuse)
	change("fuse", func(at *graph.Graph, fixed map[graph.TensorID]bool) (*graph.Graph, []rewrite.Note) {
		return rewrite.SqueezeExcite(at, fixed, p.foreseenImages(g))
	})
	change("depthwise_branches", rewrite.DepthwiseBranches)
	change("partial_sums", rewrite.PartialSums)
	if g.onOpenCL() {
		change("fuse", func(at *graph.Graph, fixed map[graph.TensorID]bool) (*graph.Graph, []rewrite.Note) {
			return rewrite.Separable(at, fixed, p.foreseenImages(g))
		})
	}
}

// attribute returns the range of an attribute, or the given one where the attribute was left out.
func attribute(ranges map[string]hcl.Range, name string, otherwise hcl.Range) hcl.Range {
	if r, ok := ranges[name]; ok {
		return r
	}
	return otherwise
}

// pin is a wish for one tensor: a pool, and an offset unless it is -1.
type pin struct {
	address string
	pool    string
	offset  int64
	at      hcl.Range
}

// lookUpNames resolves the tensor names of keep and place, and takes over the pools that an interval file asks for.
func (g *planned) lookUpNames() diag.Diagnostics {
	byName := make(map[string]graph.TensorID, len(g.rewritten.Tensors))
	g.pins = map[graph.TensorID]pin{}
	for i := range g.rewritten.Tensors {
		t := &g.rewritten.Tensors[i]
		byName[t.Name] = graph.TensorID(i)
		if t.Given != nil && t.Given.Pool != "" {
			g.pins[graph.TensorID(i)] = pin{address: "column pool of " + g.block.Source, pool: t.Given.Pool, offset: -1, at: g.block.SourceRange}
		}
	}
	var diags diag.Diagnostics
	for i, name := range g.block.Keep {
		id, ok := byName[name]
		if !ok {
			diags = append(diags, at(g.noSuchTensor("keep", name), g.block.Name, g.keepRange(i)))
			continue
		}
		g.keep = append(g.keep, id)
	}
	for _, place := range g.block.Places {
		id, ok := byName[place.Tensor]
		if !ok {
			diags = append(diags, at(g.noSuchTensor("a place block", place.Tensor), g.block.Name, place.Range))
			continue
		}
		g.pins[id] = pin{
			address: fmt.Sprintf("graph.%s.place[%q]", g.block.Name, place.Tensor), pool: place.Pool.Name, offset: place.Offset,
			at: attribute(place.Attributes, "offset", place.Range),
		}
	}
	return diags
}

// named are the tensors that the configuration names and must find after rewriting.
func (g *planned) named() map[graph.TensorID]bool {
	wanted := map[string]bool{}
	for _, name := range g.block.Keep {
		wanted[name] = true
	}
	for _, place := range g.block.Places {
		wanted[place.Tensor] = true
	}
	out := map[graph.TensorID]bool{}
	for i := range g.rewritten.Tensors {
		if t := &g.rewritten.Tensors[i]; wanted[t.Name] || t.Given != nil {
			out[graph.TensorID(i)] = true
		}
	}
	return out
}

// keepRange is where the keep list names its i-th tensor.
func (g *planned) keepRange(i int) hcl.Range {
	if i < len(g.block.KeepRanges) {
		return g.block.KeepRanges[i]
	}
	return attribute(g.block.Attributes, "keep", g.block.Range)
}

func (g *planned) noSuchTensor(where, name string) diag.Diagnostic {
	names := make([]string, len(g.rewritten.Tensors))
	for i := range names {
		names[i] = g.rewritten.Tensors[i].Name
	}
	hint := diag.DidYouMean(name, names).Or(diag.Containing(name, names)).Or(fmt.Sprintf(" `memplan show` lists its %d tensors.", len(names)))
	return diag.New(diag.UnknownTensor, "The graph %q has no tensor %q, which %s names.%s", g.block.Name, name, where, hint)
}
