package server

import (
	"bytes"
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

// codeAction offers repairs of what is wrong in a range, and changes of what is there.
func codeAction(ctx context.Context, q *query, p *protocol.CodeActionParams) ([]codeActionItem, error) {
	loaded, err := q.Loaded(ctx)
	if err != nil {
		return nil, err
	}
	actions := []codeActionItem{}
	add := func(kind protocol.CodeActionKind, fixes []fix, of []protocol.Diagnostic) {
		for _, fix := range fixes {
			actions = append(actions, codeActionItem{
				Title: fix.title, Kind: kind, Diagnostics: of, IsPreferred: len(fixes) == 1 && len(of) > 0, Edit: q.server.edit(q.placed(fix)),
			})
		}
	}
	findings, err := q.server.session.Findings(ctx, q.Snapshot)
	if err != nil {
		return nil, err
	}
	findings = slices.DeleteFunc(findings, func(f session.Finding) bool { return !touches(f.Shown.Range, p.Range) })
	if wanted(p.Context.Only, protocol.QuickFix) {
		for _, f := range findings {
			add(protocol.QuickFix, fixesOf(&repairing{query: q, loaded: loaded, finding: f}), []protocol.Diagnostic{f.Shown})
		}
	}
	r := &refactoring{query: q, loaded: loaded, file: q.Document.Outline(), selected: outline.Span{Start: q.offset(p.Range.Start), End: q.offset(p.Range.End)}}
	// What is at fault gets no name.
	if wanted(p.Context.Only, protocol.RefactorExtract) && len(findings) == 0 {
		add(protocol.RefactorExtract, r.extractions(), []protocol.Diagnostic{})
	}
	if wanted(p.Context.Only, protocol.RefactorRewrite) {
		add(protocol.RefactorRewrite, r.rewrites(), []protocol.Diagnostic{})
	}
	// What concerns the whole file is for clients that ask for it, such as on saving.
	if len(p.Context.Only) > 0 && wanted(p.Context.Only, fixAll) {
		add(fixAll, q.formatted(), []protocol.Diagnostic{})
	}
	return actions, nil
}

// fixAll is the kind of the action that brings a file into canonical form.
const fixAll protocol.CodeActionKind = "source.fixAll.memplan"

// formatted brings the file into canonical form.
func (q *query) formatted() []fix {
	formatted, ok := q.Format()
	if !ok || bytes.Equal(formatted, q.Document.Text) {
		return nil
	}
	return []fix{{title: "Format the file", span: outline.Span{Start: 0, End: len(q.Document.Text)}, text: string(formatted)}}
}

// placed are the edits of a fix.
func (q *query) placed(f fix) []placedEdit {
	var edits []placedEdit
	for _, c := range append([]change{{f.span, f.text}}, f.also...) {
		edits = append(edits, placedEdit{q.Document, protocol.TextEdit{Range: q.Document.Range(c.span), NewText: c.text}})
	}
	return edits
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

// fix is a repair or another change: a text in place of a span, and more of these apart from it.
type fix struct {
	title string
	span  outline.Span
	text  string
	also  []change
}

type change struct {
	span outline.Span
	text string
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
