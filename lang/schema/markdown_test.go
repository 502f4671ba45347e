package schema_test

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/schema"
	"github.com/memplan/memplan/lang/syntax"
)

var update = flag.Bool("update", false, "rewrite docs/language.md")

func TestLanguageReferenceIsCurrent(t *testing.T) {
	var functions []schema.FunctionDoc
	for _, f := range eval.Functions(syntax.Memory{}, ".") {
		functions = append(functions, schema.FunctionDoc{Category: f.Category, Signature: f.Signature, Doc: f.Doc, Example: f.Example})
	}
	const page = "../../docs/language.md"
	want := schema.Markdown(functions)
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o644))
	}
	got, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Equal(t, want, string(got), "docs/language.md is stale: run make update")
}
