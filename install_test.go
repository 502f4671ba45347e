package memplan_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A machine without apt-get runs the tests that it can: the script names what is missing, and does not fail.
func TestInstallGoesOnWithoutAPackageManager(t *testing.T) {
	tools := t.TempDir()
	for _, tool := range []string{"bash", "grep", "id"} {
		path, err := exec.LookPath(tool)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(tools, tool)))
	}
	var out, errs bytes.Buffer
	cmd := exec.Command(filepath.Join(tools, "bash"), ".ci/install")
	cmd.Env, cmd.Stdout, cmd.Stderr = []string{"PATH=" + tools}, &out, &errs
	require.NoError(t, cmd.Run(), errs.String())
	require.Empty(t, out.String())
	for _, name := range []string{"python3-onnx", "libonnx-testdata", "gcc", "chromium"} {
		require.Contains(t, errs.String(), "cannot install: "+name)
	}
}
