package server

import (
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/describe"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/session"
	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/builtin"
	"github.com/memplan/memplan/lang/schema"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// text offers what can stand in a string of an attribute.
func (c *completing) text(a *outline.Attribute, span outline.Span) {
	if a.Schema != nil {
		for _, v := range a.Schema.Values {
			c.add(offer{label: v.Name, detail: v.Doc, text: v.Name, kind: protocol.CompletionItemKindEnumMember, span: span})
		}
	}
	switch a.Name {
	case "dims":
		if g := c.graphFile(c.graphOf(a.Block)); g != nil {
			for _, name := range session.Symbols(g) {
				c.add(offer{label: name, detail: "open dimension", text: escapeText(name), kind: protocol.CompletionItemKindVariable, span: span})
			}
		}
	case "source":
		c.paths(a, span)
	case "npy":
		c.files(span, []string{".npy"})
	case "keep", "tensor":
		c.tensorNames(c.graphOf(a.Block), span, nil)
	case "op":
		c.opNames(span)
	default:
		c.index(a, span)
	}
}

// index offers the tensors of a graph in graph.NAME.tensor["..."].
func (c *completing) index(a *outline.Attribute, span outline.Span) {
	before := strings.TrimSuffix(string(c.file.Src[a.Value.Start:span.Start]), `["`)
	before, ok := strings.CutSuffix(before, ".tensor")
	if !ok {
		return
	}
	at := strings.LastIndex(before, "graph.")
	if at < 0 {
		return
	}
	c.tensorNames(before[at+len("graph."):], span, nil)
}

// label offers the tensors that a block may be about.
func (c *completing) label(place outline.Place) {
	b := place.Block
	if b.Schema == schema.Dynamic() && b.Parent.Schema != nil {
		for i := range b.Parent.Schema.Blocks {
			inner := &b.Parent.Schema.Blocks[i]
			c.add(offer{label: inner.Type, detail: "block", text: inner.Type, kind: protocol.CompletionItemKindClass, docs: (&describe.Page{}).Text("%s", inner.Doc), span: place.Label.Name})
		}
		return
	}
	if b.Schema == nil || b.Schema.Label == nil || b.Schema.Label.Name != "tensor" {
		return
	}
	roles := map[string][]string{"input": {"input"}, "expect": {"output"}}[b.Type]
	c.tensorNames(c.graphOf(b), place.Label.Name, roles)
}

func (c *completing) graphOf(b *outline.Block) string {
	return (&hovering{query: c.query, loaded: c.loaded, file: c.file}).graphOf(b)
}

// mostNames bounds how many names of a graph are offered.
const mostNames = 1000

// tensorNames offers the tensors of a planned graph, of some roles or of all; before the first plan those of the file.
func (c *completing) tensorNames(graph string, span outline.Span, roles []string) {
	if planned, _ := c.Planned(); planned == nil {
		c.fileTensors(graph, span, roles)
		return
	}
	c.eachGraph(graph, func(g *plan.Graph) {
		for i := range g.Tensors {
			t := &g.Tensors[i]
			if len(c.items) < mostNames && (roles == nil || slices.Contains(roles, t.Role)) {
				c.add(offer{label: t.Name, detail: t.Role + ", " + bytesText(t.Size), text: escapeText(t.Name), kind: protocol.CompletionItemKindValue, span: span})
			}
		}
	})
}

// fileTensors offers the tensors of a graph's file.
func (c *completing) fileTensors(graph string, span outline.Span, roles []string) {
	g := c.graphFile(graph)
	if g == nil {
		return
	}
	for i := range g.Tensors {
		t := &g.Tensors[i]
		role := string(t.Role)
		if len(c.items) < mostNames && t.Data == nil && (roles == nil || slices.Contains(roles, role)) {
			c.add(offer{label: t.Name, detail: role, text: escapeText(t.Name), kind: protocol.CompletionItemKindValue, span: span})
		}
	}
}

// graphFile reads the file of a graph block of this document, nil when that cannot be read.
func (c *completing) graphFile(name string) *graph.Graph {
	for _, b := range c.file.Root.Blocks {
		if b.Type != "graph" || b.Label() != name {
			continue
		}
		if a := b.Attribute("source"); a != nil {
			if span, ok := c.file.StringAt(a.Value.Start + 1); ok {
				return c.loaded.Graph(c.file.Text(span))
			}
		}
	}
	return nil
}

// dimensions offers the dimensions that the graph leaves open and that have no value yet, as keys of an object.
func (c *completing) dimensions(a *outline.Attribute, word outline.Span) {
	g := c.graphFile(c.graphOf(a.Block))
	if g == nil {
		return
	}
	bound := c.file.Text(a.Value)
	for _, name := range session.Symbols(g) {
		key := name
		if !addr.ValidName(name) {
			key = strconv.Quote(name)
		}
		if !strings.Contains(bound, key+" =") {
			c.add(offer{label: name, detail: "open dimension", text: key + " = ", kind: protocol.CompletionItemKindVariable, span: word})
		}
	}
}

// opNames offers the operators that the planned graphs have.
func (c *completing) opNames(span outline.Span) {
	var names []string
	c.eachGraph("", func(g *plan.Graph) {
		for i := range g.Steps {
			names = append(names, g.Steps[i].Op)
		}
	})
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		c.add(offer{label: name, detail: "operator", text: escapeText(name), kind: protocol.CompletionItemKindValue, span: span})
	}
}

func (c *completing) eachGraph(name string, visit func(*plan.Graph)) {
	planned, _ := c.Planned()
	if planned == nil {
		return
	}
	for i := range planned.Plan.Graphs {
		if g := &planned.Plan.Graphs[i]; name == "" || g.Name == name {
			visit(g)
		}
	}
}

// escapeText writes a name as it stands between quotes.
func escapeText(name string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "${", "$${", "%{", "%%{").Replace(name)
}

// graphFiles end the names of files that graphs are read from.
var graphFiles = []string{".onnx", ".tflite", ".json", ".csv"}

// paths offers files for a graph, directories and builtin modules for a module.
func (c *completing) paths(a *outline.Attribute, span outline.Span) {
	if a.Block.Type != "module" {
		c.files(span, graphFiles)
		return
	}
	for _, name := range builtin.Names() {
		text := builtin.Prefix + name
		c.add(offer{label: text, detail: "builtin module", text: text, kind: protocol.CompletionItemKindModule, span: span})
	}
	c.files(span, []string{".hcl"})
}

// files offers the directories and the files of some endings in the directory that is typed so far.
func (c *completing) files(span outline.Span, endings []string) {
	typed := string(c.file.Src[span.Start:c.offset])
	dir := path.Dir(typed + "x")
	absolute, ok := c.loaded.Absolute(dir)
	if !ok {
		return
	}
	entries, err := os.ReadDir(absolute)
	if err != nil {
		return
	}
	prefix := typed[:strings.LastIndexByte(typed, '/')+1]
	for _, entry := range entries {
		name := entry.Name()
		switch {
		case strings.HasPrefix(name, "."), len(c.items) >= mostNames:
		case entry.IsDir():
			c.add(offer{label: prefix + name + "/", text: prefix + name + "/", kind: protocol.CompletionItemKindFolder, span: span})
		case slices.Contains(endings, path.Ext(name)):
			c.add(offer{label: prefix + name, text: prefix + name, kind: protocol.CompletionItemKindFile, span: span})
		}
	}
}
