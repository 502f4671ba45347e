package server_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/protocol"
)

// net is a graph of three tensors: x of 600 bytes, t of 400, y of 500.
const net = `{"format_version":"1.0","name":"net","tensors":[
{"name":"x","role":"input","dtype":"uint8","shape":[600]},
{"name":"t","dtype":"uint8","shape":[400]},
{"name":"y","role":"output","dtype":"uint8","shape":[500]}],
"ops":[{"name":"a","op":"Custom","inputs":["x"],"outputs":["t"]},{"name":"b","op":"Custom","inputs":["t"],"outputs":["y"]}]}`

const device = "device \"d\" {\n  driver         = \"none\"\n  base_alignment = 1\n}\n"

const graph = "graph \"g\" {\n  source = \"net.json\"\n  device = device.d\n}\n"

func TestDiagnosticsGoAwayWhenTheirCauseDoes(t *testing.T) {
	e := start(t, everything)
	e.write("net.json", net)
	pool := "pool \"p\" {\n  device = device.d\n  size   = 2000\n}\n"
	e.open("a.hcl", device+pool+graph)
	e.clean("a.hcl")
	for _, broken := range []struct{ text, id string }{
		{device + "pool \"p\" {\n  device = device.d\n  size   = \"2000\n}\n" + graph, "MP0101"},
		{device + "pool \"p\" {\n  devise = device.d\n  device = device.d\n}\n" + graph, "MP0103"},
		{device + "pool \"p\" {\n  device = device.e\n}\n" + graph, "MP0124"},
		{device + "pool \"p\" {\n  device = device.d\n  size   = 700\n}\n" + graph, "MP0575"},
	} {
		e.change("a.hcl", broken.text)
		d := e.faulty("a.hcl", broken.id)
		assert.Equal(t, "memplan", d.Source)
		e.change("a.hcl", device+pool+graph)
		e.clean("a.hcl")
	}
	e.change("a.hcl", "nonsense")
	e.faulty("a.hcl", "MP0101")
	e.close("a.hcl")
	e.latest("a.hcl", func(p publication) bool { return len(p.Diagnostics) == 0 && p.Version == nil })
}

func TestDiagnosticsCrossFiles(t *testing.T) {
	e := start(t, everything)
	e.write("net.json", net)
	e.write("graph.memplan.hcl", graph)
	e.write("device.memplan.hcl", "device \"saved\" {\n  driver = \"none\"\n}\n")
	e.open("graph.memplan.hcl", graph)
	e.faulty("graph.memplan.hcl", "MP0124")
	// The unsaved text of another file counts at once.
	e.open("device.memplan.hcl", device+"pool \"p\" {\n  device = device.d\n}\n")
	e.clean("graph.memplan.hcl")
	e.change("device.memplan.hcl", "device \"other\" {\n}\n")
	e.faulty("graph.memplan.hcl", "MP0124")
	e.change("device.memplan.hcl", device+"pool \"p\" {\n  device = device.d\n}\n")
	e.clean("graph.memplan.hcl")
	// Closed, the text on disk counts again.
	e.close("device.memplan.hcl")
	e.faulty("graph.memplan.hcl", "MP0124")
	e.write("device.memplan.hcl", device+"pool \"p\" {\n  device = device.d\n}\n")
	e.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": e.uri("device.memplan.hcl"), "type": 2}}})
	e.clean("graph.memplan.hcl")
}

func TestAFileThatIsNotOpenIsReportedAndCleared(t *testing.T) {
	e := start(t, everything)
	e.write("b.memplan.hcl", "pool \"p\" {\n  device = device.nowhere\n}\n")
	e.open("a.memplan.hcl", device)
	p := e.latest("b.memplan.hcl", func(p publication) bool { return len(p.Diagnostics) == 1 })
	assert.Nil(t, p.Version, "a file that is not open has no version")
	require.NoError(t, os.Remove(filepath.Join(e.dir, "b.memplan.hcl")))
	e.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": e.uri("b.memplan.hcl"), "type": 3}}})
	e.latest("b.memplan.hcl", func(p publication) bool { return len(p.Diagnostics) == 0 })
}

func TestFaultsOfGraphsAreAtTheirSource(t *testing.T) {
	e := start(t, everything)
	e.open("a.hcl", device+"pool \"p\" {\n  device = device.d\n}\n"+graph)
	d := e.faulty("a.hcl", "MP0570")
	assert.Equal(t, protocol.Position{Line: 8, Character: 11}, d.Range.Start)
	e.write("net.json", `{"format_version":"1.0","name":"net","tensors":[],"ops":[{"name":"a","op":"Custom","inputs":["x"],"outputs":["t"]}]}`)
	e.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": e.uri("net.json"), "type": 1}}})
	broken := e.latest("a.hcl", func(p publication) bool { return len(p.Diagnostics) > 0 && p.Diagnostics[0].Code != "MP0570" })
	assert.Equal(t, protocol.Position{Line: 8, Character: 11}, broken.Diagnostics[0].Range.Start)
	e.write("net.json", net)
	e.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": e.uri("net.json"), "type": 2}}})
	e.clean("a.hcl")
}

