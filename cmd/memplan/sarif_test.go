package main

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
)

func TestSARIFIsValid(t *testing.T) {
	at := hcl.Range{Filename: "a b.hcl", Start: hcl.Pos{Line: 2, Column: 3, Byte: 10}, End: hcl.Pos{Line: 2, Column: 8, Byte: 15}}
	first := diag.New(diag.UnknownAttribute, "There is none.").At(at)
	first.Related = []diag.Related{{Message: "the first one is here", Range: at}}
	for name, ds := range map[string]diag.Diagnostics{
		"no diagnostics":                     nil,
		"one without a place":                {diag.New(diag.PathNotFound, "It is not there.")},
		"two of one rule and one of another": {first, diag.New(diag.UnknownAttribute, "Nor this.").At(at), diag.New(diag.AlignmentBelowBase, "16 < 64.").At(at)},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := json.Marshal(sarifReport(ds))
			require.NoError(t, err)
			report, err := sarif.FromBytes(text)
			require.NoError(t, err)
			require.NoError(t, report.Validate())
			require.Len(t, report.Runs[0].Results, len(ds))
			for _, result := range report.Runs[0].Results {
				require.Equal(t, *result.RuleID, *report.Runs[0].Tool.Driver.Rules[result.RuleIndex].ID)
			}
		})
	}
}
