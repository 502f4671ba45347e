package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// TestScriptsUseEveryFlagOfEveryCommand fails when a command, a flag of a command or one that all commands have is in no script that
// takes it for right use: a line that expects another exit status than that of wrong use.
func TestScriptsUseEveryFlagOfEveryCommand(t *testing.T) {
	root := (&app{}).newRoot()
	used := scriptedFlags(t, root)
	missing := map[string]bool{}
	for _, cmd := range append(commandsBelow(root), root) {
		if cmd != root && !used[cmd.CommandPath()] {
			missing[cmd.CommandPath()] = true
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !commandInDisguise(f) && !used[cmd.CommandPath()+" --"+f.Name] {
				missing[cmd.CommandPath()+" -"+f.Name] = true
			}
		})
	}
	require.Empty(t, slices.Sorted(maps.Keys(missing)), "no script uses these")
}

// commandInDisguise reports whether a flag is another way to ask for help or for the version.
func commandInDisguise(f *pflag.Flag) bool { return f.Name == "help" || f.Name == "version" }

// commandsBelow are the commands that do something of their own.
func commandsBelow(cmd *cobra.Command) (out []*cobra.Command) {
	for _, sub := range cmd.Commands() {
		if sub.Runnable() {
			out = append(out, sub)
		}
		out = append(out, commandsBelow(sub)...)
	}
	return out
}

// scriptedFlags are the commands that scripts call, and each flag that they call one with, behind its name and those of the
// commands that it belongs to: "memplan plan --out", "memplan --out".
func scriptedFlags(t *testing.T, root *cobra.Command) map[string]bool {
	files, err := filepath.Glob("testdata/script/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	used := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for line := range strings.Lines(string(txtar.Parse(data).Comment)) {
			if args, ok := scriptedCommand(line); ok {
				addUse(used, root, args)
			}
		}
	}
	return used
}

// scriptedCommand returns the arguments of memplan in a line of a script that does not expect wrong use.
func scriptedCommand(line string) ([]string, bool) {
	words := strings.Fields(strings.ReplaceAll(line, "'", ""))
	at := slices.Index(words, "memplan")
	if at < 1 || words[at-1] == "2" || words[at-1] != "exec" && !slices.Contains(words[:at], "exits") {
		return nil, false
	}
	return words[at+1:], true
}

func addUse(used map[string]bool, root *cobra.Command, args []string) {
	takes := valueFlags(root)
	line := spelledOut(normalise(args, takes), takes)
	cmd, _, err := root.Find(line)
	if err != nil || asksForHelp(line) {
		return
	}
	used[cmd.CommandPath()] = true
	for _, arg := range line {
		flag, _, _ := strings.Cut(arg, "=")
		if len(flag) == 2 && cmd.Flags().ShorthandLookup(flag[1:]) != nil {
			flag = "--" + cmd.Flags().ShorthandLookup(flag[1:]).Name
		}
		for c := cmd; c != nil; c = c.Parent() {
			used[c.CommandPath()+" "+flag] = true
		}
	}
}
