package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// TestCommandsPageIsCurrent writes docs/commands.md from the commands themselves.
func TestCommandsPageIsCurrent(t *testing.T) {
	root := (&app{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}}).newRoot()
	var b strings.Builder
	b.WriteString("# Commands\n\n<!-- Generated from the commands of cmd/memplan by `make update`. Do not edit. -->\n\n")
	fmt.Fprintf(&b, "```text\n%s\n```\n\n", root.Long)
	b.WriteString("| command | what it does |\n|---|---|\n")
	for _, cmd := range root.Commands() {
		fmt.Fprintf(&b, "| [%s](#memplan-%s) | %s |\n", cmd.Name(), cmd.Name(), cmd.Short)
	}
	b.WriteString("\nWhat a command writes with `-json` is described by the schemas in [schemas/](schemas), a plan by [plan.schema.json](plan.schema.json).\n\n## Flags of every command\n\n")
	writeFlagTable(&b, root.PersistentFlags())
	for _, cmd := range root.Commands() {
		fmt.Fprintf(&b, "\n## memplan %s\n\n%s.\n\n```text\n%s\n```\n\n", cmd.Name(), cmd.Short, cmd.UseLine())
		if cmd.Long != "" {
			fmt.Fprintf(&b, "```text\n%s\n```\n\n", cmd.Long)
		}
		writeFlagTable(&b, cmd.LocalFlags())
	}
	compareOrUpdate(t, "../../docs/commands.md", []byte(b.String()))
}

func writeFlagTable(b *strings.Builder, flags *pflag.FlagSet) {
	lines := flagLines(flags)
	if len(lines) == 0 {
		return
	}
	b.WriteString("| flag | meaning |\n|---|---|\n")
	for _, line := range lines {
		fmt.Fprintf(b, "| `%s` | %s |\n", line.form, strings.ReplaceAll(line.usage, "|", "\\|"))
	}
}

// manDate is the date that cobra puts into manual pages. They are the same on any day.
var manDate = regexp.MustCompile(`"Jan 1970" `)

// TestManualPagesAreCurrent writes docs/man from the commands themselves.
func TestManualPagesAreCurrent(t *testing.T) {
	root := (&app{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}}).newRoot()
	root.DisableAutoGenTag = true
	epoch := time.Unix(0, 0).UTC()
	pages := map[string]bool{}
	for _, cmd := range append(root.Commands(), root) {
		cmd.DisableAutoGenTag = true
		var b bytes.Buffer
		require.NoError(t, doc.GenMan(inCode(cmd), &doc.GenManHeader{Section: "1", Source: "memplan " + version(), Manual: "memplan", Date: &epoch}, &b))
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		pages[name] = true
		compareOrUpdate(t, filepath.Join("../../docs/man", name), manDate.ReplaceAll(b.Bytes(), []byte(`"" `)))
	}
	entries, err := os.ReadDir("../../docs/man")
	require.NoError(t, err)
	for _, entry := range entries {
		require.True(t, pages[entry.Name()], "%s is of no command", entry.Name())
	}
}

// inCode keeps the lines of a command's description as they are: it holds examples and columns.
func inCode(cmd *cobra.Command) *cobra.Command {
	if cmd.Long != "" {
		cmd.Long = "\n" + regexp.MustCompile(`(?m)^`).ReplaceAllString(cmd.Long, "    ") + "\n"
	}
	return cmd
}

func compareOrUpdate(t *testing.T, file string, data []byte) {
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, data, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.True(t, bytes.Equal(want, data), "%s is stale: run make update", file)
}
