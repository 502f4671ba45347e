package tvmjson_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/graph/tvmjson"
)

// FuzzImport checks that any file gives either a valid graph or a fault.
func FuzzImport(f *testing.F) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content, namedParams())
	}
	f.Add([]byte(`{"nodes": [], "arg_nodes": [], "heads": [], "attrs": {"shape": ["list_shape", []], "dltype": ["list_str", []]}, "node_row_ptr": [0]}`), []byte{})
	f.Fuzz(func(t *testing.T, content, params []byte) {
		tvmjson.Is(content)
		file, err := source.Open(fstest.MapFS{"n.json": {Data: content}, "n.params": {Data: params}}, "n.json")
		if err != nil {
			t.Fatal(err)
		}
		g, diags := tvmjson.Import(file)
		if (g == nil) != diags.HasErrors() {
			t.Fatalf("a graph and faults, or neither: %v", diags)
		}
		if g != nil {
			if err := g.Validate(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
