package server

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/text"
)

// formatting brings a document into canonical form with the fewest edits. Text with syntax errors is left alone. The
// client's options play no part: there is one form.
func formatting(_ context.Context, q *query, _ *protocol.DocumentFormattingParams) ([]protocol.TextEdit, error) {
	formatted, ok := q.Format()
	if !ok {
		return []protocol.TextEdit{}, nil
	}
	return text.Edits(q.Document.Text, formatted, q.server.client.encoding), nil
}
