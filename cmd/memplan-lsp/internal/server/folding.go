package server

import (
	"bytes"
	"context"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
)

// foldingRange lists what can be folded: blocks, values of several lines, and comments of several lines.
func foldingRange(_ context.Context, q *query, _ *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	folds := []protocol.FoldingRange{}
	add := func(s outline.Span, kind protocol.FoldingRangeKind) {
		at := q.Document.Range(s)
		end := at.End.Line
		if kind == "" && end > at.Start.Line {
			// The line of the closing brace stays in sight.
			end--
		}
		if end > at.Start.Line {
			folds = append(folds, protocol.FoldingRange{StartLine: at.Start.Line, EndLine: end, Kind: kind})
		}
	}
	f := q.Document.Outline()
	var walk func(b *outline.Block)
	walk = func(b *outline.Block) {
		for _, inner := range b.Blocks {
			add(inner.Span, "")
			walk(inner)
		}
	}
	walk(f.Root)
	f.EachAttribute(func(a *outline.Attribute) { add(a.Value, "") })
	for _, s := range comments(f) {
		add(s, protocol.CommentFoldingRange)
	}
	slices.SortStableFunc(folds, func(a, b protocol.FoldingRange) int { return int(int64(a.StartLine) - int64(b.StartLine)) })
	return folds, nil
}

// comments joins comments on lines that follow each other.
func comments(f *outline.File) []outline.Span {
	var runs []outline.Span
	for i, t := range f.Tokens {
		if t.Type != hclsyntax.TokenComment {
			continue
		}
		start, end := t.Range.Start.Byte, t.Range.Start.Byte+len(bytes.TrimRight(t.Bytes, "\r\n"))
		if i > 0 && f.Tokens[i-1].Type == hclsyntax.TokenComment && len(runs) > 0 {
			runs[len(runs)-1].End = end
			continue
		}
		runs = append(runs, outline.Span{Start: start, End: end})
	}
	return runs
}
