package server

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
)

// selectionRange grows a selection from the word over the value, the attribute and the blocks around it to the file.
func selectionRange(_ context.Context, q *query, p *protocol.SelectionRangeParams) ([]protocol.SelectionRange, error) {
	ranges := []protocol.SelectionRange{}
	for _, position := range p.Positions {
		ranges = append(ranges, *q.selection(q.offset(position)))
	}
	return ranges, nil
}

func (q *query) selection(offset int) *protocol.SelectionRange {
	f := q.Document.Outline()
	place := f.At(offset)
	spans := []outline.Span{{Start: 0, End: len(q.Document.Text)}}
	var around []outline.Span
	for b := place.Block; b != nil && b.Parent != nil; b = b.Parent {
		around = append(around, b.Span)
		if b.Inside.Contains(offset) {
			around = append(around, b.Inside)
		}
	}
	for i := len(around) - 1; i >= 0; i-- {
		spans = append(spans, around[i])
	}
	if a := place.Attribute; a != nil {
		spans = append(spans, outline.Span{Start: a.NameSpan.Start, End: max(a.Value.End, a.Equals.End)})
		if a.Value.Contains(offset) {
			spans = append(spans, a.Value)
			if t, step := f.TraversalAt(a, offset); t != nil {
				spans = append(spans, t.Span(), t.Steps[step].Span)
			}
		}
	}
	if s, ok := f.StringAt(offset); ok {
		spans = append(spans, s)
	}
	return q.nested(spans, offset)
}

// nested makes the chain of ranges, each within the one before; spans that are not within, or the same, are left out.
func (q *query) nested(spans []outline.Span, offset int) *protocol.SelectionRange {
	var chain *protocol.SelectionRange
	last := outline.Span{Start: -1, End: len(q.Document.Text) + 1}
	for _, s := range spans {
		if s == last || s.Start < last.Start || s.End > last.End || !s.Contains(offset) {
			continue
		}
		chain = &protocol.SelectionRange{Range: q.Document.Range(s), Parent: chain}
		last = s
	}
	if chain == nil {
		chain = &protocol.SelectionRange{Range: q.Document.Mapper.Range(offset, offset)}
	}
	return chain
}
