package plan_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/plan"
)

func TestWritingThroughALinkKeepsTheLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(target, []byte("old"), 0o644))
	require.NoError(t, os.Symlink("target", link))
	require.NoError(t, plan.WriteFile(link, []byte("new")))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeSymlink)
	got, err := os.ReadFile(target)
	require.NoError(t, err)
	require.Equal(t, "new", string(got))
}

func TestADeviceStaysADevice(t *testing.T) {
	link := filepath.Join(t.TempDir(), "nowhere")
	require.NoError(t, os.Symlink(os.DevNull, link))
	require.NoError(t, plan.WriteFile(link, []byte("new")))
	info, err := os.Stat(link)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeDevice)
}

func TestADirectoryIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	require.ErrorContains(t, plan.WriteFile(dir, []byte("new")), "is a directory")
	require.DirExists(t, dir)
}
