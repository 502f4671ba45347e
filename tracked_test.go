package memplan_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// largest is how many bytes a file outside of testdata may have.
const largest = 5_000_000

// programs are the first bytes of built programs.
var programs = map[string]string{
	"\x7fELF":          "an ELF program",
	"MZ":               "a PE program",
	"\xfe\xed\xfa\xce": "a Mach-O program",
	"\xfe\xed\xfa\xcf": "a Mach-O program",
	"\xce\xfa\xed\xfe": "a Mach-O program",
	"\xcf\xfa\xed\xfe": "a Mach-O program",
	"\xca\xfe\xba\xbe": "a Mach-O program for several processors",
}

// What is built is not source: a program that is added by mistake stays in the history of every clone.
func TestNoBuiltProgramAndNoLargeFileIsTracked(t *testing.T) {
	files := trackedFiles(t)
	require.True(t, slices.Contains(files, "deps_test.go"), "this very directory is listed")
	for _, name := range files {
		info, err := os.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed, but not committed yet
		}
		require.NoError(t, err)
		if info.Mode().IsRegular() {
			assert.Empty(t, fault(t, name, info.Size()), name)
		}
	}
}

func TestBuiltProgramsAndLargeFilesAreRecognised(t *testing.T) {
	dir := t.TempDir()
	for start, kind := range programs {
		name := filepath.Join(dir, "memplan")
		require.NoError(t, os.WriteFile(name, []byte(start+"rest"), 0o755))
		require.Equal(t, kind, fault(t, name, 8))
	}
	script := filepath.Join(dir, "script")
	require.NoError(t, os.WriteFile(script, []byte("#!"), 0o755))
	require.Empty(t, fault(t, script, largest))
	require.Equal(t, "a large file", fault(t, script, largest+1))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "testdata"), 0o755))
	model := filepath.Join(dir, "testdata", "model")
	require.NoError(t, os.WriteFile(model, nil, 0o644))
	require.Empty(t, fault(t, model, largest+1))
}

// fault says why a file must not be tracked; "" when it may.
func fault(t *testing.T, name string, size int64) string {
	t.Helper()
	file, err := os.Open(name)
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	start, err := io.ReadAll(io.LimitReader(file, 4))
	require.NoError(t, err)
	for magic, kind := range programs {
		if bytes.HasPrefix(start, []byte(magic)) {
			return kind
		}
	}
	if size > largest && !slices.Contains(strings.Split(filepath.ToSlash(name), "/"), "testdata") {
		return "a large file"
	}
	return ""
}

// trackedFiles are the files that git tracks; in a checkout without git all but what the tests install and make build
// writes.
func trackedFiles(t *testing.T) []string {
	t.Helper()
	if _, err := os.Stat(".git"); errors.Is(err, fs.ErrNotExist) {
		return walkedFiles(t)
	}
	// The owner of a checkout in a container may be another one.
	cmd := exec.Command("git", "-c", "safe.directory=*", "ls-files", "-z")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	require.NoError(t, err, errs.String())
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

func walkedFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	require.NoError(t, filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !entry.IsDir():
			files = append(files, name)
		case entry.Name() == "node_modules" || name == "bin":
			return filepath.SkipDir
		}
		return nil
	}))
	return files
}
