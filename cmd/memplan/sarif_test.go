package main

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
)

func TestSARIFIsValid(t *testing.T) {
	text, err := os.ReadFile("testdata/sarif/sarif-schema-2.1.0.json")
	require.NoError(t, err)
	var document map[string]any
	require.NoError(t, json.Unmarshal(text, &document))
	// It is written in draft 4, and what it uses of that means the same today but for these two names.
	delete(document, "$schema")
	delete(document, "id")
	schema, err := resolved(document)
	require.NoError(t, err)
	require.Error(t, schema.Validate(map[string]any{"version": "2.1.0"}), "runs are missing")
	at := hcl.Range{Filename: "a b.hcl", Start: hcl.Pos{Line: 2, Column: 3, Byte: 10}, End: hcl.Pos{Line: 2, Column: 8, Byte: 15}}
	text = []byte("pool \"e\u0301\" { size = \"24\" }\n")
	file, hclDiags := hclsyntax.ParseConfig(text, "net.hcl", hcl.InitialPos)
	require.Empty(t, hclDiags)
	sources := func(name string) *hcl.File {
		if name == "net.hcl" {
			return file
		}
		return nil
	}
	size := file.Body.(*hclsyntax.Body).Blocks[0].Body.Attributes["size"].Expr.Range()
	fixed := sarifFixes(sources, &diag.Diagnostic{Subject: &size, Fixes: []diag.Fix{diag.Replace{Text: "24", With: "32"}}})
	require.Equal(t, []sarifReplacement{{sarifRegion{1, 21, 1, 23}, sarifContent{"32"}}}, fixed[0].Changes[0].Replacements, "columns are characters")
	first := diag.New(diag.UnknownAttribute, "There is none.").At(at)
	first.Related = []diag.Related{{Message: "the first one is here", Range: at}}
	for name, ds := range map[string]diag.Diagnostics{
		"no diagnostics":                     nil,
		"one without a place":                {diag.New(diag.PathNotFound, "It is not there.")},
		"two of one rule and one of another": {first, diag.New(diag.UnknownAttribute, "Nor this.").At(at), diag.New(diag.AlignmentBelowBase, "16 < 64.").At(at)},
		"one that turns text round":          {diag.New(diag.CheckFailed, "Check failed: \u202e\x1b[31m\u2028.")},
		"one with fixes":                     {diag.New(diag.UnknownBlock, "It is another.").At(size).With(diag.Replace{Text: "24", With: "32"}, diag.RaiseSize{Bytes: 64})},
	} {
		t.Run(name, func(t *testing.T) {
			report := sarifReport(sources, ds)
			text, err := json.Marshal(report)
			require.NoError(t, err)
			var instance any
			require.NoError(t, json.Unmarshal(text, &instance))
			require.NoError(t, schema.Validate(instance))
			require.NotRegexp(t, `\p{Cf}|\p{Zl}|\\u00[01]`, string(text))
			run := report.Runs[0]
			require.Len(t, run.Results, len(ds))
			for _, result := range run.Results {
				require.Equal(t, result.RuleID, run.Tool.Driver.Rules[result.RuleIndex].ID)
			}
		})
	}
}
