package server

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/session"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/wire"
)

// kindOf is the symbol that a block is shown as.
func kindOf(b *outline.Block) protocol.SymbolKind {
	switch b.Type {
	case "variable", "locals":
		return protocol.SymbolKindVariable
	case "device":
		return protocol.SymbolKindClass
	case "pool":
		return protocol.SymbolKindArray
	case "graph":
		return protocol.SymbolKindModule
	case "scope_rule":
		return protocol.SymbolKindFunction
	case "module":
		return protocol.SymbolKindPackage
	case "check", "run":
		return protocol.SymbolKindEvent
	case "output":
		return protocol.SymbolKindConstant
	}
	return protocol.SymbolKindObject
}

// documentSymbol lists the blocks with what is in them, flat for clients that know no trees.
func documentSymbol(_ context.Context, q *query, _ *protocol.DocumentSymbolParams) (any, error) {
	tree := symbolsOf(q.Document, q.Document.Outline().Root)
	if q.server.client.hierarchy {
		return tree, nil
	}
	flat := []protocol.SymbolInformation{}
	flatten(q.Document, tree, "", &flat)
	return flat, nil
}

func symbolsOf(d *session.Document, b *outline.Block) []protocol.DocumentSymbol {
	symbols := []protocol.DocumentSymbol{}
	for _, a := range b.Attributes {
		whole := outline.Span{Start: a.NameSpan.Start, End: max(a.Value.End, a.Equals.End)}
		symbols = append(symbols, protocol.DocumentSymbol{
			Name: a.Name, Detail: summary(d, a), Kind: protocol.SymbolKindProperty, Range: d.Range(whole), SelectionRange: d.Range(a.NameSpan),
		})
	}
	for _, inner := range b.Blocks {
		symbols = append(symbols, protocol.DocumentSymbol{
			Name: title(inner), Detail: inner.Type, Kind: kindOf(inner), Range: d.Range(inner.Span), SelectionRange: d.Range(selection(inner)),
			Children: symbolsOf(d, inner),
		})
	}
	slices.SortStableFunc(symbols, func(a, b protocol.DocumentSymbol) int { return comparePositions(a.Range.Start, b.Range.Start) })
	return symbols
}

func comparePositions(a, b protocol.Position) int {
	if a.Line != b.Line {
		return int(int64(a.Line) - int64(b.Line))
	}
	return int(int64(a.Character) - int64(b.Character))
}

func selection(b *outline.Block) outline.Span {
	if len(b.Labels) > 0 {
		return b.Labels[0].Span
	}
	return b.TypeSpan
}

// title is the name of a block in lists. Symbols must have one.
func title(b *outline.Block) string {
	if label := b.Label(); label != "" {
		return label
	}
	return b.Type
}

// longestSummary bounds in bytes the value that is shown beside an attribute.
const longestSummary = 40

func summary(d *session.Document, a *outline.Attribute) string {
	value, _, _ := strings.Cut(d.Outline().Text(a.Value), "\n")
	if len(value) > longestSummary {
		value = strings.ToValidUTF8(value[:longestSummary], "") + "..."
	}
	return value
}

func flatten(d *session.Document, tree []protocol.DocumentSymbol, container string, into *[]protocol.SymbolInformation) {
	for _, s := range tree {
		*into = append(*into, protocol.SymbolInformation{Name: s.Name, Kind: s.Kind, Location: protocol.Location{URI: d.URI, Range: s.Range}, ContainerName: container})
		flatten(d, s.Children, s.Name, into)
	}
}

// workspaceSymbol lists what the open configurations declare, as far as it has the letters of the query in their order.
func (s *Server) workspaceSymbol(raw json.RawMessage) (wire.Work, error) {
	var p protocol.WorkspaceSymbolParams
	if err := decode(raw, &p); err != nil {
		return nil, err
	}
	snapshots := s.session.Workspace()
	return func(ctx context.Context) (any, error) {
		found := []protocol.SymbolInformation{}
		seen := map[protocol.DocumentURI]bool{}
		for _, snapshot := range snapshots {
			loaded, err := snapshot.Loaded(ctx)
			if err != nil {
				return nil, err
			}
			for _, doc := range snapshot.Documents(loaded) {
				if !seen[doc.URI] {
					seen[doc.URI] = true
					found = append(found, declaredIn(doc, p.Query)...)
				}
			}
		}
		return found, nil
	}, nil
}

func declaredIn(d *session.Document, query string) []protocol.SymbolInformation {
	var found []protocol.SymbolInformation
	for _, name := range declarationsIn(d) {
		if !resembles(name.Address.String(), query) {
			continue
		}
		kind := protocol.SymbolKindVariable
		if name.Block != nil {
			kind = kindOf(name.Block)
		}
		found = append(found, protocol.SymbolInformation{
			Name: name.Address.String(), Kind: kind, Location: protocol.Location{URI: d.URI, Range: d.Range(name.Whole)},
		})
	}
	return found
}

// resembles reports whether a name has the letters of a query in their order, in any case.
func resembles(name, query string) bool {
	rest := strings.ToLower(name)
	for _, r := range strings.ToLower(query) {
		at := strings.IndexRune(rest, r)
		if at < 0 {
			return false
		}
		rest = rest[at+len(string(r)):]
	}
	return true
}
