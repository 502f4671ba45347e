package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/export"
	"github.com/memplan/memplan/testdata/needs"
)

// TestGuidesDoWhatTheySay runs the commands of each guide, the lines "$ memplan ..." of its console blocks, one after the
// other in a directory with the files that the guide shows (blocks whose first line ends in "file=NAME") and the
// repository's testdata. What a block shows after a command are lines of what it prints, or "exit status N"; a command
// without such a line succeeds.
func TestGuidesDoWhatTheySay(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	guides, err := filepath.Glob(filepath.Join(root, "docs/guides/*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, guides)
	for i, guide := range guides {
		if !needs.Turn(i+2, 3) {
			continue
		}
		t.Run(filepath.Base(guide), func(t *testing.T) {
			page, err := os.ReadFile(guide)
			require.NoError(t, err)
			t.Chdir(t.TempDir())
			require.NoError(t, os.Symlink(filepath.Join(root, "testdata"), "testdata"))
			steps := 0
			for _, block := range blocks(string(page)) {
				if name, ok := strings.CutPrefix(block.word(), "file="); ok {
					require.NoError(t, os.WriteFile(name, []byte(block.text), 0o644))
				}
				if block.info == "console" {
					steps += runBlock(t, block.text)
				}
			}
			require.NotZero(t, steps, "a guide has commands")
		})
	}
}

// TestTheREADMEDoesWhatItSays runs the commands of the README's tour in a copy of what they read of the repository.
func TestTheREADMEDoesWhatItSays(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	for _, example := range []string{"face-detector", "quickstart"} {
		dir := filepath.Join("examples", example)
		require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join(root, dir))))
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "config.lock.json"))) // of whoever tried the example
	}
	require.NoError(t, os.Symlink(filepath.Join(root, "testdata"), "testdata"))
	steps := 0
	for _, block := range blocks(string(page)) {
		if block.info == "console" {
			steps += runBlock(t, block.text)
		}
	}
	require.NotZero(t, steps)
}

// fenced is a block of a page between lines of backquotes; info is what stands behind the first.
type fenced struct{ info, text string }

// word is the last word of the info.
func (f *fenced) word() string { return f.info[strings.LastIndexByte(f.info, ' ')+1:] }

func blocks(page string) (out []fenced) {
	inside := false
	for line := range strings.Lines(page) {
		fence, isFence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case isFence && !inside:
			out, inside = append(out, fenced{info: fence}), true
		case isFence:
			inside = false
		case inside:
			out[len(out)-1].text += line
		}
	}
	return out
}

// runBlock runs the commands of a console block and returns how many there were.
func runBlock(t *testing.T, text string) (commands int) {
	for part := range strings.SplitSeq("\n"+text, "\n$ ") {
		command, shown, _ := strings.Cut(part, "\n")
		if !strings.HasPrefix(command, "memplan ") {
			continue
		}
		commands++
		got := transcribe(t, command)
		if !strings.Contains(shown, "exit status") {
			assert.NotContains(t, got, "\nexit status", command)
		}
		for line := range strings.Lines(shown) {
			assert.Contains(t, got, strings.TrimSpace(line), command)
		}
	}
	return commands
}

func TestThePageOfExportsNamesEveryFormat(t *testing.T) {
	page, err := os.ReadFile("../../docs/exports.md")
	require.NoError(t, err)
	for _, f := range export.Formats() {
		assert.Contains(t, string(page), "| `"+f.Name+"` |")
		assert.Regexp(t, regexp.MustCompile(`(?m)^## (.* )?`+f.Name+`( |$)`), string(page))
	}
}
