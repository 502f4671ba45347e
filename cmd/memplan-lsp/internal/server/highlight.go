package server

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/session"
)

// documentHighlight lists where the name at a position stands in the document.
func documentHighlight(_ context.Context, q *query, p *protocol.DocumentHighlightParams) ([]protocol.DocumentHighlight, error) {
	highlights := []protocol.DocumentHighlight{}
	name, ok := nameAt(q.Document, q.offset(p.Position))
	if !ok {
		return highlights, nil
	}
	for _, o := range occurrences([]*session.Document{q.Document}, name.Address) {
		kind := protocol.DocumentHighlightKindRead
		if o.declares {
			kind = protocol.DocumentHighlightKindWrite
		}
		highlights = append(highlights, protocol.DocumentHighlight{Range: q.Document.Range(o.Span), Kind: kind})
	}
	return highlights, nil
}
