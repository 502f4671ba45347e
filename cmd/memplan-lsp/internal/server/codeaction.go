package server

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/session"
)

// codeActionItem is the library's with an edit in either form.
type codeActionItem struct {
	Title       string                  `json:"title"`
	Kind        protocol.CodeActionKind `json:"kind"`
	Diagnostics []protocol.Diagnostic   `json:"diagnostics"`
	IsPreferred bool                    `json:"isPreferred,omitempty"`
	Edit        *workspaceEdit          `json:"edit"`
}

// codeAction offers repairs of what is wrong in a range.
func codeAction(ctx context.Context, q *query, p *protocol.CodeActionParams) ([]codeActionItem, error) {
	actions := []codeActionItem{}
	if !wanted(p.Context.Only, protocol.QuickFix) {
		return actions, nil
	}
	findings, err := q.server.session.Findings(ctx, q.Snapshot)
	if err != nil {
		return nil, err
	}
	loaded, err := q.Loaded(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range findings {
		if !touches(f.Shown.Range, p.Range) {
			continue
		}
		fixes := fixesOf(&repairing{query: q, loaded: loaded, finding: f})
		for _, fix := range fixes {
			actions = append(actions, codeActionItem{
				Title: fix.title, Kind: protocol.QuickFix, Diagnostics: []protocol.Diagnostic{f.Shown}, IsPreferred: len(fixes) == 1,
				Edit: q.server.edit([]placedEdit{{q.Document, protocol.TextEdit{Range: q.Document.Range(fix.span), NewText: fix.text}}}),
			})
		}
	}
	return actions, nil
}

// wanted reports whether a client asks for a kind of actions; the kinds that it lists include those below them.
func wanted(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(k protocol.CodeActionKind) bool {
		return k == kind || k == "" || strings.HasPrefix(string(kind), string(k)+".")
	})
}

// touches reports whether two ranges have a place in common, their ends included.
func touches(a, b protocol.Range) bool {
	return comparePositions(a.Start, b.End) <= 0 && comparePositions(b.Start, a.End) <= 0
}

// fix is a repair: a text in place of a span.
type fix struct {
	title string
	span  outline.Span
	text  string
}

// repairing finds repairs of one finding.
type repairing struct {
	*query
	loaded  *session.Loaded
	finding session.Finding
}

// subject is the text that the finding is about; empty when it is about none.
func (r *repairing) subject() outline.Span {
	s := r.finding.Cause.Subject
	if s == nil || s.Start.Byte < 0 || s.End.Byte > len(r.Document.Text) || s.Start.Byte > s.End.Byte {
		return outline.Span{}
	}
	return outline.Span{Start: s.Start.Byte, End: s.End.Byte}
}
