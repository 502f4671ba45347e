package memplan_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/memplan/memplan/"

// policy is the import policy. A package may import those of the listed trees of this module and nothing else of it;
// "a" stands for the package a, "a/..." for a and all below. The first row that matches a package decides. Test files
// are free: they glue packages that must not know each other.
var policy = []struct {
	pkg    string
	may    []string
	reason string
}{
	{"lang/diag", nil, "diagnostics are the bottom: everything reports through them"},
	{"lang/units", nil, "sizes are plain arithmetic"},
	{"lang/syntax", []string{"lang/diag", "lang/units"}, "text and trees know no meaning"},
	{"lang/addr", []string{"lang/diag", "lang/units"}, "addresses are names"},
	{"lang/schema", []string{"lang/diag", "lang/units", "lang/syntax", "lang/addr"}, "the table of the language is data"},
	{"lang/eval", []string{"lang/diag", "lang/units", "lang/syntax", "lang/addr", "lang/schema"}, "evaluation knows no decoded configuration"},
	{"lang/repair", []string{"lang/diag", "lang/units", "lang/syntax"}, "repairs are edits of text; what is wrong was found before"},
	{"lang/builtin", nil, "the builtin modules are texts"},
	{"lang/config", []string{"lang/..."}, "the configuration is decoded without seeing the planner: an editor decodes half-typed text"},

	{"planner/graph", nil, "the neutral graph is the bottom of the planner"},
	{"planner/graph/array", []string{"planner/graph"}, "array semantics serve folding and the host device alike"},
	{"planner/graph/source", nil, "files are bytes with a name"},
	{"planner/graph/jsontext", []string{"lang/diag"}, "JSON is text with places; what its fields mean, importers know"},
	{"planner/tabular", []string{"lang/diag"}, "tables are text with places"},
	{"planner/graph/...", []string{"planner/graph", "planner/graph/source", "planner/graph/jsontext", "planner/graph/array", "planner/tabular", "lang/diag"}, "importers make graphs and report; they plan nothing"},
	{"planner/shape", []string{"planner/graph", "planner/graph/array", "lang/diag"}, "shapes come from the graph alone"},
	{"planner/rewrite", []string{"planner/graph", "planner/graph/array", "lang/diag"}, "a rewrite is a function from graph to graph"},
	{"planner/schedule", []string{"planner/graph", "lang/diag"}, "an order depends on the graph alone"},
	{"planner/liveness", []string{"planner/graph", "lang/diag"}, "lifetimes depend on the graph and its order"},
	{"planner/texture", []string{"planner/graph"}, "the geometry of images depends on shapes and element types alone"},
	{"planner/layout/texture", []string{"planner/layout"}, "image storages are laid out without names, configuration, input or output"},
	{"planner/layout/exact", nil, "the search knows buffers of one pool and nothing else"},
	{"planner/layout/problemfile", []string{"planner/layout", "planner/tabular", "lang/diag"}, "a reader makes problems and reports; it solves nothing"},
	{"planner/layout", []string{"planner/layout/exact"}, "the layout solver knows no names, no configuration, no input or output"},
	{"planner/plan", []string{"lang/diag", "lang/units"}, "the artifact stands alone"},
	{"planner/explain", []string{"planner/graph", "planner/plan", "planner/texture", "lang/diag", "lang/units"}, "a plan explains its tensors by itself; the configuration is not needed"},
	{"planner/export/picture", []string{"planner/graph", "planner/plan", "planner/texture", "planner/explain", "lang/units"}, "a picture shows a plan with its explanations; the model is not needed"},
	{"planner/export", []string{"planner/graph", "planner/graph/source", "planner/graph/tflite", "planner/export/picture", "planner/plan", "planner/texture", "lang/diag"}, "a writer of another format needs the plan and its graph, or the model file that it adds to, and decides nothing"},
	{"planner/check", []string{"planner/graph", "planner/plan", "lang/diag", "lang/units"}, "the checker shares no code with what it checks, the layout least of all"},
	{"planner/scope", []string{"planner/graph", "planner/texture", "lang/diag", "lang/units"}, "scopes are decided without seeing the configuration's syntax"},
	{"planner", []string{"planner/...", "lang/..."}, "the façade is the only planner package that sees the configuration"},

	{"runtime/opencl/opencltest", []string{"runtime/opencl", "testdata/needs", "lang/diag"}, "tests of several packages share a session of OpenCL"},
	{"runtime/...", []string{"runtime/...", "planner/graph", "planner/graph/array", "planner/plan", "planner/texture", "lang/diag", "lang/units"}, "a runtime executes a plan, images by their geometry; it cannot change one"},

	{"editors", nil, "editors see the language server from outside"},

	{"cmd/memplan-lsp/...", []string{"cmd/memplan-lsp/...", "lang/...", "planner/..."}, "an editor never runs a graph"},
	{"cmd/memplan/...", []string{"cmd/memplan/...", "lang/...", "planner/...", "runtime/..."}, "the command line sees all"},
}

type listed struct {
	ImportPath string
	Imports    []string
}

func TestImportsFollowThePolicy(t *testing.T) {
	for _, pkg := range listPackages(t) {
		name := strings.TrimPrefix(pkg.ImportPath, module)
		row := -1
		for i := range policy {
			if matches(policy[i].pkg, name) {
				row = i
				break
			}
		}
		if row < 0 {
			t.Errorf("%s: no row of the import policy covers it", name)
			continue
		}
		for _, imported := range pkg.Imports {
			if !strings.HasPrefix(imported, module) {
				continue
			}
			imported = strings.TrimPrefix(imported, module)
			if !matchesAny(policy[row].may, imported) {
				t.Errorf("%s imports %s, which the policy forbids: %s", name, imported, policy[row].reason)
			}
		}
	}
}

// TestTheArchitecturePageNamesEveryPackage wants each package by its path, or by the last part of it, as code.
func TestTheArchitecturePageNamesEveryPackage(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	require.NoError(t, err)
	for _, pkg := range listPackages(t) {
		name, inside := strings.CutPrefix(pkg.ImportPath, module)
		if !inside || strings.Contains(name, "testdata") {
			continue
		}
		named := regexp.MustCompile("`([a-z/-]*/)?" + regexp.QuoteMeta(path.Base(name)) + "(`|/[a-zA-Z])")
		if !named.Match(text) {
			t.Errorf("docs/architecture.md says nothing of %s", name)
		}
	}
}

func matchesAny(patterns []string, name string) bool {
	for _, pattern := range patterns {
		if matches(pattern, name) {
			return true
		}
	}
	return false
}

func matches(pattern, name string) bool {
	tree, ok := strings.CutSuffix(pattern, "/...")
	return name == pattern || ok && (name == tree || strings.HasPrefix(name, tree+"/"))
}

func listPackages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		t.Fatalf("go list: %v\n%s", err, exit.Stderr)
	}
	require.NoError(t, err)
	var pkgs []listed
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var pkg listed
		err := dec.Decode(&pkg)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if strings.HasPrefix(pkg.ImportPath, module) {
			pkgs = append(pkgs, pkg)
		}
	}
	require.NotEmpty(t, pkgs)
	return pkgs
}
