package server

import (
	"context"

	"go.lsp.dev/protocol"
)

// references lists where the name at a position is referred to.
func references(ctx context.Context, q *query, p *protocol.ReferenceParams) ([]protocol.Location, error) {
	loaded, err := q.Loaded(ctx)
	if err != nil {
		return nil, err
	}
	locations := []protocol.Location{}
	name, ok := nameAt(q.Document, q.offset(p.Position))
	if !ok {
		return locations, nil
	}
	for _, o := range occurrences(q.Documents(loaded), name.Address) {
		if !o.declares || p.Context.IncludeDeclaration {
			locations = append(locations, o.location())
		}
	}
	return locations, nil
}
