package server

import (
	"path"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/session"
	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/syntax"
)

// declarationsIn lists what a document declares, none for a variables file.
func declarationsIn(d *session.Document) []outline.Name {
	if givesVariables(d) {
		return nil
	}
	return d.Outline().Declarations()
}

// referencesIn lists what a document refers to. A variables file refers to the variables that it gives values.
func referencesIn(d *session.Document) []outline.Name {
	if !givesVariables(d) {
		return d.Outline().References()
	}
	var names []outline.Name
	for _, a := range d.Outline().Root.Attributes {
		names = append(names, outline.Name{Address: addr.Address{Kind: addr.Variable, Name: a.Name}, Span: a.NameSpan, Whole: a.NameSpan, Attribute: a})
	}
	return names
}

func givesVariables(d *session.Document) bool {
	base := path.Base(d.Path)
	return base == syntax.VariablesFile || len(base) > len(syntax.AutoVariablesSuffix) && base[len(base)-len(syntax.AutoVariablesSuffix):] == syntax.AutoVariablesSuffix
}

// nameAt returns the name at an offset of the document, whether it is declared there or referred to. A label counts with
// its quotes, a reference with its kind.
func nameAt(d *session.Document, offset int) (outline.Name, bool) {
	for _, name := range declarationsIn(d) {
		if name.Span.Contains(offset) || name.Block != nil && name.Block.Labels[0].Span.Contains(offset) {
			return name, true
		}
	}
	for _, name := range referencesIn(d) {
		if name.Whole.Start <= offset && offset <= name.Span.End {
			return name, true
		}
	}
	return outline.Name{}, false
}

// occurrence is a name in a document.
type occurrence struct {
	document *session.Document
	outline.Name
	declares bool
}

func (o *occurrence) location() protocol.Location {
	return protocol.Location{URI: o.document.URI, Range: o.document.Range(o.Span)}
}

// occurrences finds an address in documents: in order of documents, declarations before references.
func occurrences(docs []*session.Document, a addr.Address) []occurrence {
	var found []occurrence
	for _, d := range docs {
		for _, name := range declarationsIn(d) {
			if name.Address == a {
				found = append(found, occurrence{d, name, true})
			}
		}
		for _, name := range referencesIn(d) {
			if name.Address == a {
				found = append(found, occurrence{d, name, false})
			}
		}
	}
	return found
}

// declarationOf returns the first declaration of an address, nil when there is none.
func declarationOf(docs []*session.Document, a addr.Address) *occurrence {
	for _, o := range occurrences(docs, a) {
		if o.declares {
			return &o
		}
	}
	return nil
}
