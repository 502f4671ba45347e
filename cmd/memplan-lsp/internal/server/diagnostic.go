package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/session"
)

// publishParams are the library's with a version that may be 0.
type publishParams struct {
	URI         protocol.DocumentURI  `json:"uri"`
	Version     *int32                `json:"version,omitempty"`
	Diagnostics []protocol.Diagnostic `json:"diagnostics"`
}

// publish tells the client what is wrong with a document. A client that asks for that itself is not told again.
func (s *Server) publish(p session.Publication) {
	if !s.client.prefersPull {
		s.conn.Notify("textDocument/publishDiagnostics", publishParams{URI: p.URI, Version: p.Version, Diagnostics: p.Diagnostics})
	}
}

// replanned has the client ask again for what shows the plan.
func (s *Server) replanned() {
	if s.client.refreshesHints {
		go s.ask("workspace/inlayHint/refresh", nil)
	}
	if s.client.refreshesLenses {
		go s.ask("workspace/codeLens/refresh", nil)
	}
	if s.client.prefersPull && s.client.refreshesDiagnostics {
		go s.ask("workspace/diagnostic/refresh", nil)
	}
}

// diagnosticReport is a full report of LSP 3.17.
type diagnosticReport struct {
	Kind     string                `json:"kind"`
	ResultID string                `json:"resultId"`
	Items    []protocol.Diagnostic `json:"items"`
}

// unchangedReport says that the report of an id still holds.
type unchangedReport struct {
	Kind     string `json:"kind"`
	ResultID string `json:"resultId"`
}

// documentDiagnostic reports what is wrong with a document. The id of a report is a digest of it.
func documentDiagnostic(ctx context.Context, q *query, p *struct {
	PreviousResultID string `json:"previousResultId"`
}) (any, error) {
	report := diagnosticReport{Kind: "full", Items: []protocol.Diagnostic{}}
	findings, err := q.server.session.Findings(ctx, q.Snapshot)
	if err != nil {
		return nil, err
	}
	for _, f := range findings {
		report.Items = append(report.Items, f.Shown)
	}
	encoded, err := json.Marshal(report.Items)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(encoded)
	report.ResultID = hex.EncodeToString(sum[:8])
	if p.PreviousResultID == report.ResultID {
		return unchangedReport{Kind: "unchanged", ResultID: report.ResultID}, nil
	}
	return report, nil
}
