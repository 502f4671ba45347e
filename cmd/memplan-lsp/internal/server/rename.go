package server

import (
	"cmp"
	"context"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/session"
	"github.com/memplan/memplan/lang/addr"
)

type renamePlace struct {
	Range       protocol.Range `json:"range"`
	Placeholder string         `json:"placeholder"`
}

// documentEdit is the library's with a version that may be null.
type documentEdit struct {
	TextDocument struct {
		URI     protocol.DocumentURI `json:"uri"`
		Version *int32               `json:"version"`
	} `json:"textDocument"`
	Edits []protocol.TextEdit `json:"edits"`
}

// workspaceEdit has one of its fields set, whichever the client takes.
type workspaceEdit struct {
	Changes         map[protocol.DocumentURI][]protocol.TextEdit `json:"changes,omitempty"`
	DocumentChanges []documentEdit                               `json:"documentChanges,omitempty"`
}

// prepareRename says what would be renamed at a position; null where nothing can be.
func prepareRename(ctx context.Context, q *query, p *protocol.TextDocumentPositionParams) (*renamePlace, error) {
	r, err := q.renamed(ctx, p.Position)
	if err != nil || r == nil {
		return nil, err
	}
	return &renamePlace{Range: q.Document.Range(r.span), Placeholder: q.Document.Outline().Text(r.span)}, nil
}

// rename renames what is declared, with every reference: in all files of the configuration, and of a module's variable or
// output also where open configurations call the module.
func rename(ctx context.Context, q *query, p *protocol.RenameParams) (*workspaceEdit, error) {
	r, err := q.renamed(ctx, p.Position)
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, "nothing that a configuration declares is at this place")
	}
	if !addr.ValidName(p.NewName) {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%q is no name: names begin with a letter or an underscore and go on with letters, digits, underscores and hyphens", p.NewName)
	}
	renamed := addr.Address{Kind: r.address.Kind, Name: p.NewName}
	if renamed != r.address && declarationOf(r.Documents(r.loaded), renamed) != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is already a %s named %q", renamed.Kind, renamed.Name)
	}
	all := occurrences(r.Documents(r.loaded), r.address)
	calls, err := r.inCalls(ctx)
	if err != nil {
		return nil, err
	}
	var edits []placedEdit
	for _, o := range append(all, calls...) {
		edits = append(edits, placedEdit{o.document, protocol.TextEdit{Range: o.document.Range(o.Span), NewText: p.NewName}})
	}
	return q.server.edit(edits), nil
}

// placedEdit is an edit of a document.
type placedEdit struct {
	document *session.Document
	edit     protocol.TextEdit
}

// edit joins edits, those of one document next to each other, in the form that the client takes.
func (s *Server) edit(edits []placedEdit) *workspaceEdit {
	out := &workspaceEdit{}
	order := map[protocol.DocumentURI]int{}
	for i, e := range edits {
		if _, known := order[e.document.URI]; !known {
			order[e.document.URI] = i
		}
	}
	if !s.client.versionedEdits {
		out.Changes = map[protocol.DocumentURI][]protocol.TextEdit{}
		for _, e := range edits {
			out.Changes[e.document.URI] = append(out.Changes[e.document.URI], e.edit)
		}
		return out
	}
	slices.SortStableFunc(edits, func(a, b placedEdit) int { return cmp.Compare(order[a.document.URI], order[b.document.URI]) })
	for _, e := range edits {
		last := len(out.DocumentChanges) - 1
		if last < 0 || out.DocumentChanges[last].TextDocument.URI != e.document.URI {
			var change documentEdit
			change.TextDocument.URI, change.TextDocument.Version = e.document.URI, e.document.Version
			out.DocumentChanges = append(out.DocumentChanges, change)
			last++
		}
		out.DocumentChanges[last].Edits = append(out.DocumentChanges[last].Edits, e.edit)
	}
	return out
}
