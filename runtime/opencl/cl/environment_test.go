//go:build unix

package cl

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCompiledKernelsAreKeptOnlyWhereNobodyElseWrites(t *testing.T) {
	for _, c := range []struct {
		name  string
		make  func(t *testing.T, dir string)
		taken bool
	}{
		{"nothing is there", func(*testing.T, string) {}, true},
		{"a directory of one's own", func(t *testing.T, dir string) { require.NoError(t, os.Mkdir(dir, 0o700)) }, true},
		{"a directory that others may enter", func(t *testing.T, dir string) {
			require.NoError(t, os.Mkdir(dir, 0o700))
			require.NoError(t, os.Chmod(dir, 0o777))
		}, false},
		{"a link to a directory", func(t *testing.T, dir string) { require.NoError(t, os.Symlink(t.TempDir(), dir)) }, false},
		{"a file", func(t *testing.T, dir string) { require.NoError(t, os.WriteFile(dir, nil, 0o600)) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			temporary := t.TempDir()
			// Without a home there is no better place.
			for name, value := range map[string]string{"TMPDIR": temporary, "HOME": "", "XDG_CACHE_HOME": "", "POCL_CACHE_DIR": "", "POCL_WORK_GROUP_SPECIALIZATION": ""} {
				t.Setenv(name, value)
			}
			fixed := filepath.Join(temporary, fmt.Sprintf("memplan-pocl-%d", os.Getuid()))
			c.make(t, fixed)
			require.NoError(t, prepareEnvironment())
			dir := os.Getenv("POCL_CACHE_DIR")
			require.Equal(t, c.taken, dir == fixed, dir)
			require.Equal(t, temporary, filepath.Dir(dir))
			require.True(t, ownedAlone(dir, os.Getuid()))
			require.False(t, ownedAlone(dir, os.Getuid()+1))
		})
	}
}
