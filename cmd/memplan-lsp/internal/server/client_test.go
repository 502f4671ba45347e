package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/server"
)

// editor is a client that drives the real server over pipes.
type editor struct {
	t    *testing.T
	in   *io.PipeWriter
	dir  string
	code chan int

	mu      sync.Mutex
	lastID  int
	answers map[string]chan reply
	// published are the diagnostics of each document, latest last; changed is closed and replaced at each.
	published map[string][]publication
	changed   chan struct{}
	asked     []string
	versions  map[string]int
}

type reply struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

type publication struct {
	URI         string                `json:"uri"`
	Version     *int                  `json:"version"`
	Diagnostics []protocol.Diagnostic `json:"diagnostics"`
}

// everything is what a capable client says that it can do.
const everything = `{
	"textDocument": {
		"hover": {"contentFormat": ["markdown"]},
		"completion": {"completionItem": {"snippetSupport": true, "documentationFormat": ["markdown"], "resolveSupport": {"properties": ["documentation"]}}},
		"documentSymbol": {"hierarchicalDocumentSymbolSupport": true}
	},
	"workspace": {"textDocumentContent": {}, "codeLens": {"refreshSupport": true}, "workspaceEdit": {"documentChanges": true}, "inlayHint": {"refreshSupport": true}, "didChangeWatchedFiles": {"dynamicRegistration": true}},
	"window": {"workDoneProgress": true}
}`

// patience is how long tests wait for what must come; how soon it comes is not tested.
const patience = time.Minute

// start runs a server and initializes it.
func start(t *testing.T, capabilities string) *editor {
	t.Helper()
	e := startRaw(t)
	var result struct {
		Capabilities map[string]any `json:"capabilities"`
	}
	e.request("initialize", map[string]any{"processId": nil, "rootUri": nil, "capabilities": json.RawMessage(capabilities)}, &result)
	require.NotEmpty(t, result.Capabilities)
	e.notify("initialized", map[string]any{})
	return e
}

// startRaw runs a server that is not initialized.
func startRaw(t *testing.T) *editor {
	t.Helper()
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	e := &editor{t: t, in: in, dir: t.TempDir(), code: make(chan int, 1), answers: map[string]chan reply{}, published: map[string][]publication{}, changed: make(chan struct{}), versions: map[string]int{}}
	go func() {
		code, err := server.Run(context.Background(), serverIn, serverOut, server.Options{
			Version: "test", Deadline: patience, Debounce: time.Millisecond, Grace: time.Second, Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Errorf("serving: %v", err)
		}
		e.code <- code
		_ = serverOut.Close()
	}()
	go e.read(out)
	t.Cleanup(func() { _ = in.Close() })
	return e
}

func (e *editor) read(out io.Reader) {
	r := bufio.NewReader(out)
	for {
		body, err := readMessage(r)
		if err != nil {
			return
		}
		e.take(body)
	}
}

func readMessage(r *bufio.Reader) ([]byte, error) {
	header, err := textproto.NewReader(r).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return nil, err
	}
	body := make([]byte, n)
	_, err = io.ReadFull(r, body)
	return body, err
}

func (e *editor) take(body []byte) {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
		reply
	}
	if err := json.Unmarshal(body, &m); err != nil {
		e.t.Errorf("the server wrote %s", body)
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case m.Method == "textDocument/publishDiagnostics":
		var p publication
		if err := json.Unmarshal(m.Params, &p); err != nil || p.Diagnostics == nil {
			e.t.Errorf("the server published %s", m.Params)
		}
		e.published[p.URI] = append(e.published[p.URI], p)
		close(e.changed)
		e.changed = make(chan struct{})
	case m.Method != "" && len(m.ID) > 0:
		e.asked = append(e.asked, m.Method)
		go e.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":null}`, m.ID))
	case m.Method == "":
		if answer := e.answers[string(m.ID)]; answer != nil {
			answer <- m.reply
		}
	}
}

