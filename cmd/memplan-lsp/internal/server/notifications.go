package server

import (
	"context"
	"encoding/json"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/text"
)

// notifications lists those that are handled; others are none of the server's business.
func (s *Server) notifications() map[string]func(json.RawMessage) error {
	return map[string]func(json.RawMessage) error{
		"initialized":                     s.ready,
		"textDocument/didOpen":            s.didOpen,
		"textDocument/didChange":          s.didChange,
		"textDocument/didClose":           s.didClose,
		"textDocument/didSave":            s.didSave,
		"workspace/didChangeWatchedFiles": s.didChangeWatchedFiles,
	}
}

func (s *Server) didOpen(raw json.RawMessage) error {
	var p protocol.DidOpenTextDocumentParams
	if err := decode(raw, &p); err != nil {
		return err
	}
	if p.TextDocument.URI == "" {
		return jsonrpc2.NewError(jsonrpc2.InvalidParams, "the parameters name no document")
	}
	s.session.Open(p.TextDocument.URI, p.TextDocument.Version, p.TextDocument.Text)
	return nil
}

func (s *Server) didChange(raw json.RawMessage) error {
	var p struct {
		TextDocument protocol.VersionedTextDocumentIdentifier `json:"textDocument"`
		Changes      []text.Change                            `json:"contentChanges"`
	}
	if err := decode(raw, &p); err != nil {
		return err
	}
	return s.session.Change(p.TextDocument.URI, p.TextDocument.Version, p.Changes)
}

func (s *Server) didClose(raw json.RawMessage) error {
	var p protocol.DidCloseTextDocumentParams
	if err := decode(raw, &p); err != nil {
		return err
	}
	return s.session.Close(p.TextDocument.URI)
}

// didSave looks at the disk again: what is saved may be what another configuration reads.
func (s *Server) didSave(raw json.RawMessage) error {
	var p protocol.DidSaveTextDocumentParams
	if err := decode(raw, &p); err != nil {
		return err
	}
	s.session.FilesChanged([]protocol.DocumentURI{p.TextDocument.URI})
	return nil
}

func (s *Server) didChangeWatchedFiles(raw json.RawMessage) error {
	var p protocol.DidChangeWatchedFilesParams
	if err := decode(raw, &p); err != nil {
		return err
	}
	uris := make([]protocol.DocumentURI, 0, len(p.Changes))
	for _, change := range p.Changes {
		uris = append(uris, change.URI)
	}
	s.session.FilesChanged(uris)
	return nil
}

// watched are the files whose changes matter: configurations, and the graphs that they name.
var watched = []string{"**/*.hcl", "**/*.{onnx,tflite,json,csv,params}"}

// ready has the client watch files, when it can.
func (s *Server) ready(json.RawMessage) error {
	if s.initialized || !s.client.watchesFiles {
		return nil
	}
	s.initialized = true
	options := protocol.DidChangeWatchedFilesRegistrationOptions{}
	for _, glob := range watched {
		options.Watchers = append(options.Watchers, protocol.FileSystemWatcher{GlobPattern: glob})
	}
	params := protocol.RegistrationParams{Registrations: []protocol.Registration{
		{ID: "watched-files", Method: "workspace/didChangeWatchedFiles", RegisterOptions: options},
	}}
	go s.ask("client/registerCapability", params)
	return nil
}

// askFor is how long a client may take to answer.
const askFor = 30 * time.Second

// ask sends a request whose answer does not matter.
func (s *Server) ask(method string, params any) {
	ctx, cancel := context.WithTimeout(s.ctx, askFor)
	defer cancel()
	if _, err := s.conn.Call(ctx, method, params); err != nil {
		s.options.Log.Info("the client did not do as asked", "method", method, "error", err)
	}
}
