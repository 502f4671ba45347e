package server

import (
	"encoding/json"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/text"
)

// client is what a client says it can do, as far as it matters.
type client struct {
	encoding                                                            text.Encoding
	markdownHover, markdownDocs, snippets, hierarchy, versionedEdits    bool
	watchesFiles, refreshesHints, refreshesDiagnostics, reportsProgress bool
	refreshesLenses, prefersPull                                        bool
	// startsRuns says that the client has the command "memplan.run", resolvesDocs that it asks for documentation of the
	// items of a completion when it shows them.
	startsRuns, resolvesDocs bool
	// opensBuiltins says that the client asks for the texts of builtin modules.
	opensBuiltins bool
}

// capabilities are the parts of the initialize parameters that matter. The library's own type lacks those of LSP 3.17.
type capabilities struct {
	General struct {
		PositionEncodings []string `json:"positionEncodings"`
	} `json:"general"`
	TextDocument struct {
		Hover struct {
			ContentFormat []string `json:"contentFormat"`
		} `json:"hover"`
		Completion struct {
			CompletionItem struct {
				SnippetSupport      bool     `json:"snippetSupport"`
				DocumentationFormat []string `json:"documentationFormat"`
				ResolveSupport      struct {
					Properties []string `json:"properties"`
				} `json:"resolveSupport"`
			} `json:"completionItem"`
		} `json:"completion"`
		DocumentSymbol struct {
			Hierarchical bool `json:"hierarchicalDocumentSymbolSupport"`
		} `json:"documentSymbol"`
	} `json:"textDocument"`
	Workspace struct {
		WorkspaceEdit struct {
			DocumentChanges bool `json:"documentChanges"`
		} `json:"workspaceEdit"`
		DidChangeWatchedFiles struct {
			DynamicRegistration bool `json:"dynamicRegistration"`
		} `json:"didChangeWatchedFiles"`
		InlayHint   refreshes `json:"inlayHint"`
		Diagnostics refreshes `json:"diagnostics"`
		CodeLens    refreshes `json:"codeLens"`
		// TextDocumentContent is of LSP 3.18.
		TextDocumentContent *struct{} `json:"textDocumentContent"`
	} `json:"workspace"`
	Window struct {
		WorkDoneProgress bool `json:"workDoneProgress"`
	} `json:"window"`
}

type refreshes struct {
	RefreshSupport bool `json:"refreshSupport"`
}

// readClient reads what a client can do. What has an unexpected type counts as left out: a client must not be refused for
// what the server does not need.
func readClient(raw json.RawMessage) client {
	var params struct {
		Capabilities          capabilities `json:"capabilities"`
		InitializationOptions struct {
			PullDiagnostics bool `json:"pullDiagnostics"`
			StartsRuns      bool `json:"startsRuns"`
			OpensBuiltins   bool `json:"opensBuiltins"`
		} `json:"initializationOptions"`
	}
	// Decoding goes on after a value of the wrong type.
	_ = json.Unmarshal(raw, &params)
	c := &params.Capabilities
	out := client{
		markdownHover: offers(c.TextDocument.Hover.ContentFormat, protocol.Markdown), markdownDocs: offers(c.TextDocument.Completion.CompletionItem.DocumentationFormat, protocol.Markdown),
		snippets: c.TextDocument.Completion.CompletionItem.SnippetSupport, hierarchy: c.TextDocument.DocumentSymbol.Hierarchical,
		versionedEdits: c.Workspace.WorkspaceEdit.DocumentChanges, watchesFiles: c.Workspace.DidChangeWatchedFiles.DynamicRegistration,
		refreshesHints: c.Workspace.InlayHint.RefreshSupport, refreshesDiagnostics: c.Workspace.Diagnostics.RefreshSupport,
		refreshesLenses: c.Workspace.CodeLens.RefreshSupport, reportsProgress: c.Window.WorkDoneProgress,
		prefersPull: params.InitializationOptions.PullDiagnostics, startsRuns: params.InitializationOptions.StartsRuns,
		opensBuiltins: params.InitializationOptions.OpensBuiltins || c.Workspace.TextDocumentContent != nil,
		resolvesDocs:  slices.Contains(c.TextDocument.Completion.CompletionItem.ResolveSupport.Properties, "documentation"),
	}
	if slices.Contains(c.General.PositionEncodings, text.UTF8.String()) {
		out.encoding = text.UTF8
	}
	return out
}

// offers reports whether a client takes a format. One that says nothing about formats takes plain text.
func offers(formats []string, format protocol.MarkupKind) bool {
	return slices.Contains(formats, string(format))
}
