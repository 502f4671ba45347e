package server_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/lang/schema"
)

func (s *stage) hover(m mark) string {
	var h *protocol.Hover
	s.request("textDocument/hover", s.at(m.file, m.at), &h)
	if h == nil {
		return "nothing\n"
	}
	return s.textAt(m.file, *h.Range) + "\n" + documentation().Replace(strings.TrimSpace(h.Contents.Value)) + "\n"
}

// documentation takes the texts of the language's own reference out of a transcript: they are not the server's.
func documentation() *strings.Replacer {
	var docs []string
	var walk func(b *schema.Block)
	walk = func(b *schema.Block) {
		docs = append(docs, b.Doc, "(documentation)")
		for i := range b.Attributes {
			docs = append(docs, b.Attributes[i].Doc, "(documentation)")
		}
		for i := range b.Blocks {
			walk(&b.Blocks[i])
		}
	}
	walk(schema.Root())
	return strings.NewReplacer(docs...)
}

// mostShown bounds the items of a completion that a transcript shows.
const mostShown = 14

func (s *stage) completion(m mark) string {
	var list protocol.CompletionList
	s.request("textDocument/completion", s.at(m.file, m.at), &list)
	out := ""
	for i, item := range list.Items {
		if i == mostShown {
			out += "more\n"
			break
		}
		out += fmt.Sprintf("%s | %s | %s <- %q\n", item.Label, item.Detail, s.textAt(m.file, item.TextEdit.Range), item.TextEdit.NewText)
	}
	return out
}

func (s *stage) locations(method string, m mark) string {
	params := s.at(m.file, m.at)
	params["context"] = map[string]any{"includeDeclaration": true}
	var found []protocol.Location
	s.request("textDocument/"+method, params, &found)
	out := ""
	for _, l := range found {
		out += s.where(l) + "\n"
	}
	return out
}

func (s *stage) highlights(m mark) string {
	var found []protocol.DocumentHighlight
	s.request("textDocument/documentHighlight", s.at(m.file, m.at), &found)
	out := ""
	for _, h := range found {
		out += fmt.Sprintf("%s %s %v\n", position(h.Range.Start), s.textAt(m.file, h.Range), h.Kind)
	}
	return out
}

// edits shows a workspace edit in either form.
func (s *stage) edits(r reply) string {
	if r.Error != nil {
		return s.plain(r)
	}
	var edit struct {
		Changes         map[string][]protocol.TextEdit
		DocumentChanges []struct {
			TextDocument struct {
				URI     string
				Version *int
			}
			Edits []protocol.TextEdit
		}
	}
	require.NoError(s.t, json.Unmarshal(r.Result, &edit))
	out := ""
	show := func(uri string, edits []protocol.TextEdit) {
		for _, e := range edits {
			out += fmt.Sprintf("%s:%s %s -> %q\n", s.short(uri), position(e.Range.Start), s.textAt(s.short(uri), e.Range), e.NewText)
		}
	}
	for _, c := range edit.DocumentChanges {
		show(c.TextDocument.URI, c.Edits)
	}
	uris := make([]string, 0, len(edit.Changes))
	for uri := range edit.Changes {
		uris = append(uris, uri)
	}
	slices.Sort(uris)
	for _, uri := range uris {
		show(uri, edit.Changes[uri])
	}
	return out
}

func (s *stage) symbols(file string) string {
	var tree []protocol.DocumentSymbol
	s.request("textDocument/documentSymbol", s.about(file), &tree)
	out := ""
	var walk func(tree []protocol.DocumentSymbol, indent string)
	walk = func(tree []protocol.DocumentSymbol, indent string) {
		for _, d := range tree {
			out += fmt.Sprintf("%s%s %s %v %s\n", indent, d.Name, d.Detail, d.Kind, s.textAt(file, d.SelectionRange))
			walk(d.Children, indent+"  ")
		}
	}
	walk(tree, "")
	return out
}

func (s *stage) selection(m mark) string {
	params := s.about(m.file)
	params["positions"] = []protocol.Position{m.at}
	var chains []protocol.SelectionRange
	s.request("textDocument/selectionRange", params, &chains)
	out := ""
	for c := &chains[0]; c != nil; c = c.Parent {
		out += s.textAt(m.file, c.Range) + "\n"
	}
	return out
}

func (s *stage) tokens(file string) string {
	var tokens protocol.SemanticTokens
	s.request("textDocument/semanticTokens/full", s.about(file), &tokens)
	kinds := []string{"keyword", "property", "namespace", "variable", "class", "function", "string", "number", "comment", "operator", "enumMember"}
	out := ""
	var at protocol.Position
	for d := tokens.Data; len(d) > 0; d = d[5:] {
		if d[0] > 0 {
			at.Character = 0
		}
		at.Line, at.Character = at.Line+d[0], at.Character+d[1]
		out += fmt.Sprintf("%s %s\n", s.textAt(file, protocol.Range{Start: at, End: protocol.Position{Line: at.Line, Character: at.Character + d[2]}}), kinds[d[3]])
	}
	return out
}

