package source_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph/source"
)

func TestTheNamedFileMayBeALinkAndItsSiblingsMayNotLeadOut(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	large := bytes.Repeat([]byte{7}, 2<<20)
	write := func(path string, content []byte) { require.NoError(t, os.WriteFile(path, content, 0o644)) }
	link := func(to, from string) { require.NoError(t, os.Symlink(to, filepath.Join(dir, from))) }
	write(filepath.Join(elsewhere, "real"), []byte("model"))
	write(filepath.Join(elsewhere, "secret"), []byte("secret"))
	write(filepath.Join(dir, "large.bin"), large)
	link(filepath.Join(elsewhere, "real"), "model")
	link(filepath.Join(elsewhere, "secret"), "absolute")
	link(elsewhere, "directory")
	link("large.bin", "inside")

	f, err := source.Open(source.Confined(dir, "model"), "model")
	require.NoError(t, err)
	require.Equal(t, "model", string(f.Bytes()))
	for _, rel := range []string{"large.bin", "inside"} {
		sibling, err := f.Sibling(rel)
		require.NoError(t, err, rel)
		require.True(t, bytes.Equal(large, sibling.Bytes()), rel)
	}
	for _, rel := range []string{"absolute", "directory/secret"} {
		_, err := f.Sibling(rel)
		require.Error(t, err, rel)
		require.NotErrorIs(t, err, fs.ErrNotExist, rel)
	}
	_, err = f.Sibling("missing")
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.NoError(t, f.Close())
}
