package builtin_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/builtin"
	"github.com/memplan/memplan/lang/syntax"
)

func TestNamesAndTexts(t *testing.T) {
	assert.Equal(t, []string{"adreno", "mali", "pocl"}, builtin.Names())
	for _, name := range []string{"", "x", "../builtin", "adreno.hcl"} {
		_, ok := builtin.Source(name)
		assert.False(t, ok, name)
	}
}

func TestTextsAreCanonical(t *testing.T) {
	for _, name := range builtin.Names() {
		text, ok := builtin.Source(name)
		require.True(t, ok)
		assert.Equal(t, string(syntax.Canonical(text)), string(text), name)
	}
}
