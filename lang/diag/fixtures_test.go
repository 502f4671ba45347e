package diag_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
)

// TestEveryIDHasAFixture looks for each id in the tests and test data of the whole project.
func TestEveryIDHasAFixture(t *testing.T) {
	pattern := regexp.MustCompile(`MP\d{4}`)
	named := map[string]bool{}
	root := os.DirFS("../..")
	require.NoError(t, fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "models") {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, "_test.go") && !strings.Contains(name, "testdata/") {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		for _, id := range pattern.FindAllString(string(text), -1) {
			named[id] = true
		}
		return err
	}))
	for _, info := range diag.All() {
		require.True(t, named[string(info.ID)], "%s (%s) stands in no test and no test data", info.ID, info.Summary)
	}
}
