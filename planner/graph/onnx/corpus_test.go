package onnx_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/onnx"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/testdata/needs"
	"github.com/stretchr/testify/require"
)

// corpus is where Debian's package libonnx-testdata puts the tests of ONNX's own backends.
const corpus = "/usr/share/libonnx-testdata/data"

// refusable are the ids with which a model of the corpus may be refused: they are valid models all.
var refusable = []diag.ID{
	diag.ONNXOpsetVersion, diag.ONNXControlFlow, diag.ONNXSequence, diag.ONNXElementType, diag.ONNXTrainingOp,
}

// openFile opens a file by its path on this machine; it is closed when the test ends.
func openFile(t testing.TB, name string) *source.File {
	t.Helper()
	f, err := source.Open(os.DirFS(filepath.Dir(name)), filepath.Base(name))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f
}

func TestEveryModelOfTheBackendTestsImportsOrIsRefusedForAReason(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpus, "*", "*", "model.onnx"))
	require.NoError(t, err)
	if len(files) == 0 {
		needs.Missing(t, "the backend tests of ONNX are not there: apt-get install libonnx-testdata")
	}
	imported, refused := map[string]int{}, map[string]int{}
	for _, name := range files {
		g, diags := onnx.Import(openFile(t, name))
		if g != nil {
			require.Empty(t, diags, name)
			checkGraph(t, g)
			for op := range opsOf(g) {
				imported[op]++
			}
			continue
		}
		require.NotEmpty(t, diags, name)
		for _, d := range diags {
			require.Contains(t, refusable, d.ID, "%s: %s", name, d.Detail)
			refused[string(d.ID)+" "+filepath.Base(filepath.Dir(name))]++
		}
	}
	logCounts(t, "models that were imported, by operator", imported)
	logCounts(t, "diagnostics, by id and model", refused)
}

func opsOf(g *graph.Graph) map[string]bool {
	ops := map[string]bool{}
	for i := range g.Ops {
		ops[strings.TrimPrefix(g.Ops[i].Domain+"."+g.Ops[i].Op, ".")] = true
	}
	return ops
}

func logCounts(t *testing.T, title string, counts map[string]int) {
	if !testing.Verbose() {
		return
	}
	var text strings.Builder
	for _, key := range slices.SortedFunc(maps.Keys(counts), cmp.Compare[string]) {
		fmt.Fprintf(&text, "\n%6d %s", counts[key], key)
	}
	t.Logf("%s:%s", title, text.String())
}
