package server_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/lang/schema"
)

var update = flag.Bool("update", false, "rewrite the transcripts")

// A transcript is an archive of files, in which «name» marks a place, and of one file "transcript": lines that begin with
// "> " are commands, the lines after each are what it must give. Files of configurations are open, the others on disk.
func TestTranscripts(t *testing.T) {
	archives, err := filepath.Glob("testdata/*/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, archives)
	for _, name := range archives {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(name), "testdata/"), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			require.NoError(t, err)
			last := &archive.Files[len(archive.Files)-1]
			require.Equal(t, "transcript", last.Name)
			got := perform(t, archive, string(last.Data))
			if *update {
				last.Data = []byte(got)
				require.NoError(t, os.WriteFile(name, txtar.Format(archive), 0o644))
				return
			}
			require.Equal(t, string(last.Data), got)
		})
	}
}

// stage is an editor with the files of an archive.
type stage struct {
	*editor
	texts map[string]string
	marks map[string]mark
}

type mark struct {
	file string
	at   protocol.Position
	// end is where a selection ends that begins here; the zero value when nothing is selected.
	end protocol.Position
}

func perform(t *testing.T, archive *txtar.Archive, script string) string {
	capabilities := everything
	if strings.Contains(string(archive.Comment), "no capabilities") {
		capabilities = "{}"
	}
	s := &stage{editor: start(t, capabilities), texts: map[string]string{}, marks: map[string]mark{}}
	for _, f := range archive.Files[:len(archive.Files)-1] {
		text, marks := marked(t, string(f.Data))
		if strings.Contains(string(archive.Comment), "CRLF") {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		for name, at := range marks {
			s.marks[name] = mark{file: f.Name, at: at}
		}
		s.texts[f.Name] = text
		s.write(f.Name, text)
	}
	for _, name := range s.names() {
		if strings.HasSuffix(name, ".hcl") && !strings.Contains(name, "/") {
			s.open(name, s.texts[name])
		}
	}
	if strings.Contains(string(archive.Comment), "planned") {
		s.await()
	}
	var out strings.Builder
	for line := range strings.Lines(script) {
		if command, ok := strings.CutPrefix(line, "> "); ok {
			out.WriteString(line)
			out.WriteString(s.run(strings.Fields(command)))
		}
	}
	return out.String()
}

func (s *stage) names() []string {
	var names []string
	for name := range s.texts {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// await waits until some file shows the plan.
func (s *stage) await() {
	for begun := time.Now(); time.Since(begun) < patience; time.Sleep(5 * time.Millisecond) {
		for _, name := range s.names() {
			if strings.HasSuffix(name, ".hcl") && !strings.Contains(name, "/") && len(s.hints(name)) > 0 && strings.Contains(fmt.Sprint(s.hints(name)), "peak") {
				return
			}
		}
	}
	s.t.Fatalf("there is no plan: %+v", s.published)
}

// run performs a command: a method and the marks or words that it needs.
func (s *stage) run(command []string) string {
	s.t.Helper()
	m, marked := s.marks[command[len(command)-1]]
	if len(command) > 2 && !marked {
		m = s.marks[command[1]]
	}
	if m.file == "" {
		m.file = command[len(command)-1]
	}
	if len(command) == 3 && command[0] == "actions" {
		// From one mark to another.
		m = s.marks[command[1]]
		m.end = s.marks[command[2]].at
	}
	switch command[0] {
	case "hover":
		return s.hover(m)
	case "completion":
		return s.completion(m)
	case "definition", "declaration", "references":
		return s.locations(command[0], m)
	case "highlight":
		return s.highlights(m)
	case "prepareRename":
		r := s.call("textDocument/prepareRename", s.at(m.file, m.at))
		return s.plain(r)
	case "rename":
		params := s.at(m.file, s.marks[command[1]].at)
		params["newName"] = command[2]
		return s.edits(s.call("textDocument/rename", params))
	case "symbols":
		return s.symbols(m.file)
	case "workspaceSymbol":
		var found []protocol.SymbolInformation
		s.request("workspace/symbol", map[string]any{"query": command[1]}, &found)
		out := ""
		for _, f := range found {
			out += f.Name + " " + s.where(f.Location) + "\n"
		}
		return out
	case "folding":
		var folds []protocol.FoldingRange
		s.request("textDocument/foldingRange", s.about(m.file), &folds)
		out := ""
		for _, f := range folds {
			out += fmt.Sprintf("%d-%d %s\n", f.StartLine, f.EndLine, f.Kind)
		}
		return strings.ReplaceAll(out, " \n", "\n")
	case "selection":
		return s.selection(m)
	case "tokens":
		return s.tokens(m.file)
	case "format":
		return s.format(m.file)
	case "hints":
		return strings.Join(s.hints(m.file), "\n") + "\n"
	case "actions":
		return s.actions(m)
	case "links":
		var links []protocol.DocumentLink
		s.request("textDocument/documentLink", s.about(m.file), &links)
		out := ""
		for _, l := range links {
			out += s.textAt(m.file, l.Range) + " -> " + s.short(string(l.Target)) + "\n"
		}
		return out
	case "signature":
		return s.plain(s.call("textDocument/signatureHelp", s.at(m.file, m.at)))
	case "diagnostics":
		return s.diagnostics(m.file)
	case "await":
		for _, name := range []string{"a.hcl", "b.hcl"} {
			s.latest(name, func(p publication) bool { return len(p.Diagnostics) > 0 })
		}
		return ""
	case "lens":
		return s.lenses(m.file)
	case "resolve":
		return s.resolve(s.marks[command[1]], command[2])
	case "command":
		return s.command(command[1], command[2], command[3:])
	case "content":
		return s.content(command[1])
	}
	s.t.Fatalf("there is no command %v", command)
	return ""
}

func (s *stage) plain(r reply) string {
	if r.Error != nil {
		return fmt.Sprintf("error %d: %s\n", r.Error.Code, s.shortAll(r.Error.Message))
	}
	return string(r.Result) + "\n"
}

// shortAll takes the editor's directory out of a text.
func (s *stage) shortAll(text string) string { return strings.ReplaceAll(text, s.uri("")+"/", "") }

func (s *stage) short(uri string) string { return strings.TrimPrefix(uri, s.uri("")+"/") }

func (s *stage) where(l protocol.Location) string {
	name := s.short(string(l.URI))
	return fmt.Sprintf("%s:%s %s", name, position(l.Range.Start), s.textAt(name, l.Range))
}

func position(p protocol.Position) string { return fmt.Sprintf("%d:%d", p.Line, p.Character) }

// textAt is the first line of the text in a range, in quotes.
func (s *stage) textAt(name string, r protocol.Range) string {
	text, ok := s.texts[name]
	if !ok {
		return "?"
	}
	first, more, _ := strings.Cut(slice(text, r), "\n")
	if more != "" {
		first += "..."
	}
	return fmt.Sprintf("%q", first)
}

// slice cuts a range out of a text, counting as the protocol does, independently of the server.
func slice(text string, r protocol.Range) string {
	start, end := offsetOf(text, r.Start), offsetOf(text, r.End)
	if start > end {
		return fmt.Sprintf("BACKWARDS %v", r)
	}
	return text[start:end]
}

func offsetOf(text string, p protocol.Position) int {
	line, column := uint32(0), uint32(0)
	for i, r := range text {
		if line == p.Line && column >= p.Character {
			return i
		}
		switch {
		case r == '\n':
			if line == p.Line {
				return i
			}
			line, column = line+1, 0
		case r >= 0x10000:
			column += 2
		default:
			column++
		}
	}
	return len(text)
}

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
