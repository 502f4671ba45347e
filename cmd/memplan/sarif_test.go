package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
)

func TestSARIFIsValid(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("testdata/sarif/sarif-schema-2.1.0.json")
	require.NoError(t, err)
	at := hcl.Range{Filename: "a b.hcl", Start: hcl.Pos{Line: 2, Column: 3, Byte: 10}, End: hcl.Pos{Line: 2, Column: 8, Byte: 15}}
	first := diag.New(diag.UnknownAttribute, "There is none.").At(at)
	first.Related = []diag.Related{{Message: "the first one is here", Range: at}}
	for name, ds := range map[string]diag.Diagnostics{
		"no diagnostics":                     nil,
		"one without a place":                {diag.New(diag.PathNotFound, "It is not there.")},
		"two of one rule and one of another": {first, diag.New(diag.UnknownAttribute, "Nor this.").At(at), diag.New(diag.AlignmentBelowBase, "16 < 64.").At(at)},
	} {
		t.Run(name, func(t *testing.T) {
			report := sarifReport(ds)
			text, err := json.Marshal(report)
			require.NoError(t, err)
			instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			require.NoError(t, err)
			require.NoError(t, schema.Validate(instance))
			run := report.Runs[0]
			require.Len(t, run.Results, len(ds))
			for _, result := range run.Results {
				require.Equal(t, result.RuleID, run.Tool.Driver.Rules[result.RuleIndex].ID)
			}
		})
	}
}
