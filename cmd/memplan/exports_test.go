package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/schema"
	"github.com/memplan/memplan/planner/export"
)

// The language may not see the planner, so the table of formats stands in both.
func TestTheLanguageKnowsTheFormatsOfExport(t *testing.T) {
	var want []schema.Value
	for _, f := range export.Formats() {
		want = append(want, schema.Value{Name: f.Name, Doc: f.Doc})
	}
	require.Equal(t, want, schema.Root().Block("export").Attribute("format").Values)
}
