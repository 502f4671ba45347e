package server_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Requests about documents in every form that clients send, in one session: none of them ends it, and each has its answer.
func TestWireOfDocuments(t *testing.T) {
	const text = `device \"d\" {\n}\npool \"😀é\" {\n}\npool \"p\" {\n  device = device.d # 😀\n  size   = kib(\n}\n`
	at := func(line, character string) string {
		return fmt.Sprintf(`{"textDocument":{"uri":"untitled:a"},"position":{"line":%s,"character":%s}}`, line, character)
	}
	with := func(more string) string { return `{"textDocument":{"uri":"untitled:a"}` + more + `}` }
	const span = `{"start":{"line":0,"character":0},"end":{"line":9999,"character":0}}`
	const anywhere = `"result":`
	cases := []struct{ name, method, params, says string }{
		{"a line beyond the last", "textDocument/hover", at("2147483647", "0"), `"result":null`},
		{"a character beyond the line's end", "textDocument/hover", at("0", "2147483647"), anywhere},
		{"a character within an emoji", "textDocument/hover", at("2", "7"), anywhere},
		{"a line beyond 32 bits", "textDocument/hover", at("4294967296", "0"), "-32602"},
		{"a line that is no whole number", "textDocument/hover", at("0.5", "0"), "-32602"},
		{"a line that is text", "textDocument/hover", at(`"0"`, "0"), "-32602"},
		{"a position that is null counts as the start", "textDocument/hover", with(`,"position":null`), anywhere},
		{"no position counts as the start", "textDocument/hover", with(``), anywhere},
		{"a document that is null", "textDocument/hover", `{"textDocument":null,"position":{"line":0,"character":0}}`, "-32602"},
		{"a document without a URI", "textDocument/hover", `{"textDocument":{},"position":{"line":0,"character":0}}`, "-32602"},
		{"a URI that is a number", "textDocument/hover", `{"textDocument":{"uri":5},"position":{"line":0,"character":0}}`, "-32602"},
		{"a URI that is empty", "textDocument/hover", `{"textDocument":{"uri":""},"position":{"line":0,"character":0}}`, "-32602"},
		{"a URI without a scheme", "textDocument/hover", `{"textDocument":{"uri":"a.hcl"},"position":{"line":0,"character":0}}`, "-32602"},
		{"a URI with a broken escape", "textDocument/hover", `{"textDocument":{"uri":"file:///%zz"},"position":{"line":0,"character":0}}`, "-32602"},
		{"a URI of another scheme", "textDocument/hover", `{"textDocument":{"uri":"vscode-remote://x/a"},"position":{"line":0,"character":0}}`, "-32602"},
		{"a URI of a directory", "textDocument/documentSymbol", `{"textDocument":{"uri":"file:///"}}`, "-32602"},
		{"parameters that are null", "textDocument/hover", `null`, "-32602"},
		{"parameters that are text", "textDocument/hover", `"x"`, "-32602"},
		{"parameters with tokens of progress", "textDocument/hover", with(`,"position":{"line":0,"character":0},"workDoneToken":"a","partialResultToken":7`), anywhere},
		{"members of later versions", "textDocument/hover", with(`,"position":{"line":0,"character":0,"x":1},"verbosity":2`), anywhere},
		{"a URI with an escaped letter is the same document", "textDocument/documentSymbol", `{"textDocument":{"uri":"untitled:a"}}`, `"name":"d"`},

		{"completion without a context", "textDocument/completion", at("5", "11"), `"isIncomplete":false`},
		{"completion with a context that is null", "textDocument/completion", with(`,"position":{"line":5,"character":11},"context":null`), `"items":[`},
		{"completion where there is none", "textDocument/completion", at("5", "24"), `"items":[]`},
		{"resolving an item without data", "completionItem/resolve", `{"label":"x"}`, `"label":"x"`},
		{"resolving an item of an earlier list", "completionItem/resolve", `{"label":"x","data":{"list":-1,"item":5}}`, `"label":"x"`},
		{"resolving an item with the data of another server", "completionItem/resolve", `{"label":"x","data":"foreign"}`, "-32602"},
		{"resolving nothing", "completionItem/resolve", `null`, "-32602"},
		{"signature help in a call without an end", "textDocument/signatureHelp", at("6", "15"), `"signatures":[`},
		{"signature help where there is none", "textDocument/signatureHelp", at("0", "0"), `"result":null`},
		{"the definition of a reference", "textDocument/definition", at("5", "18"), `"line":0`},
		{"the definition of nothing", "textDocument/definition", at("7", "0"), `"result":`},
		{"references without a context", "textDocument/references", at("5", "18"), `"result":[`},
		{"references with the declaration", "textDocument/references", with(`,"position":{"line":5,"character":18},"context":{"includeDeclaration":true}`), `"result":[`},
		{"highlights", "textDocument/documentHighlight", at("5", "18"), `"result":[`},
		{"symbols in a flat list", "textDocument/documentSymbol", with(``), `"location"`},
		{"folding", "textDocument/foldingRange", with(``), `"result":[`},
		{"selection without positions", "textDocument/selectionRange", with(``), `"result":[]`},
		{"selection at places beyond the text", "textDocument/selectionRange", with(`,"positions":[{"line":999,"character":9},{"line":0,"character":0}]`), `"result":[{`},
		{"links", "textDocument/documentLink", with(``), `"result":[]`},
		{"lenses", "textDocument/codeLens", with(``), `"result":[`},
		{"hints of a range that is turned round", "textDocument/inlayHint", with(`,"range":{"start":{"line":9,"character":0},"end":{"line":0,"character":0}}`), `"result":[]`},
		{"hints without a range", "textDocument/inlayHint", with(``), `"result":[]`},
		{"tokens", "textDocument/semanticTokens/full", with(``), `"data":[`},
		{"tokens of a range beyond the text", "textDocument/semanticTokens/range", with(`,"range":{"start":{"line":99,"character":0},"end":{"line":100,"character":0}}`), `"data":[`},
		{"tokens as changes, which are not offered", "textDocument/semanticTokens/full/delta", with(`,"previousResultId":"1"`), "-32601"},
		{"formatting without options", "textDocument/formatting", with(``), `"result":[]`},
		{"formatting of a range, which is not offered", "textDocument/rangeFormatting", with(`,"range":` + span), "-32601"},
		{"actions without a context", "textDocument/codeAction", with(`,"range":` + span), `"result":[`},
		{"actions of a kind that there is not", "textDocument/codeAction", with(`,"range":` + span + `,"context":{"diagnostics":[],"only":["source.x"]}`), `"result":[]`},
		{"actions with diagnostics of others", "textDocument/codeAction", with(`,"range":` + span + `,"context":{"diagnostics":[{"range":` + span + `,"message":"x","code":{"a":1}}]}`), anywhere},
		{"what can be renamed", "textDocument/prepareRename", at("0", "9"), `"placeholder":"d"`},
		{"what cannot be renamed", "textDocument/prepareRename", at("0", "1"), `"result":null`},
		{"a new name that is none", "textDocument/rename", with(`,"position":{"line":0,"character":9},"newName":"1 2"`), "-32602"},
		{"a new name that is left out", "textDocument/rename", with(`,"position":{"line":0,"character":9}`), "-32602"},
		{"renaming nothing", "textDocument/rename", with(`,"position":{"line":0,"character":1},"newName":"x"`), "-32602"},
		{"renaming", "textDocument/rename", with(`,"position":{"line":0,"character":9},"newName":"x"`), `"newText":"x"`},
		{"diagnostics that are asked for", "textDocument/diagnostic", with(``), `"kind":"full"`},
		{"diagnostics with the id of nothing", "textDocument/diagnostic", with(`,"identifier":"memplan","previousResultId":"old"`), `"kind":"full"`},
		{"diagnostics of everything, which are not offered", "workspace/diagnostic", `{"previousResultIds":[]}`, "-32601"},
		{"symbols of everything", "workspace/symbol", `{"query":""}`, `device.d`},
		{"symbols without a query", "workspace/symbol", `{}`, `device.d`},
		{"an unknown command", "workspace/executeCommand", `{"command":"x"}`, "-32602"},
		{"a command without its argument", "workspace/executeCommand", `{"command":"memplan.plan"}`, "-32602"},
		{"a command with an argument of another type", "workspace/executeCommand", `{"command":"memplan.plan","arguments":[5]}`, "-32602"},
		{"a command about nothing that is open", "workspace/executeCommand", `{"command":"memplan.plan","arguments":[{"uri":"untitled:b"}]}`, "-32602"},
		{"a command that waits for the plan", "workspace/executeCommand", `{"command":"memplan.plan","arguments":[{"uri":"untitled:a"}],"workDoneToken":"t"}`, `"planned":false`},
		{"saving is not waited for", "textDocument/willSaveWaitUntil", with(`,"reason":1`), "-32601"},
		{"colours are not offered", "textDocument/documentColor", with(``), "-32601"},
	}
	notifications := []string{
		`{"method":"initialized","params":{}}`,
		`{"method":"$/setTrace","params":{"value":"verbose"}}`,
		`{"method":"$/progress","params":{"token":1,"value":{}}}`,
		`{"method":"window/workDoneProgress/cancel","params":{"token":"x"}}`,
		`{"method":"workspace/didChangeConfiguration","params":{"settings":null}}`,
		`{"method":"workspace/didChangeWorkspaceFolders","params":{"event":{"added":[],"removed":[]}}}`,
		`{"method":"workspace/didChangeWatchedFiles","params":{"changes":[{"uri":"file:///nowhere/a.memplan.hcl","type":3},{"uri":"x:y","type":9}]}}`,
		`{"method":"workspace/didChangeWatchedFiles","params":{"changes":null}}`,
		`{"method":"textDocument/didClose","params":{"textDocument":{"uri":"untitled:nowhere"}}}`,
		`{"method":"textDocument/didClose"}`,
		`{"method":"textDocument/didSave","params":{"textDocument":{"uri":"untitled:nowhere"},"text":"x"}}`,
		`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:a","languageId":"","version":-1,"text":"x"}}}`,
		`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:a","languageId":"hcl","version":1,"text":"` + text + `"}}}`,
		`{"method":"textDocument/didOpen","params":{}}`,
		`{"method":"textDocument/didOpen","params":[]}`,
		`{"method":"textDocument/didChange","params":{"textDocument":{"uri":"untitled:a","version":2},"contentChanges":[]}}`,
		`{"method":"textDocument/didChange","params":{"textDocument":{"uri":"untitled:a","version":3},"contentChanges":null}}`,
		`{"method":"textDocument/didChange","params":{"textDocument":{"uri":"untitled:a","version":null},"contentChanges":[{"range":{"start":{"line":999,"character":9},"end":{"line":0,"character":-1}},"text":"x"}]}}`,
		`{"method":"textDocument/didChange","params":{"textDocument":{"uri":"untitled:a","version":1},"contentChanges":[{"range":{"start":{"line":99,"character":9},"end":{"line":99,"character":9}},"rangeLength":7,"text":"\ud83d"},{"text":"` + text + `"}]}}`,
	}
	var in strings.Builder
	in.WriteString(frame(initialize))
	for _, n := range notifications {
		in.WriteString(frame(`{"jsonrpc":"2.0",` + n[1:]))
	}
	for i, c := range cases {
		in.WriteString(frame(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, 1000+i, c.method, c.params)))
	}
	in.WriteString(frame(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`) + frame(`{"jsonrpc":"2.0","method":"exit"}`))
	bodies, code := talk(t, strings.NewReader(in.String()))
	assert.Equal(t, 0, code)
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			found := answersTo(bodies, fmt.Sprint(1000+i))
			require.Len(t, found, 1)
			assert.Contains(t, found[0], c.says)
			assert.True(t, strings.Contains(found[0], `"result":`) != strings.Contains(found[0], `"error":`), found[0])
		})
	}
}

// A report that still holds is not sent again.
func TestDiagnosticsThatAreAskedForAgain(t *testing.T) {
	e := start(t, everything)
	e.open("a.hcl", "pool \"p\" {\n}\n")
	ask := func(previous string) (kind, id string, items []json.RawMessage) {
		params := e.about("a.hcl")
		params["previousResultId"] = previous
		var report struct {
			Kind, ResultID string
			Items          []json.RawMessage
		}
		e.request("textDocument/diagnostic", params, &report)
		return report.Kind, report.ResultID, report.Items
	}
	kind, id, items := ask("")
	require.Equal(t, "full", kind)
	require.Len(t, items, 1)
	kind, again, items := ask(id)
	require.Equal(t, []string{"unchanged", id}, []string{kind, again})
	require.Empty(t, items)
	e.change("a.hcl", "# x\npool \"p\" {\n}\n")
	kind, other, items := ask(id)
	require.Equal(t, "full", kind)
	require.NotEqual(t, id, other)
	require.Len(t, items, 1)
	require.False(t, slices.Contains([]string{id, ""}, other))
}
