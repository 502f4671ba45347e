package server

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
)

type signatureHelpResult struct {
	Signatures      []signatureInformation `json:"signatures"`
	ActiveSignature uint32                 `json:"activeSignature"`
	ActiveParameter uint32                 `json:"activeParameter"`
}

type signatureInformation struct {
	Label         string                 `json:"label"`
	Documentation string                 `json:"documentation"`
	Parameters    []parameterInformation `json:"parameters"`
}

type parameterInformation struct {
	Label string `json:"label"`
}

// signatureHelp shows the parameters of the call at a position; null outside of calls.
func signatureHelp(_ context.Context, q *query, p *protocol.TextDocumentPositionParams) (*signatureHelpResult, error) {
	f := q.Document.Outline()
	offset := q.offset(p.Position)
	place := f.At(offset)
	if place.Part != outline.Value {
		return nil, nil
	}
	call, ok := f.CallAt(place.Attribute, offset)
	if !ok {
		return nil, nil
	}
	function, ok := functionNamed(call.Name)
	if !ok {
		return nil, nil
	}
	out := signatureInformation{Label: function.Signature, Documentation: function.Doc, Parameters: []parameterInformation{}}
	for _, parameter := range parameters(function.Signature) {
		out.Parameters = append(out.Parameters, parameterInformation{Label: parameter})
	}
	active := call.Argument
	if last := len(out.Parameters) - 1; last >= 0 && active > last && strings.HasSuffix(out.Parameters[last].Label, "...") {
		active = last
	}
	return &signatureHelpResult{Signatures: []signatureInformation{out}, ActiveParameter: uint32(active)}, nil
}
