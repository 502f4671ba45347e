package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// gateCommand finds memplan's command lines in the files of the example of a build pipeline.
var gateCommand = regexp.MustCompile(`(?m)^(?: *- run: )?(memplan .*)$`)

// TestTheGatePassesWhatWasAccepted runs the commands of the workflow and of the hook of examples/ci-gate in a copy whose plan
// was accepted.
func TestTheGatePassesWhatWasAccepted(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	gate := filepath.Join("examples", "ci-gate")
	require.NoError(t, os.CopyFS(filepath.Join(dir, gate), os.DirFS(filepath.Join(root, gate))))
	t.Chdir(dir)
	commands := []string{"memplan apply -auto-approve examples/ci-gate/config.hcl"}
	for _, file := range []string{"workflow.yml", "pre-commit"} {
		text, err := os.ReadFile(filepath.Join(gate, file))
		require.NoError(t, err)
		found := gateCommand.FindAllStringSubmatch(string(text), -1)
		require.NotEmpty(t, found, file)
		for _, command := range found {
			commands = append(commands, command[1])
		}
	}
	for _, command := range commands {
		var out bytes.Buffer
		a := &app{stdin: strings.NewReader(""), stdout: &out, stderr: &out}
		require.Zero(t, a.main(t.Context(), strings.Fields(command)[1:]), "%s\n%s", command, out.String())
	}
	require.FileExists(t, "memplan.sarif")
	require.FileExists(t, "memplan.xml")
}
