package server_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/server"
)

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`

func frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// talk runs a server on the bytes and returns the bodies it wrote and its exit status.
func talk(t *testing.T, in io.Reader) ([]string, int) {
	t.Helper()
	var out bytes.Buffer
	code, err := server.Run(context.Background(), in, &out, server.Options{Version: "test", Deadline: patience, Debounce: time.Millisecond, Grace: patience, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	var bodies []string
	r := bufio.NewReader(&out)
	for {
		body, err := readMessage(r)
		if err != nil {
			return bodies, code
		}
		bodies = append(bodies, string(body))
	}
}

// answersTo is what the server answered to the id.
func answersTo(bodies []string, id string) []string {
	var found []string
	for _, body := range bodies {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal([]byte(body), &m) == nil && m.Method == "" && string(m.ID) == id {
			found = append(found, body)
		}
	}
	return found
}

func TestWire(t *testing.T) {
	shutdown, exit := `{"jsonrpc":"2.0","id":99,"method":"shutdown"}`, `{"jsonrpc":"2.0","method":"exit"}`
	ending := frame(shutdown) + frame(exit)
	hover := `{"jsonrpc":"2.0","id":7,"method":"textDocument/hover","params":{"textDocument":{"uri":"untitled:a"},"position":{"line":0,"character":0}}}`
	for name, c := range map[string]struct {
		in   string
		id   string
		says string
		code int
	}{
		"malformed JSON is answered and the next message served": {frame(initialize) + frame(`{"jsonrpc":`) + ending, "null", "-32700", 0},
		"JSON that is no message":                                {frame(initialize) + frame(`42`) + ending, "null", "-32600", 0},
		"a message without a method":                             {frame(initialize) + frame(`{"jsonrpc":"2.0","id":5}`) + ending, "5", "-32600", 0},
		"an empty body":                                          {frame(initialize) + frame(``) + ending, "null", "-32700", 0},
		"an unknown method":                                      {frame(initialize) + frame(`{"jsonrpc":"2.0","id":5,"method":"x/y"}`) + ending, "5", "-32601", 0},
		"an unknown method of the protocol's own":                {frame(initialize) + frame(`{"jsonrpc":"2.0","id":5,"method":"$/x"}`) + ending, "5", "-32601", 0},
		"an unknown notification is ignored":                     {frame(initialize) + frame(`{"jsonrpc":"2.0","method":"x/y"}`) + ending, "99", `"result":null`, 0},
		"a request before initialize":                            {frame(hover) + frame(initialize) + ending, "7", "-32002", 0},
		"a second initialize":                                    {frame(initialize) + frame(strings.Replace(initialize, `"id":1`, `"id":2`, 1)) + ending, "2", "-32600", 0},
		"a request after shutdown":                               {frame(initialize) + frame(shutdown) + frame(hover) + frame(exit), "7", "-32600", 0},
		"shutdown with an empty object":                          {frame(initialize) + frame(`{"jsonrpc":"2.0","id":98,"method":"shutdown","params":{}}`) + frame(exit), "98", `"result":null`, 0},
		"shutdown with null":                                     {frame(initialize) + frame(`{"jsonrpc":"2.0","id":98,"method":"shutdown","params":null}`) + frame(exit), "98", `"result":null`, 0},
		"exit without shutdown":                                  {frame(initialize) + frame(exit), "1", "capabilities", 1},
		"exit before initialize":                                 {frame(exit), "", "", 1},
		"the end of the input":                                   {frame(initialize), "1", "capabilities", 1},
		"the end of the input after shutdown":                    {frame(initialize) + frame(shutdown), "99", `"result":null`, 0},
		"an input that ends within a body":                       {frame(initialize) + "Content-Length: 100\r\n\r\n{", "1", "capabilities", 1},
		"nothing at all":                                         {"", "", "", 1},
		"headers in lower case and more of them":                 {"content-length:  " + fmt.Sprint(len(initialize)) + "\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\nX: y\r\n\r\n" + initialize + ending, "1", "capabilities", 0},
		"headers that end with line feeds alone":                 {"Content-Length: " + fmt.Sprint(len(initialize)) + "\n\n" + initialize + ending, "1", "capabilities", 0},
		"a header without a length is passed over":               {"Content-Length: x\r\n\r\n" + frame(initialize) + ending, "1", "capabilities", 0},
		"a negative length is passed over":                       {"Content-Length: -5\r\n\r\n" + frame(initialize) + ending, "1", "capabilities", 0},
		"noise before a header":                                  {"hello\r\n\r\n" + frame(initialize) + ending, "1", "capabilities", 0},
		"an id beyond 32 bits":                                   {frame(strings.Replace(initialize, `"id":1`, `"id":9007199254740993`, 1)) + ending, "9007199254740993", "capabilities", 0},
		"an id that is text":                                     {frame(strings.Replace(initialize, `"id":1`, `"id":"a/b"`, 1)) + ending, `"a/b"`, "capabilities", 0},
		"an id that is neither":                                  {frame(initialize) + frame(`{"jsonrpc":"2.0","id":{},"method":"shutdown"}`) + frame(exit), "null", "-32600", 1},
		"a batch":                                                {frame(initialize) + frame(`[{"jsonrpc":"2.0","id":5,"method":"x/y"},{"jsonrpc":"2.0","method":"z"},7]`) + ending, "99", `"result":null`, 0},
		"an empty batch":                                         {frame(initialize) + frame(`[]`) + ending, "null", "-32600", 0},
		"a batch that is no JSON":                                {frame(initialize) + frame(`[{]`) + ending, "null", "-32700", 0},
		"a document that is not open":                            {frame(initialize) + frame(hover) + ending, "7", "-32602", 0},
		"parameters of the wrong type":                           {frame(initialize) + frame(`{"jsonrpc":"2.0","id":5,"method":"textDocument/hover","params":[1]}`) + ending, "5", "-32602", 0},
		"parameters that are missing":                            {frame(initialize) + frame(`{"jsonrpc":"2.0","id":5,"method":"textDocument/hover"}`) + ending, "5", "-32602", 0},
		"a position that is negative":                            {frame(initialize) + frame(strings.Replace(hover, `"line":0`, `"line":-1`, 1)) + ending, "7", "-32602", 0},
		"an answer that nobody asked for":                        {frame(initialize) + frame(`{"jsonrpc":"2.0","id":12345,"result":1}`) + ending, "99", `"result":null`, 0},
		"a cancellation of nothing":                              {frame(initialize) + frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":3}}`) + frame(`{"jsonrpc":"2.0","method":"$/cancelRequest"}`) + ending, "99", `"result":null`, 0},
		"a change of a document that is not open":                {frame(initialize) + frame(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a.hcl","version":1},"contentChanges":[{"text":""}]}}`) + ending, "99", `"result":null`, 0},
		"a header with blanks around its colon":                  {"Content-Length : " + fmt.Sprint(len(initialize)) + " \r\n\r\n" + initialize + ending, "1", "capabilities", 0},
		"headers in the other order":                             {"Content-Type: application/vscode-jsonrpc;charset=utf8\r\nContent-Length: " + fmt.Sprint(len(initialize)) + "\r\n\r\n" + initialize + ending, "1", "capabilities", 0},
		"blank lines between messages":                           {frame(initialize) + "\r\n\r\n" + ending, "99", `"result":null`, 0},
		"a body with blanks around it":                           {frame("  \r\n"+initialize+"\n ") + ending, "1", "capabilities", 0},
		"a mark of byte order before a body":                     {frame(initialize) + frame("\ufeff{}") + ending, "null", "-32700", 0},
		"two values in one body":                                 {frame(initialize) + frame(`{"jsonrpc":"2.0"} {}`) + ending, "null", "-32700", 0},
		"a message of another version":                           {frame(initialize) + frame(`{"jsonrpc":"1.0","id":5,"method":"x/y"}`) + ending, "5", "-32601", 0},
		"a message without a version":                            {frame(initialize) + frame(`{"id":5,"method":"x/y"}`) + ending, "5", "-32601", 0},
		"members that nobody knows":                              {frame(initialize) + frame(`{"jsonrpc":"2.0","id":5,"method":"x/y","trace":{},"extra":[1]}`) + ending, "5", "-32601", 0},
		"a method that is no text":                               {frame(initialize) + frame(`{"jsonrpc":"2.0","id":5,"method":7}`) + ending, "null", "-32600", 0},
		"a method without letters":                               {frame(initialize) + frame(`{"jsonrpc":"2.0","id":5,"method":""}`) + ending, "5", "-32601", 0},
		"an id that is true":                                     {frame(initialize) + frame(`{"jsonrpc":"2.0","id":true,"method":"x/y"}`) + ending, "null", "-32600", 0},
		"an id that is a list":                                   {frame(initialize) + frame(`{"jsonrpc":"2.0","id":[1],"method":"x/y"}`) + ending, "null", "-32600", 0},
		"an id that is 0":                                        {frame(initialize) + frame(`{"jsonrpc":"2.0","id":0,"method":"x/y"}`) + ending, "0", "-32601", 0},
		"an id that is negative":                                 {frame(initialize) + frame(`{"jsonrpc":"2.0","id":-7,"method":"x/y"}`) + ending, "-7", "-32601", 0},
		"an id that is no whole number":                          {frame(initialize) + frame(`{"jsonrpc":"2.0","id":1.5,"method":"x/y"}`) + ending, "1.5", "-32601", 0},
		"an id that is an empty text":                            {frame(initialize) + frame(`{"jsonrpc":"2.0","id":"","method":"x/y"}`) + ending, `""`, "-32601", 0},
		"an id with an escape":                                   {frame(initialize) + frame(`{"jsonrpc":"2.0","id":"\u00e9\"","method":"x/y"}`) + ending, `"\u00e9\""`, "-32601", 0},
		"an id that is null is that of a notification":           {frame(initialize) + frame(`{"jsonrpc":"2.0","id":null,"method":"x/y"}`) + ending, "99", `"result":null`, 0},
		"an error that nobody asked for":                         {frame(initialize) + frame(`{"jsonrpc":"2.0","id":12345,"error":{"code":-32601,"message":"x"}}`) + ending, "99", `"result":null`, 0},
		"an error without an id":                                 {frame(initialize) + frame(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`) + ending, "99", `"result":null`, 0},
		"a batch of one":                                         {frame(initialize) + frame(`[{"jsonrpc":"2.0","method":"x/y"}]`) + ending, "99", `"result":null`, 0},
		"a batch within a batch":                                 {frame(initialize) + frame(`[[{"jsonrpc":"2.0","id":5,"method":"x/y"}]]`) + ending, "99", `"result":null`, 0},
		"a batch that exits":                                     {frame(initialize) + frame(`[{"jsonrpc":"2.0","id":99,"method":"shutdown"},{"jsonrpc":"2.0","method":"exit"}]`), "1", "capabilities", 0},
		"shutdown before initialize":                             {frame(shutdown) + frame(initialize) + frame(exit), "99", "-32002", 1},
		"a second shutdown":                                      {frame(initialize) + frame(shutdown) + frame(strings.Replace(shutdown, "99", "98", 1)) + frame(exit), "98", "-32600", 0},
		"initialize after shutdown":                              {frame(initialize) + frame(shutdown) + frame(strings.Replace(initialize, `"id":1`, `"id":2`, 1)) + frame(exit), "2", "-32600", 0},
		"what follows exit is not read":                          {frame(initialize) + ending + frame(hover), "99", `"result":null`, 0},
		"a notification before initialize is dropped":            {frame(`{"jsonrpc":"2.0","method":"initialized","params":{}}`) + frame(initialize) + ending, "1", "capabilities", 0},
		"a notification after shutdown is dropped":               {frame(initialize) + frame(shutdown) + frame(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:a","languageId":"x","version":1,"text":""}}}`) + frame(exit), "99", `"result":null`, 0},
		"initialize without parameters":                          {frame(`{"jsonrpc":"2.0","id":5,"method":"initialize"}`) + frame(initialize) + ending, "5", "-32602", 0},
		"initialize with null":                                   {frame(`{"jsonrpc":"2.0","id":5,"method":"initialize","params":null}`) + frame(initialize) + ending, "5", "-32602", 0},
		"initialize with a list":                                 {frame(`{"jsonrpc":"2.0","id":5,"method":"initialize","params":[]}`) + frame(initialize) + ending, "5", "-32602", 0},
		"initialize with nothing but braces":                     {frame(strings.Replace(initialize, `{"capabilities":{}}`, `{}`, 1)) + ending, "1", `"positionEncoding":"utf-16"`, 0},
		"initialize with capabilities that are null":             {frame(strings.Replace(initialize, `{"capabilities":{}}`, `{"capabilities":null,"processId":null,"rootUri":null,"rootPath":null,"trace":"verbose","workDoneToken":1,"locale":"de"}`, 1)) + ending, "1", "capabilities", 0},
		"a client of bytes":                                      {frame(strings.Replace(initialize, `{"capabilities":{}}`, `{"capabilities":{"general":{"positionEncodings":["utf-32","utf-8","utf-16"]}}}`, 1)) + ending, "1", `"positionEncoding":"utf-8"`, 0},
		"a client of characters":                                 {frame(strings.Replace(initialize, `{"capabilities":{}}`, `{"capabilities":{"general":{"positionEncodings":["utf-32"]}}}`, 1)) + ending, "1", `"positionEncoding":"utf-16"`, 0},
		"capabilities of unexpected types":                       {frame(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"textDocument":7,"general":{"positionEncodings":"utf-8"}},"workspaceFolders":null,"rootUri":""}}`) + ending, "1", "capabilities", 0},
	} {
		t.Run(name, func(t *testing.T) {
			for _, split := range []bool{false, true} {
				var in io.Reader = strings.NewReader(c.in)
				if split {
					in = &dripping{in}
				}
				bodies, code := talk(t, in)
				assert.Equal(t, c.code, code)
				if c.id != "" {
					found := answersTo(bodies, c.id)
					require.Len(t, found, 1, "%v", bodies)
					assert.Contains(t, found[0], c.says)
				}
			}
		})
	}
}

// dripping reads a byte at a time.
type dripping struct{ r io.Reader }

func (d *dripping) Read(p []byte) (int, error) { return d.r.Read(p[:min(1, len(p))]) }

func TestABatchIsAnsweredAsOne(t *testing.T) {
	bodies, _ := talk(t, strings.NewReader(frame(initialize)+frame(`[{"jsonrpc":"2.0","id":5,"method":"x/y"},{"jsonrpc":"2.0","method":"z"},{"jsonrpc":"2.0","id":"6","method":"shutdown"},7]`)+frame(`{"jsonrpc":"2.0","method":"exit"}`)))
	require.Len(t, bodies, 2)
	require.Len(t, answersTo(bodies[:1], "1"), 1, "the answer to initialize is sent first")
	var answers []map[string]any
	require.NoError(t, json.Unmarshal([]byte(bodies[1]), &answers), bodies[1])
	assert.Len(t, answers, 3)
}

func TestNothingIsSentBeforeTheAnswerToInitialize(t *testing.T) {
	opened := `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:a","languageId":"memplan","version":1,"text":"x"}}}`
	hover := `{"jsonrpc":"2.0","id":7,"method":"textDocument/hover","params":{"textDocument":{"uri":"untitled:a"},"position":{"line":0,"character":0}}}`
	shutdown := `{"jsonrpc":"2.0","id":8,"method":"shutdown"}`
	for range 20 {
		bodies, code := talk(t, strings.NewReader(frame(opened)+frame(initialize)+frame(opened)+frame(hover)+frame(shutdown)))
		assert.Equal(t, 0, code)
		require.Len(t, answersTo(bodies[:1], "1"), 1, "%v", bodies)
		require.Len(t, answersTo(bodies, "7"), 1, "%v", bodies)
		require.Len(t, answersTo(bodies, "8"), 1, "%v", bodies)
	}
}

func TestALengthThatIsOnlyClaimedTakesNoMemory(t *testing.T) {
	_, code := talk(t, strings.NewReader("Content-Length: 60000000\r\n\r\n{}"))
	assert.Equal(t, 1, code)
	bodies, _ := talk(t, strings.NewReader("Content-Length: 67108865\r\n\r\n"+strings.Repeat(" ", 67_108_865)+frame(initialize)))
	require.Len(t, bodies, 2)
	assert.Contains(t, bodies[0], "-32600")
}