func (s *stage) format(file string) string {
	params := s.about(file)
	params["options"] = map[string]any{"tabSize": 2, "insertSpaces": true}
	var edits []protocol.TextEdit
	s.request("textDocument/formatting", params, &edits)
	out := ""
	for _, e := range edits {
		out += fmt.Sprintf("%s %s -> %q\n", position(e.Range.Start), s.textAt(file, e.Range), e.NewText)
	}
	return out
}

func (s *stage) hints(file string) []string {
	params := s.about(file)
	params["range"] = protocol.Range{End: protocol.Position{Line: 1 << 20}}
	var hints []struct {
		Position protocol.Position
		Label    string
	}
	s.request("textDocument/inlayHint", params, &hints)
	out := []string{}
	for _, h := range hints {
		out = append(out, position(h.Position)+" "+h.Label)
	}
	return out
}

func (s *stage) actions(m mark) string {
	params := s.about(m.file)
	at := protocol.Range{Start: m.at, End: m.end}
	if m.end == (protocol.Position{}) {
		at.End = m.at
	}
	params["range"] = at
	params["context"] = map[string]any{"diagnostics": []any{}}
	var actions []struct {
		Title string
		Edit  json.RawMessage
	}
	s.request("textDocument/codeAction", params, &actions)
	out := ""
	for _, a := range actions {
		out += a.Title + "\n  " + s.edits(reply{Result: a.Edit})
	}
	return out
}

func (s *stage) lenses(file string) string {
	var lenses []protocol.CodeLens
	s.request("textDocument/codeLens", s.about(file), &lenses)
	out := ""
	for _, l := range lenses {
		arguments, err := json.Marshal(l.Command.Arguments[0])
		require.NoError(s.t, err)
		out += fmt.Sprintf("%s %s | %s | %s\n", s.textAt(file, l.Range), l.Command.Title, l.Command.Command, s.shortAll(string(arguments)))
	}
	return out
}

func (s *stage) resolve(m mark, label string) string {
	var list struct{ Items []map[string]any }
	s.request("textDocument/completion", s.at(m.file, m.at), &list)
	for _, item := range list.Items {
		if item["label"] != label {
			continue
		}
		require.Nil(s.t, item["documentation"], "it is told when it is asked for")
		var resolved protocol.CompletionItem
		s.request("completionItem/resolve", item, &resolved)
		docs, err := json.Marshal(resolved.Documentation)
		require.NoError(s.t, err)
		return string(docs) + "\n"
	}
	return "nothing\n"
}

// command performs a command of the server about a file; the words after it are fields of its argument, as in pool=p.
func (s *stage) command(name, file string, fields []string) string {
	argument := map[string]any{"uri": s.uri(file)}
	for _, field := range fields {
		key, value, _ := strings.Cut(field, "=")
		argument[key] = value
	}
	r := s.call("workspace/executeCommand", map[string]any{"command": name, "arguments": []any{argument}})
	if r.Error == nil && strings.HasPrefix(string(r.Result), `"\u003csvg `) {
		return fmt.Sprintf("a picture with %d tensors\n", strings.Count(string(r.Result), "\\u003ctitle\\u003e"))
	}
	return s.plain(r)
}

func (s *stage) content(uri string) string {
	var content struct{ Text string }
	s.request("workspace/textDocumentContent", map[string]any{"uri": uri}, &content)
	first, _, _ := strings.Cut(content.Text, "\n")
	return first + "\n"
}

func (s *stage) diagnostics(file string) string {
	var report struct{ Items []protocol.Diagnostic }
	s.request("textDocument/diagnostic", s.about(file), &report)
	out := ""
	for _, d := range report.Items {
		out += fmt.Sprintf("%v %s %s %s\n", d.Code, position(d.Range.Start), s.textAt(file, d.Range), d.Message)
	}
	return out
}

func (s *stage) found(query string) string {
	var found []protocol.SymbolInformation
	s.request("workspace/symbol", map[string]any{"query": query}, &found)
	out := ""
	for _, f := range found {
		out += f.Name + " " + s.where(f.Location) + "\n"
	}
	return out
}

func (s *stage) folds(file string) string {
	var folds []protocol.FoldingRange
	s.request("textDocument/foldingRange", s.about(file), &folds)
	out := ""
	for _, f := range folds {
		out += fmt.Sprintf("%d-%d %s\n", f.StartLine, f.EndLine, f.Kind)
	}
	return strings.ReplaceAll(out, " \n", "\n")
}

func (s *stage) links(file string) string {
	var links []protocol.DocumentLink
	s.request("textDocument/documentLink", s.about(file), &links)
	out := ""
	for _, l := range links {
		out += s.textAt(file, l.Range) + " -> " + s.short(string(l.Target)) + "\n"
	}
	return out
}