func TestWhatThePlanFoundMovesWithTheText(t *testing.T) {
	e := start(t, everything)
	e.write("net.json", net)
	text := device + "pool \"p\" {\n  device = device.d\n  size   = 700\n}\n" + graph
	e.open("a.hcl", text)
	d := e.faulty("a.hcl", "MP0575")
	line := d.Range.Start.Line
	for range 3 {
		e.edit("a.hcl", protocol.Range{}, "# 😀\n")
		version := e.versions["a.hcl"]
		p := e.latest("a.hcl", func(p publication) bool { return *p.Version == version })
		line++
		require.Len(t, p.Diagnostics, 1, "it does not flicker")
		require.Equal(t, line, p.Diagnostics[0].Range.Start.Line)
	}
}

func TestARelatedPlaceIsTold(t *testing.T) {
	e := start(t, everything)
	e.write("b.memplan.hcl", device)
	e.open("a.memplan.hcl", device)
	e.latest("b.memplan.hcl", func(p publication) bool {
		return len(p.Diagnostics) == 1 && len(p.Diagnostics[0].RelatedInformation) == 1 &&
			string(p.Diagnostics[0].RelatedInformation[0].Location.URI) == e.uri("a.memplan.hcl")
	})
}

func TestADocumentThatIsNoFileIsChecked(t *testing.T) {
	e := start(t, everything)
	for _, uri := range []string{"untitled:Untitled-1", "git:/x/y.hcl?ref=main", "vscode-remote://wsl%2Bubuntu/home/x.hcl", "memfs:///x.memplan.hcl", "weird"} {
		e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "memplan", "version": 1, "text": "pool \"p\" {\n}\n"}})
		require.Eventually(t, func() bool {
			e.mu.Lock()
			defer e.mu.Unlock()
			all := e.published[uri]
			return len(all) > 0 && len(all[len(all)-1].Diagnostics) == 1 && all[len(all)-1].Diagnostics[0].Code == "MP0104"
		}, patience, 5*time.Millisecond, uri)
		var h *protocol.Hover
		e.request("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": uri}, "position": map[string]any{"line": 0, "character": 1}}, &h)
		require.NotNil(t, h)
	}
}

func TestAVariablesFileAlone(t *testing.T) {
	e := start(t, everything)
	e.open("memplan.vars.hcl", "batch = \n")
	e.faulty("memplan.vars.hcl", "MP0101")
	e.change("memplan.vars.hcl", "batch = 1\n")
	e.clean("memplan.vars.hcl")
	e.open("a.memplan.hcl", "variable \"batch\" {\n  type = list(string)\n}\n")
	e.faulty("memplan.vars.hcl", "MP0145")
}

func TestTheLastPlanIsShownAsStale(t *testing.T) {
	e := start(t, everything)
	e.write("net.json", net)
	text := device + "pool \"p\" {\n  device = device.d\n}\n" + graph
	e.open("a.hcl", text)
	at := protocol.Position{Line: 4, Character: 7}
	assert.NotContains(t, e.planned("a.hcl", at), "stale")
	e.change("a.hcl", text+"x")
	var h *protocol.Hover
	e.request("textDocument/hover", e.at("a.hcl", at), &h)
	assert.Contains(t, h.Contents.Value, "stale")
	assert.Contains(t, h.Contents.Value, "peak")
	e.change("a.hcl", text+"\n")
	e.planned("a.hcl", at)
}

func TestAModuleIsKnownWhileTextIsTyped(t *testing.T) {
	e := start(t, everything)
	e.write("part/main.memplan.hcl", "variable \"size\" {\n  default = 1\n}\noutput \"bytes\" {\n  value = var.size\n}\n")
	e.open("a.hcl", "module \"m\" {\n  source = \"./part\"\n}\n")
	e.clean("a.hcl")
	e.change("a.hcl", "locals {\n  a = \"\n}\nmodule \"m\" {\n  source = \"./part\"\n}\noutput \"o\" {\n  value = module.m.\n}\n")
	e.latest("a.hcl", func(p publication) bool {
		return len(p.Diagnostics) == 2 && p.Diagnostics[0].Code == "MP0101" && p.Diagnostics[1].Code == "MP0101"
	})
	var list protocol.CompletionList
	e.request("textDocument/completion", e.at("a.hcl", protocol.Position{Line: 7, Character: 19}), &list)
	require.Len(t, list.Items, 1)
	assert.Equal(t, "bytes", list.Items[0].Label)
}

func TestPositionsInBytesWhereTheyAreOffered(t *testing.T) {
	e := startRaw(t)
	var result struct {
		Capabilities struct {
			PositionEncoding string `json:"positionEncoding"`
		} `json:"capabilities"`
	}
	e.request("initialize", map[string]any{"capabilities": map[string]any{"general": map[string]any{"positionEncodings": []string{"utf-8", "utf-16"}}}}, &result)
	require.Equal(t, "utf-8", result.Capabilities.PositionEncoding)
	e.open("a.hcl", "locals {\n  a = \"😀é\" + nope.x\n}\n")
	d := e.faulty("a.hcl", "MP0125")
	assert.Equal(t, protocol.Position{Line: 1, Character: 17}, d.Range.Start)
	e.edit("a.hcl", protocol.Range{Start: protocol.Position{Line: 1, Character: 14}, End: protocol.Position{Line: 1, Character: 23}}, "")
	e.clean("a.hcl")
}