func (e *editor) send(body string) {
	// A server that has ended reads no more.
	_, _ = fmt.Fprintf(e.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
}

func (e *editor) notify(method string, params any) {
	encoded, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
	require.NoError(e.t, err)
	e.send(string(encoded))
}

// call sends a request and waits for the answer.
func (e *editor) call(method string, params any) reply {
	e.t.Helper()
	e.mu.Lock()
	e.lastID++
	id := strconv.Itoa(e.lastID)
	answer := make(chan reply, 1)
	e.answers[id] = answer
	e.mu.Unlock()
	encoded, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": e.lastID, "method": method, "params": params})
	require.NoError(e.t, err)
	e.send(string(encoded))
	select {
	case r := <-answer:
		return r
	case <-time.After(patience):
		e.t.Fatalf("%s is not answered", method)
		return reply{}
	}
}

// request sends a request that must succeed.
func (e *editor) request(method string, params, result any) {
	e.t.Helper()
	r := e.call(method, params)
	if r.Error != nil {
		e.t.Fatalf("%s: %d %s", method, r.Error.Code, r.Error.Message)
	}
	if result != nil {
		require.NoError(e.t, json.Unmarshal(r.Result, result), "%s", r.Result)
	}
}

// uri is that of a file in the editor's directory.
func (e *editor) uri(name string) string {
	return "file://" + filepath.ToSlash(filepath.Join(e.dir, name))
}

// write puts a file on the disk.
func (e *editor) write(name, text string) {
	e.t.Helper()
	path := filepath.Join(e.dir, filepath.FromSlash(name))
	require.NoError(e.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(e.t, os.WriteFile(path, []byte(text), 0o644))
}

func (e *editor) open(name, text string) {
	e.versions[name]++
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": e.uri(name), "languageId": "memplan", "version": e.versions[name], "text": text}})
}

// change replaces the whole text.
func (e *editor) change(name, text string) {
	e.versions[name]++
	e.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": e.uri(name), "version": e.versions[name]}, "contentChanges": []any{map[string]any{"text": text}},
	})
}

// edit replaces a range.
func (e *editor) edit(name string, at protocol.Range, text string) {
	e.versions[name]++
	e.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": e.uri(name), "version": e.versions[name]}, "contentChanges": []any{map[string]any{"range": at, "text": text}},
	})
}

func (e *editor) close(name string) {
	e.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": e.uri(name)}})
}

// at are the parameters of a request about a position.
func (e *editor) at(name string, p protocol.Position) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": e.uri(name)}, "position": p}
}

func (e *editor) about(name string) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": e.uri(name)}}
}

// latest waits until what was last published of a document is as wanted.
func (e *editor) latest(name string, wanted func(publication) bool) publication {
	e.t.Helper()
	deadline := time.After(patience)
	for {
		e.mu.Lock()
		all, changed := e.published[e.uri(name)], e.changed
		e.mu.Unlock()
		if len(all) > 0 && wanted(all[len(all)-1]) {
			return all[len(all)-1]
		}
		select {
		case <-changed:
		case <-deadline:
			e.t.Fatalf("diagnostics of %s: %+v", name, all)
		}
	}
}

// clean waits until nothing is wrong with a document in its current version.
func (e *editor) clean(name string) {
	e.t.Helper()
	e.latest(name, func(p publication) bool {
		return len(p.Diagnostics) == 0 && (p.Version == nil || *p.Version == e.versions[name])
	})
}

// faulty waits until just one thing is wrong, and returns it.
func (e *editor) faulty(name, id string) protocol.Diagnostic {
	e.t.Helper()
	p := e.latest(name, func(p publication) bool { return len(p.Diagnostics) == 1 && p.Diagnostics[0].Code == id })
	return p.Diagnostics[0]
}

// planned waits until hovering over a pool shows a plan of the current text, and returns what it shows.
func (e *editor) planned(name string, p protocol.Position) string {
	e.t.Helper()
	for begun := time.Now(); time.Since(begun) < patience; time.Sleep(10 * time.Millisecond) {
		var h *protocol.Hover
		e.request("textDocument/hover", e.at(name, p), &h)
		if h != nil && strings.Contains(h.Contents.Value, "peak") && !strings.Contains(h.Contents.Value, "stale") {
			return h.Contents.Value
		}
	}
	e.t.Fatalf("%s is not planned: %+v", name, e.published)
	return ""
}

// marked takes the marks out of a text and returns where they were: «name» marks a place.
func marked(t *testing.T, text string) (string, map[string]protocol.Position) {
	t.Helper()
	marks := map[string]protocol.Position{}
	var b strings.Builder
	line, column := 0, 0
	for len(text) > 0 {
		if rest, ok := strings.CutPrefix(text, "«"); ok {
			name, after, found := strings.Cut(rest, "»")
			require.True(t, found, "a mark without an end")
			marks[name] = protocol.Position{Line: uint32(line), Character: uint32(column)}
			text = after
			continue
		}
		r := []rune(text)[0]
		b.WriteRune(r)
		text = text[len(string(r)):]
		switch {
		case r == '\n':
			line, column = line+1, 0
		case r >= 0x10000:
			column += 2
		default:
			column++
		}
	}
	return b.String(), marks
}
