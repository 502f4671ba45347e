package diag_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
)

var update = flag.Bool("update", false, "rewrite docs/diagnostics.md")

// ranges names the groups of ids by their first two digits.
var ranges = []struct{ digits, title string }{
	{"01", "Language"}, {"02", "Configuration"}, {"03", "Graph files"}, {"04", "Shapes and rewrites"}, {"05", "Scopes and pools"},
	{"06", "Layout and check"}, {"07", "Plan and lock files"}, {"08", "Runs and devices"}, {"09", "Command line"},
}

func markdown() string {
	var w strings.Builder
	w.WriteString("# Diagnostics\n\n<!-- Generated from lang/diag by `make update`. Do not edit. -->\n\n")
	w.WriteString("Every message of memplan about what it read has one of these ids. An id keeps its meaning for ever.\n")
	w.WriteString("Errors stop a command with exit status 1; warnings do not, unless `-warnings-as-errors` is given.\n")
	w.WriteString("A comment `# memplan-ignore: MP0206 reason` on the line of a warning, or before it or its block, hides the warning.\n")
	w.WriteString("People are shown the first 20 of each kind, and how many more there are; `-json` and `-sarif` have all of them,\n")
	w.WriteString("and what a program can do about them: `fixes` with edits of the text, the likeliest first.\n")
	w.WriteString("\nThe examples are `net.hcl`, looked at with `memplan validate net.hcl` where no command is given. What they need and do not declare\n")
	w.WriteString("is a `device \"cpu\" {}`, a `pool \"arena\"` on it, and a `graph \"net\"` whose source `net.json` multiplies `x` by `w` to `h` and rectifies that to `y`.\n")
	w.WriteString("Of files that are no text, it is written what they hold: ONNX models in ONNX's textual form.\n")
	w.WriteString("Files are edited with `jq`, and `sponge` of moreutils writes what it reads to the file that was edited.\n")
	examples := readExamples()
	for _, group := range ranges {
		first := true
		for _, info := range diag.All() {
			if !strings.HasPrefix(string(info.ID), "MP"+group.digits) {
				continue
			}
			if first {
				fmt.Fprintf(&w, "\n## %s\n\n| id | severity | summary | when it happens and what to do |\n|---|---|---|---|\n", group.title)
				first = false
			}
			fmt.Fprintf(&w, "| %s | %s | %s | %s |\n", info.ID, info.Severity, info.Summary, strings.ReplaceAll(info.Doc, "|", `\|`))
		}
		writeExamples(&w, "MP"+group.digits, examples)
	}
	return w.String()
}

// readExamples reads the examples in the order of their ids; those of one id as they stand. A test of the command line runs all of
// them and says what their names mean.
func readExamples() []txtar.File {
	names, err := filepath.Glob("testdata/examples/*.txtar")
	if err != nil {
		panic(err)
	}
	var files []txtar.File
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			panic(err)
		}
		files = append(files, archive.Files...)
	}
	slices.SortStableFunc(files, func(a, b txtar.File) int { return strings.Compare(idOf(a), idOf(b)) })
	return files
}

// idOf is the first word of a name, for a file of several examples the first digits of their ids.
func idOf(f txtar.File) string {
	id, _, _ := strings.Cut(f.Name, " ")
	return id
}

// languageOf is that of the text of an example or of a file beside it, for readers of the page.
func languageOf(name, commands, text string) string {
	switch {
	case strings.HasPrefix(text, "id,"):
		return "csv"
	case strings.HasSuffix(name, ".json"), strings.HasSuffix(commands, ".json\n"):
		return "json"
	case filepath.Ext(name) != "" && filepath.Ext(name) != ".hcl":
		return "text"
	}
	return "hcl"
}

func writeExamples(w *strings.Builder, group string, files []txtar.File) {
	last := ""
	for _, f := range files {
		id, rest, _ := strings.Cut(f.Name, " ")
		if !strings.HasPrefix(id, group) {
			continue
		}
		if id != last && id != group {
			info, _ := diag.Lookup(diag.ID(id))
			fmt.Fprintf(w, "\n### %s: %s\n", id, info.Summary)
			last = id
		}
		text := string(f.Data)
		commands := ""
		for strings.HasPrefix(text, "$ ") {
			line, after, _ := strings.Cut(text, "\n")
			commands, text = commands+line+"\n", after
		}
		switch rest {
		case "":
		case "corrected":
			w.WriteString("\nCorrected:\n")
		case "no example":
			fmt.Fprintf(w, "\nThere is no example. %s", text)
			continue
		default:
			if !writeNote(w, rest, text) {
				of := ""
				if id == group {
					of = " of the examples below"
				}
				fmt.Fprintf(w, "\nThe file `%s`%s:\n", rest, of)
				break
			}
			continue
		}
		if commands != "" {
			fmt.Fprintf(w, "\n```console\n%s```\n", commands)
		}
		if text != "" {
			fmt.Fprintf(w, "\n```%s\n%s```\n", languageOf(rest, commands, text), text)
		}
	}
}

// writeNote writes what the page has of a binary file beside examples, which is its note alone; it reports false for a text file.
func writeNote(w *strings.Builder, rest, text string) bool {
	name, isNote := strings.CutSuffix(rest, " note")
	if isNote {
		fmt.Fprintf(w, "\nThe file `%s`:\n\n```text\n%s```\n", name, text)
	}
	return isNote || strings.HasSuffix(rest, ".base64")
}

func TestDiagnosticsPageIsCurrent(t *testing.T) {
	const page = "../../docs/diagnostics.md"
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(markdown()), 0o644))
	}
	got, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Equal(t, markdown(), string(got), "docs/diagnostics.md is stale: run make update")
}

func TestRegisteredIDsAreInOrderAndDescribed(t *testing.T) {
	all := diag.All()
	require.NotEmpty(t, all)
	assert.True(t, slices.IsSortedFunc(all, func(a, b diag.Info) int { return strings.Compare(string(a.ID), string(b.ID)) }))
	for i, info := range all {
		assert.Regexp(t, `^MP\d{4}$`, string(info.ID))
		assert.NotEmpty(t, info.Summary, info.ID)
		assert.Less(t, len(info.Summary), 60, info.ID)
		assert.True(t, strings.HasSuffix(info.Doc, "."), "the doc of %s is full sentences", info.ID)
		if i > 0 {
			assert.NotEqual(t, all[i-1].ID, info.ID)
		}
	}
}
