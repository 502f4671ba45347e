package server

import (
	"context"

	"go.lsp.dev/protocol"
)

// documentLink lists the paths that lead to files.
func documentLink(ctx context.Context, q *query, _ *protocol.DocumentLinkParams) ([]protocol.DocumentLink, error) {
	loaded, err := q.Loaded(ctx)
	if err != nil {
		return nil, err
	}
	links := []protocol.DocumentLink{}
	for _, l := range q.links(loaded) {
		links = append(links, protocol.DocumentLink{Range: q.Document.Range(l.span), Target: l.target, Tooltip: "Open " + l.what})
	}
	return links, nil
}
