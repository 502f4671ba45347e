package server

import (
	"context"
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/session"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/wire"
)

// documentContent is the answer of LSP 3.18 to a client that wants to show a text that is in no file.
type documentContent struct {
	Text string `json:"text"`
}

// textDocumentContent returns the text of a builtin module.
func (s *Server) textDocumentContent(raw json.RawMessage) (wire.Work, error) {
	var p struct {
		URI protocol.DocumentURI `json:"uri"`
	}
	if err := decode(raw, &p); err != nil {
		return nil, err
	}
	text, ok := session.BuiltinText(p.URI)
	if !ok {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no builtin module at %s", p.URI)
	}
	return func(context.Context) (any, error) { return documentContent{text}, nil }, nil
}
