package schema_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/schema"
)

// blockTypes lists the types of all blocks of configurations and of test files, the longest first.
func blockTypes() []string {
	seen := map[string]bool{}
	var types []string
	var walk func(b *schema.Block)
	walk = func(b *schema.Block) {
		for i := range b.Blocks {
			inner := &b.Blocks[i]
			if !seen[inner.Type] {
				seen[inner.Type] = true
				types = append(types, inner.Type)
			}
			walk(inner)
		}
	}
	walk(schema.Root())
	walk(schema.TestFile())
	slices.Sort(types)
	return types
}

// TestGrammarIsCurrent writes the words of the language into the grammar of the editor extension.
func TestGrammarIsCurrent(t *testing.T) {
	template, err := os.ReadFile("testdata/memplan.tmLanguage.json")
	require.NoError(t, err)
	var roots []string
	for _, kind := range addr.Kinds() {
		roots = append(roots, string(kind))
	}
	roots = append(roots, "each", "count", "self", "tensor", "op")
	slices.Sort(roots)
	want := strings.NewReplacer("BLOCK_TYPES", strings.Join(blockTypes(), "|"), "ROOT_NAMES", strings.Join(roots, "|")).Replace(string(template))
	const grammar = "../../editors/vscode/syntaxes/memplan.tmLanguage.json"
	if *update {
		require.NoError(t, os.WriteFile(grammar, []byte(want), 0o644))
		return
	}
	got, err := os.ReadFile(grammar)
	require.NoError(t, err)
	assert.Equal(t, want, string(got), "the grammar is stale: run make update")
}
