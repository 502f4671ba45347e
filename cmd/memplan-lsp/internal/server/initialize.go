package server

import (
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/session"
)

// serverCapabilities adds what LSP 3.17 has and the library has not.
type serverCapabilities struct {
	protocol.ServerCapabilities
	PositionEncoding   string `json:"positionEncoding"`
	InlayHintProvider  bool   `json:"inlayHintProvider"`
	DiagnosticProvider any    `json:"diagnosticProvider,omitempty"`
	// Workspace takes the place of the library's.
	Workspace workspaceCapabilities `json:"workspace"`
}

// workspaceCapabilities adds what LSP 3.18 has.
type workspaceCapabilities struct {
	WorkspaceFolders    *protocol.ServerCapabilitiesWorkspaceFolders `json:"workspaceFolders"`
	TextDocumentContent contentOptions                               `json:"textDocumentContent"`
}

type contentOptions struct {
	Schemes []string `json:"schemes"`
}

type initializeResult struct {
	Capabilities serverCapabilities  `json:"capabilities"`
	ServerInfo   protocol.ServerInfo `json:"serverInfo"`
}

// semanticTokensOptions are the library's with the fields that it lacks.
type semanticTokensOptions struct {
	Legend protocol.SemanticTokensLegend `json:"legend"`
	Range  bool                          `json:"range"`
	Full   bool                          `json:"full"`
}

type diagnosticOptions struct {
	Identifier            string `json:"identifier"`
	InterFileDependencies bool   `json:"interFileDependencies"`
	WorkspaceDiagnostics  bool   `json:"workspaceDiagnostics"`
}

// initialize begins the session.
func (s *Server) initialize(raw json.RawMessage) (any, error) {
	if s.session != nil {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server is initialized already")
	}
	var object map[string]json.RawMessage
	if err := decode(raw, &object); err != nil {
		return nil, err
	}
	s.client = readClient(raw)
	s.session = session.New(s.ctx, session.Options{
		Encoding: s.client.encoding, Environment: s.options.Environment, Version: s.options.Version, Debounce: s.options.Debounce,
		Publish: s.publish, Replanned: s.replanned, Planning: s.planning, Log: s.options.Log,
	})
	return initializeResult{Capabilities: s.capabilities(), ServerInfo: protocol.ServerInfo{Name: "memplan-lsp", Version: s.options.Version}}, nil
}

func (s *Server) capabilities() serverCapabilities {
	out := serverCapabilities{PositionEncoding: s.client.encoding.String(), InlayHintProvider: true}
	out.Workspace = workspaceCapabilities{
		WorkspaceFolders:    &protocol.ServerCapabilitiesWorkspaceFolders{Supported: true},
		TextDocumentContent: contentOptions{Schemes: []string{session.BuiltinScheme}},
	}
	if s.client.prefersPull {
		out.DiagnosticProvider = diagnosticOptions{Identifier: session.Source, InterFileDependencies: true}
	}
	out.ServerCapabilities = protocol.ServerCapabilities{
		TextDocumentSync:           &protocol.TextDocumentSyncOptions{OpenClose: true, Change: protocol.TextDocumentSyncKindIncremental, Save: &protocol.SaveOptions{}},
		CompletionProvider:         &protocol.CompletionOptions{TriggerCharacters: []string{".", "\"", "/"}, ResolveProvider: true},
		SignatureHelpProvider:      &protocol.SignatureHelpOptions{TriggerCharacters: []string{"(", ","}},
		HoverProvider:              true,
		DefinitionProvider:         true,
		DeclarationProvider:        true,
		ReferencesProvider:         true,
		DocumentHighlightProvider:  true,
		DocumentSymbolProvider:     true,
		WorkspaceSymbolProvider:    true,
		FoldingRangeProvider:       true,
		SelectionRangeProvider:     true,
		DocumentFormattingProvider: true,
		RenameProvider:             &protocol.RenameOptions{PrepareProvider: true},
		CodeActionProvider:         &protocol.CodeActionOptions{CodeActionKinds: []protocol.CodeActionKind{protocol.QuickFix, protocol.RefactorExtract, protocol.RefactorRewrite, fixAll}},
		CodeLensProvider:           &protocol.CodeLensOptions{},
		ExecuteCommandProvider:     &protocol.ExecuteCommandOptions{Commands: commandNames()},
		DocumentLinkProvider:       &protocol.DocumentLinkOptions{},
		SemanticTokensProvider:     semanticTokensOptions{Legend: legend(), Range: true, Full: true},
	}
	return out
}
