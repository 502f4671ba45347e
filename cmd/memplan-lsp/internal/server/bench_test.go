package server_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"
)

// many is a configuration of n blocks.
func many(n int) string {
	var b strings.Builder
	b.WriteString(device)
	for i := range n {
		fmt.Fprintf(&b, "\npool \"p%d\" {\n  device    = device.d\n  size      = \"%dKiB\"\n  alignment = 64\n  holds     = [\"activation\", \"input\"] # 😀\n}\n", i, i+1)
	}
	return b.String()
}

// benchmarked opens a configuration of n blocks.
func benchmarked(b *testing.B, n int) *editor {
	e := start(&testing.T{}, everything)
	e.dir = b.TempDir()
	e.open("a.hcl", many(n))
	e.clean("a.hcl")
	return e
}

// timesOf returns what takes the time of each operation; the benchmark reports the median and the 95th percentile in
// milliseconds.
func timesOf(b *testing.B) func(time.Duration) {
	var all []time.Duration
	b.Cleanup(func() {
		slices.Sort(all)
		for _, q := range []int{50, 95} {
			b.ReportMetric(float64(all[(len(all)-1)*q/100])/1e6, fmt.Sprintf("p%d-ms", q))
		}
	})
	return func(t time.Duration) { all = append(all, t) }
}

// BenchmarkRequestAfterEdit is what a user waits for who types and looks: the text changes before each request.
func BenchmarkRequestAfterEdit(b *testing.B) {
	for _, method := range []string{"hover", "completion", "definition", "documentSymbol", "semanticTokens/full", "formatting"} {
		b.Run(method, func(b *testing.B) {
			e := benchmarked(b, 1000)
			at := protocol.Range{Start: protocol.Position{Line: 20, Character: 2}, End: protocol.Position{Line: 20, Character: 2}}
			params := e.at("a.hcl", protocol.Position{Line: 7, Character: 22})
			params["options"] = map[string]any{}
			times := timesOf(b)
			for b.Loop() {
				e.edit("a.hcl", at, "# ")
				begun := time.Now()
				e.request("textDocument/"+method, params, nil)
				times(time.Since(begun))
			}
		})
	}
}

func BenchmarkEditToDiagnostics(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			e := benchmarked(b, n)
			at := protocol.Range{Start: protocol.Position{Line: 20, Character: 2}, End: protocol.Position{Line: 20, Character: 2}}
			times := timesOf(b)
			for b.Loop() {
				begun := time.Now()
				e.edit("a.hcl", at, "# ")
				version := e.versions["a.hcl"]
				e.latest("a.hcl", func(p publication) bool { return *p.Version == version })
				times(time.Since(begun))
			}
		})
	}
}

func BenchmarkRequests(b *testing.B) {
	for _, method := range []string{"hover", "completion", "definition", "references", "documentSymbol", "semanticTokens/full", "formatting", "inlayHint", "foldingRange"} {
		b.Run(method, func(b *testing.B) {
			e := benchmarked(b, 1000)
			params := e.at("a.hcl", protocol.Position{Line: 7, Character: 22})
			params["context"] = map[string]any{}
			params["range"] = protocol.Range{End: protocol.Position{Line: 100}}
			params["options"] = map[string]any{}
			times := timesOf(b)
			for b.Loop() {
				begun := time.Now()
				e.request("textDocument/"+method, params, nil)
				times(time.Since(begun))
			}
		})
	}
}
