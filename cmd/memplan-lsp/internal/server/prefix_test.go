package server_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.lsp.dev/protocol"
)

// texts are the configurations that half-typed text is taken from.
func texts(t testing.TB) []string {
	var all []string
	for _, pattern := range []string{"../../../../examples/*/*.hcl", "../../../../lang/builtin/*.hcl"} {
		names, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, name := range names {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			all = append(all, string(text))
		}
	}
	require.NotEmpty(t, all)
	return append(all, "\ufeffpool \"😀\" {\r\n  device = device.d # 👩‍👩‍👧\r\n  size = \"${var.x}é\"\r\n}\r\n")
}

// positioned are the requests about a position, whole those about a document.
var (
	positioned = []string{"hover", "completion", "definition", "references", "documentHighlight", "prepareRename", "signatureHelp"}
	whole      = []string{"documentSymbol", "foldingRange", "semanticTokens/full", "formatting", "inlayHint", "documentLink", "codeAction", "codeLens", "diagnostic"}
)

// ask sends every request about a position and about the document; all must succeed and every range must lie in the text.
func (e *editor) ask(name, text string, offset int) {
	e.t.Helper()
	at := protocolPosition(text, offset)
	for _, method := range positioned {
		params := e.at(name, at)
		params["context"] = map[string]any{"includeDeclaration": true}
		e.answered(method, params, text)
	}
	params := e.at(name, at)
	params["newName"] = "renamed"
	if r := e.call("textDocument/rename", params); r.Error != nil && r.Error.Code != -32602 {
		e.t.Fatalf("rename: %+v", r.Error)
	}
	for _, method := range whole {
		params := e.about(name)
		params["range"] = protocol.Range{End: at}
		params["context"] = map[string]any{"diagnostics": []any{}}
		params["options"] = map[string]any{}
		e.answered(method, params, text)
	}
	params = e.about(name)
	params["positions"] = []protocol.Position{at, {Line: 1 << 30, Character: 1 << 31}}
	e.answered("selectionRange", params, text)
}

func (e *editor) answered(method string, params any, text string) {
	e.t.Helper()
	r := e.call("textDocument/"+method, params)
	if r.Error != nil {
		e.t.Fatalf("%s in %q: %+v", method, text, r.Error)
	}
	if strings.Contains(string(r.Result), "4294967295") {
		e.t.Fatalf("%s in %q: %s", method, text, r.Result)
	}
}

// protocolPosition counts independently of the server. The offset is that of a character.
func protocolPosition(text string, offset int) protocol.Position {
	line := strings.Count(text[:offset], "\n")
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	character := 0
	for _, r := range text[start:offset] {
		character++
		if r >= 0x10000 {
			character++
		}
	}
	return protocol.Position{Line: uint32(line), Character: uint32(character)}
}

func TestEveryRequestIsAnsweredInHalfTypedText(t *testing.T) {
	e := start(t, everything)
	for i, text := range texts(t) {
		name := fmt.Sprintf("f%d.hcl", i)
		e.open(name, "")
		for end := 0; end <= len(text); end += 1 + len(text)/16 {
			prefix := strings.ToValidUTF8(text[:end], "")
			e.change(name, prefix)
			e.ask(name, prefix, len(prefix))
		}
		e.change(name, text)
		for offset := range text {
			if offset%(1+len(text)/24) == 0 {
				e.ask(name, text, offset)
			}
		}
		e.close(name)
	}
}

func TestHostileDocuments(t *testing.T) {
	e := start(t, everything)
	for name, text := range map[string]string{
		"empty.hcl":    "",
		"nul.hcl":      "a = \"\x00\"\n",
		"cr.hcl":       "a = 1\rb = 2\r",
		"bom.hcl":      "\ufeffdevice \"d\" {\n}\n",
		"deep.hcl":     "a = " + strings.Repeat("[", 20_000),
		"blocks.hcl":   strings.Repeat("a {\n", 20_000),
		"quotes.hcl":   "a = " + strings.Repeat(`"${`, 20_000),
		"unclosed.hcl": strings.Repeat("a = \"\n", 5_000),
		"large.hcl":    strings.Repeat("# padding 😀\n", 350_000),
		"larger.hcl":   strings.Repeat("# padding 😀\n", 400_000),
		"long.hcl":     "a = \"" + strings.Repeat("é", 200_000) + "\"\n",
	} {
		e.open(name, text)
		e.open(name, text)
		e.ask(name, text, 0)
		e.close(name)
	}
}

func FuzzRequests(f *testing.F) {
	for _, text := range texts(f) {
		f.Add([]byte(text), 100)
	}
	f.Fuzz(func(t *testing.T, src []byte, offset int) {
		if len(src) > 10_000 || bytes.IndexByte(src, 0) >= 0 {
			return
		}
		text := strings.ToValidUTF8(string(src), "?")
		e := start(t, everything)
		e.open("a.hcl", text)
		e.ask("a.hcl", text, max(0, min(offset, len(text))))
	})
}
