package planner

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// link is an input of one graph that is the output of another, which runs before.
type link struct {
	block    *config.GraphInput
	to, from *planned
	input    graph.TensorID
	output   graph.TensorID
}

// connect finds the tensors of the connections between graphs. They are flat: one that passes from graph to graph could be
// an image in both only if both wanted the same one.
func (p *pipeline) connect(context.Context) diag.Diagnostics {
	byBlock := make(map[*config.Graph]*planned, len(p.graphs))
	for _, g := range p.graphs {
		byBlock[g.block] = g
	}
	var diags diag.Diagnostics
	for _, to := range p.graphs {
		to.external = p.cfg.Planner.IO == "external"
		for _, block := range to.block.Inputs {
			if byBlock[block.Graph] == nil {
				continue // what is wrong with that graph has been reported
			}
			l, more := newLink(block, to, byBlock[block.Graph])
			diags = append(diags, more...)
			if l == nil {
				continue
			}
			p.links = append(p.links, l)
			why := fmt.Sprintf("it passes from graph %s to graph %s, in flat memory", l.from.block.Name, to.block.Name)
			to.flat[l.input], l.from.flat[l.output] = why, why
		}
	}
	p.keepReadAgain()
	return diags
}

// newLink makes a link, or says why there cannot be one. The block that is at fault is the graph's that gets the input.
func newLink(block *config.GraphInput, to, from *planned) (*link, diag.Diagnostics) {
	l, ds := linkOf(block, to, from)
	for i := range ds {
		ds[i].Block = to.block.Name
	}
	return l, ds
}

func linkOf(block *config.GraphInput, to, from *planned) (*link, diag.Diagnostics) {
	at := func(name string) hcl.Range { return attribute(block.Attributes, name, block.Range) }
	l := &link{block: block, to: to, from: from}
	var ok bool
	if l.input, ok = named(to.rewritten, to.rewritten.Inputs, block.Tensor); !ok {
		return nil, diag.Diagnostics{to.noSuchEnd("input", to.rewritten.Inputs, block.Tensor).At(block.Range)}
	}
	if l.output, ok = named(from.rewritten, from.rewritten.Outputs, block.Output); !ok {
		return nil, diag.Diagnostics{from.noSuchEnd("output", from.rewritten.Outputs, block.Output).At(at("output"))}
	}
	in, out := &to.rewritten.Tensors[l.input], &from.rewritten.Tensors[l.output]
	if _, pinned := to.pins[l.input]; pinned {
		return nil, diag.Diagnostics{diag.New(diag.ConflictingPins, "Input %q of graph %q is in the bytes of output %q of graph %q, and is pinned. Pin the output instead.", in.Name, to.block.Name, out.Name, from.block.Name).At(block.Range)}
	}
	if out.Role == graph.Constant || out.Role == graph.State || in.Role != graph.Input {
		return nil, diag.Diagnostics{diag.New(diag.ConnectedMismatch, "Output %q of graph %q is a %s, which is not written by a run. Remove the connection.", out.Name, from.block.Name, out.Role).At(at("output"))}
	}
	if in.DType != out.DType || !in.Shape.Equal(out.Shape) {
		return nil, diag.Diagnostics{diag.New(diag.ConnectedMismatch, "Input %q of graph %q is %s %s, and output %q of graph %q is %s %s. Connect tensors of one type and shape, or bind the dimensions so that they agree.",
			in.Name, to.block.Name, in.DType, in.Shape, out.Name, from.block.Name, out.DType, out.Shape).At(block.Range)}
	}
	return l, nil
}

// named finds a tensor among those listed.
func named(g *graph.Graph, ids []graph.TensorID, name string) (graph.TensorID, bool) {
	at := slices.IndexFunc(ids, func(id graph.TensorID) bool { return g.Tensors[id].Name == name })
	if at < 0 {
		return graph.NoTensor, false
	}
	return ids[at], true
}

func (g *planned) noSuchEnd(what string, ids []graph.TensorID, name string) diag.Diagnostic {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = g.rewritten.Tensors[id].Name
	}
	next := diag.DidYouMean(name, names).Or(fmt.Sprintf(" It has %s.", diag.Quoted(names)))
	return diag.New(diag.UnknownTensor, "The graph %q has no %s %q.%s", g.block.Name, what, name, next)
}

// alone reports whether a tensor has the bytes of its buffer alone, and is no run of bytes of another: when it passes from graph to
// graph or is the caller's.
func (g *planned) alone(id graph.TensorID) bool {
	if _, passes := g.flat[id]; passes {
		return true
	}
	return g.external && (slices.Contains(g.rewritten.Inputs, id) || slices.Contains(g.rewritten.Outputs, id))
}

// external reports whether the caller owns a buffer's memory: everything that is an input or an output, but for what passes
// from graph to graph.
func (p *pipeline) external(g *planned, i int) bool {
	b := &g.buffers[i]
	if p.cfg.Planner.IO != "external" || !b.External || alwaysLive(b) {
		return false
	}
	_, isAlias := p.aliases[g.first+i]
	return !isAlias && len(p.readers[g.first+i]) == 0
}

// flatEnds are the reasons why inputs and outputs that the caller owns are flat, and those that pass between graphs.
func (p *pipeline) flatEnds(g *planned) map[graph.TensorID]string {
	out := map[graph.TensorID]string{}
	if p.cfg.Planner.IO == "external" {
		for _, id := range slices.Concat(g.rewritten.Inputs, g.rewritten.Outputs) {
			out[id] = "the caller owns it, in flat memory"
		}
	}
	for id, why := range g.flat {
		out[id] = why
	}
	return out
}
