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
	errs := install(t, toolsOnly(t))
	for _, name := range []string{"python3-onnx", "libonnx-testdata", "gcc", "chromium"} {
		require.Contains(t, errs, "cannot install: "+name)
	}
}

func TestInstallSaysWhyAPackageIsMissing(t *testing.T) {
	tools := toolsOnly(t)
	bash := "#!" + filepath.Join(tools, "bash") + "\n"
	program(t, tools, "sudo", bash+"shift\n\"$@\"\n")
	program(t, tools, "apt-get", bash+"echo \"E: no route for $*\" >&2\nexit 100\n")
	errs := install(t, tools)
	require.Contains(t, errs, "E: no route for update")
	require.Contains(t, errs, "E: no route for install -y -qq --no-install-recommends gcc")
	require.Contains(t, errs, "cannot install: gcc")
}

// toolsOnly is a directory with what .ci/install itself uses, and no package manager.
func toolsOnly(t *testing.T) string {
	t.Helper()
	tools := t.TempDir()
	for _, tool := range []string{"bash", "grep", "id"} {
		path, err := exec.LookPath(tool)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(tools, tool)))
	}
	return tools
}

func program(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755))
}

// install runs .ci/install with the programs of a directory alone and returns what it complains about.
func install(t *testing.T, tools string) string {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(filepath.Join(tools, "bash"), ".ci/install")
	cmd.Env, cmd.Stdout, cmd.Stderr = []string{"PATH=" + tools}, &out, &errs
	require.NoError(t, cmd.Run(), errs.String())
	require.Empty(t, out.String())
	return errs.String()
}
