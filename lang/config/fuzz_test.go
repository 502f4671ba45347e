package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

func fixtures(tb testing.TB) map[string]string {
	tb.Helper()
	paths, err := filepath.Glob("testdata/*/*.hcl")
	require.NoError(tb, err)
	texts := map[string]string{}
	for _, path := range paths {
		if filepath.Base(path) == "large_values.hcl" {
			// Its expressions take long to evaluate, and their prefixes have nothing that others lack.
			continue
		}
		text, err := os.ReadFile(path)
		require.NoError(tb, err)
		texts[path] = string(text)
	}
	return texts
}

// check loads a text and uses everything that a load gives.
func check(tb testing.TB, text string) {
	tb.Helper()
	cfg, ds := config.Load(syntax.Memory{"fuzz.hcl": text}, "fuzz.hcl", eval.VariableSources{})
	for _, d := range ds.Sorted() {
		if d.Subject != nil && d.Subject.Filename == "fuzz.hcl" && (d.Subject.Start.Byte < 0 || d.Subject.End.Byte > len(text)) {
			tb.Fatalf("%s is outside of the text", d.ID)
		}
	}
	if ds.HasErrors() != (cfg.Digest() == "") {
		tb.Fatal("a digest says that there are no errors")
	}
	cfg.EvalContext(nil)
	if ds.HasErrors() {
		return
	}
	cfg.Finish(config.Planned{})
	for _, p := range cfg.Pools {
		if p.Device == nil || p.Alignment <= 0 {
			tb.Fatalf("pool %q is incomplete without an error", p.Name)
		}
	}
	for _, g := range cfg.Graphs {
		if g.Device == nil {
			tb.Fatalf("graph %q is incomplete without an error", g.Name)
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, text := range fixtures(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { check(t, text) })
}

// Every prefix of a file is what an editor sees while it is typed.
func TestEveryPrefixOfAFileCanBeLoaded(t *testing.T) {
	for path, text := range fixtures(t) {
		step := 1 + len(text)/80
		t.Run(filepath.Base(path), func(t *testing.T) {
			for end := 0; end < len(text); end += step {
				check(t, text[:end])
			}
		})
	}
}
