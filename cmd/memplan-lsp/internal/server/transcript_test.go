package server_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/protocol"
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
		return s.found(command[1])
	case "folding":
		return s.folds(m.file)
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
		return s.links(m.file)
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
