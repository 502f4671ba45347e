package view

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
)

const example = "pool \"arena\" {\n\tsize = \"24MiB\"\n  aling = var.é[\"x\"] + 1\n}\n"

func TestPeopleAreShownTheFirstOfAKindAndTheNumberOfTheOthers(t *testing.T) {
	var ds diag.Diagnostics
	for i := range 10_000 {
		ds = append(ds, diag.New(diag.CheckFailed, "Check %05d failed.", i))
	}
	ds = append(ds, diag.New(diag.UnknownCommand, "There is no command."))
	var b strings.Builder
	writeDiagnostics(&b, false, 80, nil, ds)
	require.Equal(t, 20, strings.Count(b.String(), "Error: Check failed"))
	require.Contains(t, b.String(), "Check 00019 failed.")
	require.Contains(t, b.String(), "There is no command.")
	require.True(t, strings.HasSuffix(b.String(), "╵\n... and 9980 errors more: Check failed (MP0218). -json shows all.\n"), b.String())
	require.Len(t, jsonDiagnostics(nil, ds), 10_001)
}

func exampleSources(t *testing.T) Sources {
	file, ds := hclsyntax.ParseConfig([]byte(example), "net.hcl", hcl.InitialPos)
	require.False(t, ds.HasErrors())
	return func(name string) *hcl.File {
		if name == "net.hcl" {
			return file
		}
		return nil
	}
}

// exampleDiagnostic is about the value of aling, and about size before it.
func exampleDiagnostic(t *testing.T) diag.Diagnostic {
	file := exampleSources(t)("net.hcl")
	block := file.Body.(*hclsyntax.Body).Blocks[0]
	expr := block.Body.Attributes["aling"].Expr
	r := expr.Range()
	return diag.Diagnostic{
		ID: "MP0111", Severity: diag.Error, Summary: "Unknown attribute",
		Detail:  "A pool has no attribute \"aling\". Did you mean \"alignment\"? This sentence is here to make the line longer than the width.",
		Subject: &r, Expression: expr,
		EvalContext: &hcl.EvalContext{Variables: map[string]cty.Value{"var": cty.ObjectVal(map[string]cty.Value{"é": cty.MapVal(map[string]cty.Value{"x": cty.NumberIntVal(3)})})}},
		Related:     []diag.Related{{Message: "The pool is sized here:", Range: block.Body.Attributes["size"].Range()}},
	}
}

func TestADiagnosticForPeople(t *testing.T) {
	var out bytes.Buffer
	writeDiagnostics(&out, false, 80, exampleSources(t), diag.Diagnostics{exampleDiagnostic(t)})
	require.Equal(t, `╷
│ Error: Unknown attribute (MP0111)
│
│   on net.hcl line 3, in pool "arena":
│   3:   aling = var.é["x"] + 1
│                ‾‾‾‾‾‾‾‾‾‾‾‾‾‾
│     ├────────────────
│     │ var.é["x"] is 3
│
│ A pool has no attribute "aling". Did you mean "alignment"? This sentence is
│ here to make the line longer than the width.
│
│   The pool is sized here:
│   on net.hcl line 2, in pool "arena":
│   2:     size = "24MiB"
│          ‾‾‾‾‾‾‾‾‾‾‾‾‾‾
╵
`, out.String())
}

func TestADiagnosticWithoutTextNamesItsFileAlone(t *testing.T) {
	d := diag.Diagnostic{ID: "MP0301", Severity: diag.Warning, Summary: "Odd model", Detail: "It is odd.", Subject: &hcl.Range{Filename: "net.onnx", Start: hcl.InitialPos, End: hcl.InitialPos}}
	var out bytes.Buffer
	writeDiagnostics(&out, false, 0, exampleSources(t), diag.Diagnostics{d})
	require.Equal(t, "╷\n│ Warning: Odd model (MP0301)\n│\n│   on net.onnx\n│\n│ It is odd.\n╵\n", out.String())
}

func TestColourOnlyWhereItIsWanted(t *testing.T) {
	var plain, coloured bytes.Buffer
	ds := diag.Diagnostics{exampleDiagnostic(t)}
	writeDiagnostics(&plain, false, 80, nil, ds)
	writeDiagnostics(&coloured, true, 80, nil, ds)
	require.NotContains(t, plain.String(), "\x1b")
	require.Contains(t, coloured.String(), "\x1b[31m")
}

