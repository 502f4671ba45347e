package server

import (
	"context"
	"encoding/json"
	"errors"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/session"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/wire"
)

// method prepares the answer to a request.
type method func(params json.RawMessage) (wire.Work, error)

// Request implements wire.Handler. The requests that begin and end a session are answered in order: a client is sent
// nothing before the answer to initialize.
func (s *Server) Request(name string, params json.RawMessage) (wire.Answer, error) {
	switch {
	case name == "initialize":
		result, err := s.initialize(params)
		return wire.Answer{Result: result}, err
	case s.shutDown:
		return wire.Answer{}, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server is shut down")
	case s.session == nil:
		return wire.Answer{}, jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "the first request is initialize")
	case name == "shutdown":
		s.shutDown = true
		return wire.Answer{}, nil
	}
	handle := s.methods[name]
	if handle == nil {
		return wire.Answer{}, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "there is no method %q", name)
	}
	work, err := handle(params)
	return wire.Answer{Work: work}, err
}

// table lists the methods that are answered.
func (s *Server) table() map[string]method {
	return map[string]method{
		"textDocument/hover":                about(s, hover),
		"textDocument/completion":           about(s, completion),
		"textDocument/signatureHelp":        about(s, signatureHelp),
		"textDocument/definition":           about(s, definition),
		"textDocument/declaration":          about(s, definition),
		"textDocument/references":           about(s, references),
		"textDocument/documentHighlight":    about(s, documentHighlight),
		"textDocument/prepareRename":        about(s, prepareRename),
		"textDocument/rename":               about(s, rename),
		"textDocument/documentSymbol":       about(s, documentSymbol),
		"textDocument/foldingRange":         about(s, foldingRange),
		"textDocument/selectionRange":       about(s, selectionRange),
		"textDocument/semanticTokens/full":  about(s, semanticTokensFull),
		"textDocument/semanticTokens/range": about(s, semanticTokensRange),
		"textDocument/formatting":           about(s, formatting),
		"textDocument/inlayHint":            about(s, inlayHint),
		"textDocument/codeAction":           about(s, codeAction),
		"textDocument/documentLink":         about(s, documentLink),
		"textDocument/diagnostic":           about(s, documentDiagnostic),
		"textDocument/codeLens":             about(s, codeLens),
		"completionItem/resolve":            s.resolveCompletion,
		"workspace/executeCommand":          s.executeCommand,
		"workspace/textDocumentContent":     s.textDocumentContent,
		"workspace/symbol":                  s.workspaceSymbol,
	}
}

// query is a request about a document.
type query struct {
	*session.Snapshot
	server *Server
}

// Loaded waits for the configuration. What asks for it needs the outline too, which is made meanwhile.
func (q *query) Loaded(ctx context.Context) (*session.Loaded, error) {
	if q.Document != nil {
		q.Document.Outline()
	}
	return q.Snapshot.Loaded(ctx)
}

// offset is the byte offset of a position of the document.
func (q *query) offset(p protocol.Position) int { return q.Document.Mapper.Offset(p) }

// about makes a method of a function that answers a request about a document. The state of the document is that at which
// the request came.
func about[P, R any](s *Server, answer func(context.Context, *query, *P) (R, error)) method {
	return func(raw json.RawMessage) (wire.Work, error) {
		var subject struct {
			TextDocument *struct {
				URI *protocol.DocumentURI `json:"uri"`
			} `json:"textDocument"`
		}
		if err := decode(raw, &subject); err != nil {
			return nil, err
		}
		if subject.TextDocument == nil || subject.TextDocument.URI == nil {
			return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, "the parameters name no document")
		}
		params := new(P)
		if err := decode(raw, params); err != nil {
			return nil, err
		}
		snapshot, err := s.session.Snapshot(*subject.TextDocument.URI)
		if errors.Is(err, session.ErrNotOpen) {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v: %s", err, *subject.TextDocument.URI)
		}
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) (any, error) {
			return answer(ctx, &query{Snapshot: snapshot, server: s}, params)
		}, nil
	}
}

// decode reads parameters, of which every method that calls it needs some.
func decode(raw json.RawMessage, into any) error {
	if len(raw) == 0 || string(raw) == "null" {
		return jsonrpc2.NewError(jsonrpc2.InvalidParams, "the parameters are missing")
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the parameters are not as the method needs them: %v", err)
	}
	return nil
}
