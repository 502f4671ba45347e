package session

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/text"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/syntax"
)

// Source names the server in diagnostics.
const Source = "memplan"

// Finding is something that is wrong with a document.
type Finding struct {
	// Cause is the diagnostic of the language or the planner, its ranges in the text as it is now.
	Cause diag.Diagnostic
	// Shown is what clients are told.
	Shown protocol.Diagnostic
}

// findings is what is wrong with a configuration, by document: what loading found, and what planning did. Until a change is
// planned, the findings of the plan before stay where they were, moved with the text; those in the text that changed go.
func (s *Session) findings(m *module, l *Loaded) map[protocol.DocumentURI][]Finding {
	ds := l.Diags
	if !ds.HasErrors() && m.planned != nil {
		ds = append(ds[:len(ds):len(ds)], m.planned.foundIn(l)...)
	}
	ds = s.judged(m, l, syntax.NowAll(l.Config.Files, ds))
	found := map[protocol.DocumentURI][]Finding{}
	for _, d := range ds.Sorted() {
		if at, ok := s.placeOf(m, l, d); ok {
			found[at.URI] = append(found[at.URI], Finding{Cause: d, Shown: convert(l, d, at.Range)})
		}
	}
	return found
}

// judged takes out the warnings that comments hide. Once all there is to find has been found, comments that hide nothing are
// reported.
func (s *Session) judged(m *module, l *Loaded, ds diag.Diagnostics) diag.Diagnostics {
	ignores := syntax.FindIgnores(l.Config.Files)
	kept := ignores.Kept(ds)
	if !kept.HasErrors() && (m.settled || m.planned != nil || !l.plannable()) {
		return append(kept[:len(kept):len(kept)], ignores.Faults()...)
	}
	return kept
}

// placeOf says where a diagnostic is shown. One about text that no editor shows is at what leads there, and one about
// nothing in particular at the start of a document.
func (s *Session) placeOf(m *module, l *Loaded, d diag.Diagnostic) (protocol.Location, bool) {
	if d.Subject != nil {
		if at, ok := l.Location(*d.Subject); ok {
			return at, true
		}
	}
	for _, related := range d.Related {
		if at, ok := l.Location(related.Range); ok {
			return at, true
		}
	}
	for _, name := range l.Names() {
		if doc := l.Document(name); doc != nil {
			return protocol.Location{URI: doc.URI}, true
		}
	}
	for _, uri := range slices.Sorted(maps.Keys(s.open)) {
		if targetOf(s.open[uri]) == m.target {
			return protocol.Location{URI: uri}, true
		}
	}
	return protocol.Location{}, false
}

// convert makes the protocol's diagnostic.
func convert(l *Loaded, d diag.Diagnostic, at protocol.Range) protocol.Diagnostic {
	out := protocol.Diagnostic{
		Range: at, Severity: protocol.DiagnosticSeverityError, Code: string(d.ID), Source: Source,
		Message: d.Summary + ": " + d.Detail,
	}
	if d.Severity == diag.Warning {
		out.Severity = protocol.DiagnosticSeverityWarning
	}
	if d.ID == diag.DeprecatedAttribute {
		out.Tags = []protocol.DiagnosticTag{protocol.DiagnosticTagDeprecated}
	}
	for _, related := range d.Related {
		if location, ok := l.Location(related.Range); ok {
			out.RelatedInformation = append(out.RelatedInformation, protocol.DiagnosticRelatedInformation{Location: location, Message: related.Message})
		}
	}
	return out
}

// foundIn is what planning found, with ranges that a later text has.
func (p *Planned) foundIn(l *Loaded) diag.Diagnostics {
	if p.Loaded == l {
		return p.Diags
	}
	var kept diag.Diagnostics
	for _, d := range p.Diags {
		if d.Subject == nil {
			continue
		}
		subject, ok := p.rangeIn(l, *d.Subject)
		if !ok {
			continue
		}
		d.Subject, d.Context = &subject, nil
		related := d.Related
		d.Related = nil
		for _, r := range related {
			if r.Range, ok = p.rangeIn(l, r.Range); ok {
				d.Related = append(d.Related, r)
			}
		}
		kept = append(kept, d)
	}
	return kept
}

// rangeIn is where a range of the configuration that was planned stands in a later one. In a block that has changed since, it is
// found by the text around it.
func (p *Planned) rangeIn(l *Loaded, r hcl.Range) (hcl.Range, bool) {
	if at, ok := syntax.Now(l.Config.Files, r); ok && l.Config.Files[r.Filename] != nil {
		return at, true
	}
	before, after := p.Loaded.Config.Files[r.Filename], l.Config.Files[r.Filename]
	if before == nil || after == nil {
		return r, false
	}
	r, ok := syntax.Now(p.Loaded.Config.Files, r)
	if !ok {
		return r, false
	}
	r.Start.Byte, r.End.Byte, ok = text.Compare(before.Bytes, after.Bytes).Span(r.Start.Byte, r.End.Byte)
	return r, ok
}

// Findings returns what is known to be wrong with the document: what loading finds, and what the last planning did.
func (s *Session) Findings(ctx context.Context, snapshot *Snapshot) ([]Finding, error) {
	loaded, err := snapshot.Loaded(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.modules[snapshot.view.target]
	if m == nil || m.view != snapshot.view {
		m = &module{target: snapshot.view.target, planned: snapshot.plan}
	}
	return s.findings(m, loaded)[snapshot.Document.URI], nil
}