func TestSnippetsAreOnlyOfTextFitToPrint(t *testing.T) {
	sources := func(string) *hcl.File { return &hcl.File{Bytes: []byte("a\x1b[31mb\nok\n")} }
	at := func(start, end int) *hcl.Range {
		return &hcl.Range{Filename: "x", Start: hcl.Pos{Line: 1, Byte: start}, End: hcl.Pos{Byte: end}}
	}
	require.Nil(t, snippetOf(sources, at(0, 1)), "escape sequences of a file do not reach the terminal")
	require.Nil(t, snippetOf(sources, at(99, 100)), "a range beyond the text has none")
	require.Nil(t, snippetOf(sources, nil))
	require.Equal(t, &snippet{Line: 1, Text: "ok", From: 1, To: 2}, snippetOf(sources, at(9, 99)), "a range over several lines ends with the first")
}

func TestADiagnosticAsJSON(t *testing.T) {
	d := exampleDiagnostic(t)
	got := jsonDiagnostics(exampleSources(t), diag.Diagnostics{d})
	require.Len(t, got, 1)
	data, err := json.Marshal(got[0])
	require.NoError(t, err)
	var generic map[string]any
	require.NoError(t, json.Unmarshal(data, &generic))
	require.Equal(t, "error", generic["severity"])
	require.Equal(t, "MP0111", generic["code"])
	r := generic["range"].(map[string]any)
	require.Equal(t, "net.hcl", r["filename"])
	require.Equal(t, map[string]any{"line": 3.0, "column": 11.0, "byte": 41.0}, r["start"])
	s := generic["snippet"].(map[string]any)
	require.Equal(t, `pool "arena"`, s["context"])
	require.Equal(t, []any{map[string]any{"traversal": `var.é["x"]`, "statement": "is 3"}}, s["values"])
	require.Len(t, generic["related"], 1)
}

func TestReportsCountWhatTheyList(t *testing.T) {
	warning := diag.Diagnostic{ID: "MP0001", Severity: diag.Warning, Summary: "w"}
	r := reportOf(nil, diag.Diagnostics{exampleDiagnostic(t), warning, warning})
	require.Equal(t, 1, r.ErrorCount)
	require.Equal(t, 1, r.WarningCount, "exact repeats are listed once")
	require.Len(t, r.Diagnostics, 2)
	empty, err := json.Marshal(reportOf(nil, nil))
	require.NoError(t, err)
	require.Contains(t, string(empty), `"diagnostics":[]`)
}

func TestValuesAreWrittenAsAConfigurationWould(t *testing.T) {
	many := make([]cty.Value, 9)
	for i := range many {
		many[i] = cty.NumberIntVal(int64(i))
	}
	for want, value := range map[string]cty.Value{
		`"a\"b"`:                     cty.StringVal(`a"b`),
		"9223372036854775807":        cty.NumberIntVal(1<<63 - 1),
		"1.5":                        cty.NumberFloatVal(1.5),
		"true":                       cty.True,
		"null":                       cty.NullVal(cty.String),
		"known only after planning":  cty.UnknownVal(cty.Number),
		"[1, 2]":                     cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.NumberIntVal(2)}),
		"a list of 9 elements":       cty.ListVal(many),
		`{ a = true, "b c" = null }`: cty.ObjectVal(map[string]cty.Value{"a": cty.True, "b c": cty.NullVal(cty.Bool)}),
		`"marked"`:                   cty.StringVal("marked").Mark(eval.Planned("pool.arena.peak")),
		"(sensitive)":                cty.StringVal("hidden").Mark(eval.Sensitive),
	} {
		require.Equal(t, want, valueText(value))
	}
}

func TestALongCollectionBesideASnippetIsWrittenByItsSize(t *testing.T) {
	long := cty.StringVal(strings.Repeat("x", longestText))
	require.Equal(t, "a map of 1 element", briefText(cty.MapVal(map[string]cty.Value{"t": long})))
	require.Equal(t, "an object of 1 attribute", briefText(cty.ObjectVal(map[string]cty.Value{"t": long})))
	require.Equal(t, "a list of 1 element", briefText(cty.SetVal([]cty.Value{long})))
	require.Equal(t, "(sensitive)", briefText(cty.ListVal([]cty.Value{long}).Mark(eval.Sensitive)))
	require.Equal(t, "[1]", briefText(cty.TupleVal([]cty.Value{cty.NumberIntVal(1)})))
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestAViewGoesOnWhenItsWriterFails(t *testing.T) {
	NewVersion(true, &Terminal{Out: brokenWriter{}}).Result(Build{})
}
