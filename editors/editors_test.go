// Package editors_test tries the language server in editors, and the parts of their extensions that run without them.
package editors_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/testdata/needs"
)

// need skips a test on a machine that lacks a program or file, and fails it where everything must be there.
func need(t *testing.T, programs []string, files ...string) {
	t.Helper()
	missing := ""
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			missing = name
		}
	}
	for _, name := range files {
		if _, err := os.Stat(filepath.FromSlash(name)); err != nil {
			missing = name
		}
	}
	if missing != "" {
		needs.Missing(t, "%s is missing: .ci/install installs it", missing)
	}
}

// run runs a program in a directory of this one; what it writes is shown when it fails.
func run(t *testing.T, dir string, env []string, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// server builds the language server.
func server(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "memplan-lsp")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	run(t, "..", nil, "go", "build", "-o", name, "./cmd/memplan-lsp")
	return name
}

func TestVisualStudioCode(t *testing.T) {
	need(t, []string{"node"}, "vscode/node_modules/.package-lock.json")
	bin := func(name string) string { return filepath.Join("node_modules", ".bin", name) }
	t.Run("the extension compiles", func(t *testing.T) { run(t, "vscode", nil, "node", bin("tsc"), "-p", ".") })
	t.Run("the grammar", func(t *testing.T) { run(t, "vscode", nil, "node", "--test", "test/grammar.test.js") })
	t.Run("the server with the protocol library", func(t *testing.T) {
		run(t, "vscode", []string{"MEMPLAN_LSP=" + server(t)}, "node", "--test", "test/client.test.js")
	})
	t.Run("the package", func(t *testing.T) {
		need(t, []string{"npm"})
		vsix := filepath.Join(t.TempDir(), "memplan.vsix")
		run(t, "vscode", nil, "node", bin("vsce"), "package", "--out", vsix)
		info, err := os.Stat(vsix)
		require.NoError(t, err)
		require.Less(t, info.Size(), int64(2_000_000))
	})
}

func TestNeovim(t *testing.T) {
	need(t, []string{"nvim", "sh", "timeout"})
	run(t, "neovim", []string{"MEMPLAN_LSP=" + server(t)}, "sh", "smoke.sh")
}

func TestEmacs(t *testing.T) {
	need(t, []string{"emacs", "sh", "timeout"})
	run(t, "emacs", []string{"MEMPLAN_LSP=" + server(t)}, "sh", "smoke.sh")
}
