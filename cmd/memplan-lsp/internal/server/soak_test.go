package server_test

import (
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.lsp.dev/protocol"
)

// soakEdits is the number of edits of the soak: few, unless MEMPLAN_SOAK gives another, such as 20000.
func soakEdits(t *testing.T) int {
	text := os.Getenv("MEMPLAN_SOAK")
	if text == "" {
		return 400
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

// fragments are what random edits insert: what opens and closes, names, and whole blocks.
var fragments = []string{
	"", "", "", "\"", "{", "}", "(", "[", "\n", " ", "# ", "x", "=", "${", "}\n", "<<EOT\n", "EOT\n", "/*", "*/", "😀", "\r\n",
	"pool \"q\" {\n  device = device.d\n}\n", "locals {\n  a = pool.p1.peak\n}\n", "output \"o\" {\n  value = local.a\n}\n", "size = 1\n", "device.", "size = \"12KB\"\n",
}

// Many random edits, with requests between them, end in what a fresh server says of the same text, and memory does not grow.
func TestSoak(t *testing.T) {
	e := start(t, everything)
	e.write("net.json", net)
	text := many(60) + graph
	e.open("a.hcl", text)
	random := rand.New(rand.NewPCG(1, 2))
	edits := soakEdits(t)
	var early, late uint64
	for n := range edits {
		text = e.editAtRandom("a.hcl", text, random)
		if len(text) > 40_000 || n%200 == 199 {
			text = many(60) + graph
			e.change("a.hcl", text)
		}
		at := protocolPosition(text, runeStart(text, random.IntN(len(text)+1)))
		method := []string{"hover", "completion", "documentSymbol", "semanticTokens/full", "codeLens", "foldingRange"}[n%6]
		if r := e.call("textDocument/"+method, e.at("a.hcl", at)); r.Error != nil {
			t.Fatalf("%s after edit %d: %+v", method, n, r.Error)
		}
		// The publications that the client keeps are not the server's memory.
		e.mu.Lock()
		e.published = map[string][]publication{}
		e.mu.Unlock()
		switch n {
		case edits / 4:
			early = liveHeap()
		case edits - 1:
			late = liveHeap()
		}
	}
	require.Less(t, late, early+early/2+8<<20, "live bytes of the heap")
	// A last edit, so that the outcome is that of a text that nothing follows.
	text += "\n"
	e.change("a.hcl", text)
	fresh := start(t, everything)
	fresh.write("net.json", net)
	fresh.open("a.hcl", text)
	require.Equal(t, fresh.settledDiagnostics("a.hcl"), e.settledDiagnostics("a.hcl"), "%s", text)
}

// editAtRandom replaces a few characters and returns the new text.
func (e *editor) editAtRandom(name, text string, random *rand.Rand) string {
	from := runeStart(text, random.IntN(len(text)+1))
	to := runeStart(text, min(len(text), from+random.IntN(4)))
	to = max(from, to)
	insert := fragments[random.IntN(len(fragments))]
	e.edit(name, protocol.Range{Start: protocolPosition(text, from), End: protocolPosition(text, to)}, insert)
	return text[:from] + insert + text[to:]
}

// runeStart moves an offset to the start of its character; between the characters of a line break no position is.
func runeStart(text string, offset int) int {
	for offset > 0 && offset < len(text) && (text[offset]&0xc0 == 0x80 || text[offset] == '\n' && text[offset-1] == '\r') {
		offset--
	}
	return offset
}

// settledDiagnostics waits for the outcome of planning and returns what is wrong then.
func (e *editor) settledDiagnostics(name string) []protocol.Diagnostic {
	e.t.Helper()
	e.request("workspace/executeCommand", map[string]any{"command": "memplan.plan", "arguments": []any{map[string]any{"uri": e.uri(name)}}}, nil)
	var report struct{ Items []protocol.Diagnostic }
	e.request("textDocument/diagnostic", e.about(name), &report)
	for i := range report.Items {
		// Their places name the directory of the test.
		report.Items[i].RelatedInformation = nil
		report.Items[i].Message = strings.ReplaceAll(report.Items[i].Message, e.dir, "")
	}
	return report.Items
}

func liveHeap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
