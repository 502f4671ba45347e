package config

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/schema"
	"github.com/memplan/memplan/lang/syntax"
)

func TestADeprecatedAttributeIsAWarningThatNamesItsSuccessor(t *testing.T) {
	known := &schema.Block{Type: "thing", Attributes: []schema.Attribute{{Name: "old", Type: schema.Text, Deprecated: `Use "new" instead.`}, {Name: "new", Type: schema.Text}}}
	file, ds := syntax.Parse("test.hcl", []byte("new = \"a\"\nold = \"b\"\n"))
	require.Empty(t, ds)
	var s structure
	b := s.body(known, file.Body, file.Body.SrcRange)
	assert.Len(t, b.order, 2)
	require.Len(t, s.diags, 1)
	assert.Equal(t, diag.ID("MP0110"), s.diags[0].ID)
	assert.Equal(t, diag.Warning, s.diags[0].Severity)
	assert.Contains(t, s.diags[0].Detail, `Use "new" instead.`)
	assert.Equal(t, 2, s.diags[0].Subject.Start.Line)
}
