package source_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph/source"
)

// openRoot writes files below a new directory and returns the file system of an os.Root there.
func openRoot(t *testing.T, files map[string][]byte) (fs.FS, string) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, content, 0o644))
	}
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, root.Close()) })
	return root.FS(), dir
}

func TestOpenGivesTheContent(t *testing.T) {
	large := bytes.Repeat([]byte("0123456789abcdef"), 1<<17)
	contents := map[string][]byte{"empty": {}, "small": []byte("abc"), "models/large": large}
	onDisk, _ := openRoot(t, contents)
	inMemory := fstest.MapFS{}
	for name, content := range contents {
		inMemory[name] = &fstest.MapFile{Data: content}
	}
	for kind, fsys := range map[string]fs.FS{"on disk": onDisk, "in memory": inMemory} {
		for name, content := range contents {
			t.Run(kind+" "+name, func(t *testing.T) {
				f, err := source.Open(fsys, name)
				require.NoError(t, err)
				assert.Equal(t, name, f.Name())
				assert.True(t, bytes.Equal(content, f.Bytes()))
				assert.Equal(t, int64(len(content)), f.Size())
				assert.Equal(t, source.FromBytes(name, content).Digest(), f.Digest())
				require.NoError(t, f.Close())
				require.NoError(t, f.Close(), "closing twice")
			})
		}
	}
}

func TestDigestIsThatOfTheBytes(t *testing.T) {
	f := source.FromBytes("x", []byte("abc"))
	assert.Equal(t, "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", f.Digest())
	require.NoError(t, f.Close())
}

func TestMappedContentOutlivesReplacementByRename(t *testing.T) {
	large := bytes.Repeat([]byte{7}, 2<<20)
	fsys, dir := openRoot(t, map[string][]byte{"m": large, "new": []byte("new")})
	f, err := source.Open(fsys, "m")
	require.NoError(t, err)
	require.NoError(t, os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "m")))
	assert.True(t, bytes.Equal(large, f.Bytes()))
	require.NoError(t, f.Close())
}

func TestOpenRefusesWhatIsNoFile(t *testing.T) {
	fsys, dir := openRoot(t, map[string][]byte{"models/a": nil})
	outside := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(outside, []byte("secret"), 0o644))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "link")))
	for _, name := range []string{"models", "missing", "../x", "/etc/passwd", "", "link"} {
		t.Run(name, func(t *testing.T) {
			_, err := source.Open(fsys, name)
			require.Error(t, err)
		})
	}
	_, err := source.Open(fsys, "missing")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestSiblingIsOpenedOnceBesideTheFile(t *testing.T) {
	fsys, _ := openRoot(t, map[string][]byte{"models/a": nil, "models/w.bin": []byte("w"), "models/sub/v.bin": []byte("v")})
	f, err := source.Open(fsys, "models/a")
	require.NoError(t, err)
	w, err := f.Sibling("w.bin")
	require.NoError(t, err)
	assert.Equal(t, "w", string(w.Bytes()))
	assert.Equal(t, "models/w.bin", w.Name())
	again, err := f.Sibling("w.bin")
	require.NoError(t, err)
	assert.Same(t, w, again)
	v, err := f.Sibling("sub/v.bin")
	require.NoError(t, err)
	assert.Equal(t, "v", string(v.Bytes()))
	require.NoError(t, f.Close())
}

func TestSiblingStaysInTheDirectory(t *testing.T) {
	fsys, _ := openRoot(t, map[string][]byte{"models/a": nil, "secret": nil})
	f, err := source.Open(fsys, "models/a")
	require.NoError(t, err)
	for _, rel := range []string{"", "..", "../secret", "x/../../secret", "/secret", `..\secret`, `\\host\share`, "C:secret", "c:/secret", "./a", "x//y", "a\x00b"} {
		t.Run(rel, func(t *testing.T) {
			_, err := f.Sibling(rel)
			require.ErrorIs(t, err, fs.ErrInvalid)
		})
	}
	_, err = f.Sibling("missing.bin")
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.NotContains(t, err.Error(), "missing.bin", "who asks names the file")
	_, err = f.Sibling(".")
	require.EqualError(t, err, "it is a directory, a file is needed")
	require.NoError(t, f.Close())

	_, err = source.FromBytes("a", nil).Sibling("w.bin")
	require.ErrorIs(t, err, fs.ErrNotExist)
}
