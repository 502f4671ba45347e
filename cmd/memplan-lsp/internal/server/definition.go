package server

import (
	"context"
	"os"
	"path"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/session"
	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/builtin"
	"github.com/memplan/memplan/lang/config"
)

// definition leads from a name to where it is declared, from an output of a module or an input of one to that in the
// module, and from a path to the file.
func definition(ctx context.Context, q *query, p *protocol.TextDocumentPositionParams) ([]protocol.Location, error) {
	loaded, err := q.Loaded(ctx)
	if err != nil {
		return nil, err
	}
	offset := q.offset(p.Position)
	if at, ok := q.insideModule(loaded, offset); ok {
		return []protocol.Location{at}, nil
	}
	if name, ok := nameAt(q.Document, offset); ok {
		if o := declarationOf(q.Documents(loaded), name.Address); o != nil {
			return []protocol.Location{o.location()}, nil
		}
	}
	for _, link := range q.links(loaded) {
		if link.span.Contains(offset) {
			return []protocol.Location{{URI: link.target}}, nil
		}
	}
	return []protocol.Location{}, nil
}

// insideModule is the declaration in a called module of the output or input at an offset.
func (q *query) insideModule(loaded *session.Loaded, offset int) (protocol.Location, bool) {
	_, declared, ok := q.memberAt(loaded, offset)
	switch {
	case !ok:
		return protocol.Location{}, false
	case q.server.client.opensBuiltins:
		return loaded.Definition(declared)
	}
	return loaded.Location(declared)
}

// memberAt finds the input or output of a called module at an offset: the span of its name, and where the module declares
// it.
func (q *query) memberAt(loaded *session.Loaded, offset int) (outline.Span, hcl.Range, bool) {
	f := q.Document.Outline()
	place := f.At(offset)
	if place.Attribute == nil {
		return outline.Span{}, hcl.Range{}, false
	}
	var a addr.Address
	var span outline.Span
	var module *config.Module
	switch {
	case place.Part == outline.AttributeName && place.Block.Type == string(addr.Module) && place.Attribute.Schema == nil:
		span = place.Attribute.NameSpan
		module, a = moduleNamed(q.Config(loaded), place.Block.Label()), addr.Address{Kind: addr.Variable, Name: place.Attribute.Name}
	case place.Part == outline.Value:
		t, step := f.TraversalAt(place.Attribute, offset)
		if t == nil || step != 2 || t.Steps[0].Name != string(addr.Module) {
			return outline.Span{}, hcl.Range{}, false
		}
		span = t.Steps[2].Span
		module, a = moduleNamed(q.Config(loaded), t.Steps[1].Name), addr.Address{Kind: addr.Output, Name: t.Steps[2].Name}
	}
	if module == nil || module.Config == nil {
		return outline.Span{}, hcl.Range{}, false
	}
	declared, ok := interfaceOf(module.Config, a)
	return span, declared, ok
}

// interfaceOf returns the range of the name of a variable or an output of a module.
func interfaceOf(c *config.Config, a addr.Address) (hcl.Range, bool) {
	for _, v := range c.Declarations {
		if a.Kind == addr.Variable && v.Name == a.Name {
			return v.Range, true
		}
	}
	for _, output := range c.Outputs {
		if a.Kind == addr.Output && output.Name == a.Name {
			return output.NameRange, true
		}
	}
	return hcl.Range{}, false
}

func moduleNamed(c *config.Config, name string) *config.Module {
	for _, m := range c.Modules {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// link is a path in the text and the file that it leads to.
type link struct {
	span   outline.Span
	target protocol.DocumentURI
	what   string
}

// linked are the attributes that hold paths, by the type of their block.
var linked = map[string]struct{ attribute, what string }{
	"graph": {"source", "the graph"}, "input": {"npy", "the data"}, "expect": {"npy", "the expected data"}, "module": {"source", "the module"},
}

// links lists the paths of a document that lead to files that exist.
func (q *query) links(loaded *session.Loaded) []link {
	var found []link
	f := q.Document.Outline()
	f.EachAttribute(func(a *outline.Attribute) {
		want, ok := linked[a.Block.Type]
		if !ok || want.attribute != a.Name {
			return
		}
		span, ok := f.StringAt(a.Value.Start + 1)
		if !ok || span.Start == span.End {
			return
		}
		target, ok := fileAt(loaded, f.Text(span))
		if name, is := strings.CutPrefix(f.Text(span), builtin.Prefix); is && a.Block.Type == "module" {
			_, ok = builtin.Source(name)
			target, ok = session.BuiltinURI(name), ok && q.server.client.opensBuiltins
		}
		if ok {
			found = append(found, link{span, target, want.what})
		}
	})
	return found
}

// fileAt returns the URI of a file of a path in a configuration; for a directory that of its first configuration file.
func fileAt(loaded *session.Loaded, name string) (protocol.DocumentURI, bool) {
	absolute, ok := loaded.Absolute(name)
	if !ok {
		return "", false
	}
	info, err := os.Stat(absolute)
	if err != nil {
		return "", false
	}
	if !info.IsDir() {
		return session.FileURI(absolute), true
	}
	for _, read := range session.SortedFiles(loaded) {
		if path.Clean(path.Dir(read)) == path.Clean(name) {
			if doc := loaded.Document(read); doc != nil {
				return doc.URI, true
			}
		}
	}
	return "", false
}
