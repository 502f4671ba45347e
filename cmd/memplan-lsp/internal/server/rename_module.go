package server

import (
	"context"
	"path"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/session"
	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/builtin"
)

// renaming is what a name stands for, in the configuration that declares it.
type renaming struct {
	*query
	loaded  *session.Loaded
	address addr.Address
	// span is that of the name where the user is.
	span outline.Span
}

// renamed finds what would be renamed at a position: what the configuration declares, or, at the input or output of a
// module that is called, what the module declares. It is nil where there is nothing.
func (q *query) renamed(ctx context.Context, at protocol.Position) (*renaming, error) {
	loaded, err := q.Loaded(ctx)
	if err != nil {
		return nil, err
	}
	offset := q.offset(at)
	if span, declared, ok := q.memberAt(loaded, offset); ok {
		return q.inModule(ctx, loaded, span, declared)
	}
	name, ok := nameAt(q.Document, offset)
	if !ok || declarationOf(q.Documents(loaded), name.Address) == nil {
		return nil, nil
	}
	return &renaming{query: q, loaded: loaded, address: name.Address, span: name.Span}, nil
}

// inModule leads from the use of a module's variable or output to the module's own files. Builtin modules have none.
func (q *query) inModule(ctx context.Context, loaded *session.Loaded, span outline.Span, declared hcl.Range) (*renaming, error) {
	at, ok := loaded.Location(declared)
	if !ok {
		return nil, nil
	}
	snapshot, err := q.server.session.Snapshot(at.URI)
	if err != nil {
		return nil, nil
	}
	module := &query{Snapshot: snapshot, server: q.server}
	r, err := module.renamed(ctx, at.Range.Start)
	if r != nil {
		r.span = span
	}
	return r, err
}

// inCalls finds the uses of a module's variable or output where open configurations call the module.
func (r *renaming) inCalls(ctx context.Context) ([]occurrence, error) {
	if r.address.Kind != addr.Variable && r.address.Kind != addr.Output || r.Document.Path == "" {
		return nil, nil
	}
	var found []occurrence
	seen := map[protocol.DocumentURI]bool{}
	for _, snapshot := range r.server.session.Workspace() {
		loaded, err := snapshot.Loaded(ctx)
		if err != nil {
			return nil, err
		}
		for _, name := range session.SortedFiles(loaded) {
			doc := loaded.Document(name)
			if doc == nil || doc.Path == "" || seen[doc.URI] {
				continue
			}
			seen[doc.URI] = true
			found = append(found, r.inCallsOf(doc)...)
		}
	}
	return found, nil
}

// inCallsOf finds the uses in one file.
func (r *renaming) inCallsOf(doc *session.Document) []occurrence {
	var found []occurrence
	f := doc.Outline()
	called := map[string]bool{}
	for _, b := range f.Root.Blocks {
		if b.Type != string(addr.Module) || !r.isSource(doc, b.Attribute("source")) {
			continue
		}
		called[b.Label()] = true
		if a := b.Attribute(r.address.Name); a != nil && a.Schema == nil && r.address.Kind == addr.Variable {
			found = append(found, occurrence{document: doc, Name: outline.Name{Address: r.address, Span: a.NameSpan, Whole: a.NameSpan, Attribute: a}})
		}
	}
	if len(called) == 0 || r.address.Kind != addr.Output {
		return found
	}
	f.EachAttribute(func(a *outline.Attribute) {
		for _, t := range f.Traversals(a) {
			if len(t.Steps) > 2 && t.Steps[0].Name == string(addr.Module) && called[t.Steps[1].Name] && t.Steps[2].Name == r.address.Name {
				found = append(found, occurrence{document: doc, Name: outline.Name{Address: r.address, Span: t.Steps[2].Span, Whole: t.Span(), Attribute: a}})
			}
		}
	})
	return found
}

// isSource reports whether the source of a module block in a file is the file or the directory of the renamed name.
func (r *renaming) isSource(doc *session.Document, source *outline.Attribute) bool {
	if source == nil {
		return false
	}
	span, ok := doc.Outline().StringAt(source.Value.Start + 1)
	if !ok || strings.HasPrefix(doc.Outline().Text(span), builtin.Prefix) {
		return false
	}
	target := path.Join(path.Dir(doc.Path), doc.Outline().Text(span))
	return target == r.Document.Path || target == path.Dir(r.Document.Path)
}
