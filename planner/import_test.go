package planner

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph/source"
)

func TestATextTooLargeToReadIsRefusedUnread(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"net.json", "net.csv", "{net"} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte("{"), 0o644))
		require.NoError(t, os.Truncate(path, maxTextBytes+1), "a file with a hole needs no room")
		file, err := source.Open(os.DirFS(dir), name)
		require.NoError(t, err)
		_, ds := Import(file)
		require.NoError(t, file.Close())
		require.Len(t, ds, 1)
		require.Equal(t, "MP0581", string(ds[0].ID))
		require.Contains(t, ds[0].Detail, "1073741825 bytes")
	}
}
