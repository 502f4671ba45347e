package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mattn/go-shellwords"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/testdata/needs"
)

// transcript is what an example's commands print, in its directory.
const transcript = "expected.txt"

// TestExamplesDoWhatTheirREADMEsSay runs the commands of each example's README.md, the lines "$ memplan ..." of its console
// blocks, from the root of a copy of the repository's tree, and compares what they print with the example's expected.txt.
// Every directory of examples/ takes part.
func TestExamplesDoWhatTheirREADMEsSay(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	entries, err := os.ReadDir(filepath.Join(root, "examples"))
	require.NoError(t, err)
	ran := 0
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		if ran++; !needs.Turn(ran, 3) {
			continue
		}
		t.Run(entry.Name(), func(t *testing.T) { checkExample(t, root, filepath.Join("examples", entry.Name())) })
	}
	require.NotZero(t, ran)
}

func checkExample(t *testing.T, root, example string) {
	readme, err := os.ReadFile(filepath.Join(root, example, "README.md"))
	require.NoError(t, err, "every example has a README.md with its story")
	commands := consoleCommands(string(readme))
	require.NotEmpty(t, commands, "the README of an example has a console block with a line \"$ memplan ...\"")

	copied := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(copied, example), os.DirFS(filepath.Join(root, example))))
	// Examples read the models of the repository and write beside their own configuration only.
	require.NoError(t, os.Symlink(filepath.Join(root, "testdata"), filepath.Join(copied, "testdata")))
	t.Chdir(copied)

	var got strings.Builder
	for _, command := range commands {
		text := transcribe(t, command)
		require.Equal(t, strings.HasSuffix(command, meantToFail), strings.Contains(text, "\nexit status"), "%s\n%s", command, text)
		got.WriteString(text)
	}
	golden := filepath.Join(root, example, transcript)
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err, "write it with -update, and look at it")
	require.Equal(t, string(want), got.String())
}

// meantToFail ends the line of a command that shows how memplan refuses something. All others must succeed.
const meantToFail = " # fails"

// consoleCommands returns the lines "$ memplan ..." of the console blocks of a page, without the "$ ".
func consoleCommands(page string) (commands []string) {
	inside := false
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```console"
		case inside && strings.HasPrefix(line, "$ memplan "):
			commands = append(commands, strings.TrimPrefix(line, "$ "))
		}
	}
	return commands
}

// transcribe runs a command and returns it with all it prints, and its exit code unless that is 0.
func transcribe(t *testing.T, command string) string {
	var out, errs bytes.Buffer
	a := &app{stdin: strings.NewReader(""), stdout: &out, stderr: &errs}
	words, err := shellwords.Parse(strings.TrimSuffix(command, meantToFail))
	require.NoError(t, err, command)
	code := a.main(t.Context(), words[1:])
	text := fmt.Sprintf("$ %s\n%s%s", command, out.String(), errs.String())
	if code != exitOK {
		text += fmt.Sprintf("exit status %d\n", code)
	}
	return withoutMachine(text) + "\n"
}

var (
	milliseconds = regexp.MustCompile(`\d+\.\d+ ms`)
	tinyError    = regexp.MustCompile(`\b\d(\.\d+)?e-\d+ *`)
)

// withoutMachine takes out what depends on the machine: latencies, and the last bits of sums.
func withoutMachine(text string) string {
	return tinyError.ReplaceAllString(milliseconds.ReplaceAllString(text, "... ms"), "tiny  ")
}
