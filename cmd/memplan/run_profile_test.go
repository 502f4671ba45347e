package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestATraceReplacesAnOldOneAsAWhole(t *testing.T) {
	dir := t.TempDir()
	path, kept := filepath.Join(dir, "trace.json"), filepath.Join(dir, "kept.json")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o644))
	require.NoError(t, os.Link(path, kept))
	r := &runner{options: runOptions{trace: path}}
	require.NoError(t, r.writeTrace())
	old, err := os.ReadFile(kept)
	require.NoError(t, err)
	require.Equal(t, "old", string(old), "the bytes of the old file are not touched")
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(data), "traceEvents")
}
