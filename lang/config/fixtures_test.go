package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

// expected is a comment of the form "# MP0103: part of the detail" on the guilty line.
var expected = regexp.MustCompile(`# (MP\d{4}):(?: ([^#]*))?`)

type expectation struct {
	line     int
	id       diag.ID
	fragment string
}

func expectations(src string) []expectation {
	var found []expectation
	for i, line := range strings.Split(src, "\n") {
		for _, match := range expected.FindAllStringSubmatch(line, -1) {
			found = append(found, expectation{i + 1, diag.ID(match[1]), strings.TrimSpace(match[2])})
		}
	}
	return found
}

// TestFixtures matches the diagnostics of every fixture one to one with the comments in it.
func TestFixtures(t *testing.T) {
	for _, kind := range []string{"valid", "invalid", "warning"} {
		paths, err := filepath.Glob("testdata/" + kind + "/*.hcl")
		require.NoError(t, err)
		require.NotEmpty(t, paths)
		for _, path := range paths {
			t.Run(kind+"/"+filepath.Base(path), func(t *testing.T) {
				src, err := os.ReadFile(path)
				require.NoError(t, err)
				cfg, ds := config.Load(syntax.Disk{}, filepath.ToSlash(path), eval.VariableSources{})
				require.NotNil(t, cfg)
				matchOneToOne(t, expectations(string(src)), ds)
				assert.Equal(t, kind == "invalid", ds.HasErrors())
				assert.Equal(t, kind != "invalid", cfg.Digest() != "")
				assert.Equal(t, kind == "valid", len(ds) == 0)
			})
		}
	}
}

func matchOneToOne(t *testing.T, wants []expectation, ds diag.Diagnostics) {
	t.Helper()
	for _, d := range ds.Sorted() {
		checkForm(t, d)
		at := slices.IndexFunc(wants, func(w expectation) bool {
			return d.Subject != nil && w.line == d.Subject.Start.Line && w.id == d.ID && strings.Contains(d.Detail, w.fragment)
		})
		if at < 0 {
			t.Errorf("unexpected: %s", describe(d))
			continue
		}
		wants = slices.Delete(wants, at, at+1)
	}
	for _, w := range wants {
		t.Errorf("missing: line %d: %s: %s", w.line, w.id, w.fragment)
	}
}

func describe(d diag.Diagnostic) string {
	where := "-"
	if d.Subject != nil {
		where = fmt.Sprintf("%d:%d-%d:%d", d.Subject.Start.Line, d.Subject.Start.Column, d.Subject.End.Line, d.Subject.End.Column)
	}
	return fmt.Sprintf("%s %s %s: %s", where, d.ID, d.Summary, d.Detail)
}

// checkForm checks what every diagnostic owes its reader.
func checkForm(t *testing.T, d diag.Diagnostic) {
	t.Helper()
	assert.Less(t, len(d.Summary), 60)
	assert.NotContains(t, d.Detail, "%!")
	assert.Regexp(t, `[.?]$`, d.Detail, "the detail of %s is full sentences", d.ID)
	assert.NotRegexp(t, `[^.]\.\.(\s|$)| \.(\s|$)|[?!:;,]\.(\s|$)`, d.Detail)
	if d.Subject != nil {
		assert.LessOrEqual(t, d.Subject.Start.Line, d.Subject.End.Line)
		assert.LessOrEqual(t, d.Subject.Start.Byte, d.Subject.End.Byte)
	}
}
