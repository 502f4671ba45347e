package builtin_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/builtin"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

var update = flag.Bool("update", false, "rewrite docs/builtin-modules.md")

const preface = `# Builtin modules

<!-- Generated from lang/builtin by ` + "`make update`" + `. Do not edit. -->

A builtin module is a configuration that comes with memplan: the profile of a kind of device with pools and rules for it.
A ` + "`module`" + ` block whose source is ` + "`builtin:NAME`" + ` makes it a part of a configuration, and
` + "`memplan show -config builtin:NAME`" + ` prints it, to read or to start from. The figures are typical of the kind of device: take those of
your own from ` + "`clinfo`" + ` and give them as inputs. A pool of size 0 takes nothing, so that pools of the configuration take its place.
`

func page(t *testing.T) string {
	t.Helper()
	var w strings.Builder
	w.WriteString(preface)
	for _, name := range builtin.Names() {
		writeModule(t, &w, name)
	}
	return w.String()
}

func writeModule(t *testing.T, w *strings.Builder, name string) {
	t.Helper()
	text, _ := builtin.Source(name)
	cfg, ds := config.Load(syntax.Memory{name + ".hcl": string(text)}, name+".hcl", eval.VariableSources{})
	require.Empty(t, ds)
	about, example := head(string(text))
	fmt.Fprintf(w, "\n## `builtin:%s`\n\n%s\n\n```hcl\n%s```\n\n| input | default | meaning |\n|---|---|---|\n", name, about, example)
	for _, v := range cfg.Declarations {
		require.NotEmpty(t, v.Description, v.Name)
		value := string(hclwrite.TokensForValue(v.Default).Bytes())
		fmt.Fprintf(w, "| `%s` | `%s` | %s |\n", v.Name, strings.Join(strings.Fields(value), " "), v.Description)
	}
	w.WriteString("\n| output | what it is |\n|---|---|\n")
	for _, o := range cfg.Outputs {
		require.NotEmpty(t, o.Description, o.Name)
		fmt.Fprintf(w, "| `%s` | %s |\n", o.Name, o.Description)
	}
	w.WriteString("\nIts rules, in order:\n\n```hcl\n" + rules(string(text)) + "```\n")
}

// head takes the comment at the beginning of a text apart: what the module is, and an example.
func head(text string) (about, example string) {
	var sentences []string
	for line := range strings.Lines(text) {
		comment, ok := strings.CutPrefix(line, "#")
		switch {
		case !ok:
			return strings.Join(sentences, " "), example
		case strings.HasPrefix(comment, "   "):
			example += comment[3:]
		case strings.TrimSpace(comment) != "":
			_, after, found := strings.Cut(strings.TrimSpace(comment), ": ")
			if !found || len(sentences) > 0 {
				after = strings.TrimSpace(comment)
			}
			sentences = append(sentences, strings.ToUpper(after[:1])+after[1:])
		}
	}
	return "", ""
}

// rules is the part of a text from the rules to the outputs.
func rules(text string) string {
	from := strings.Index(text, "scope_rule ")
	if comment := strings.Index(text, "\n# "); comment >= 0 && strings.Contains(text[comment:from], "\n# As") {
		from = comment + strings.LastIndex(text[comment:from], "\n# ") + 1
	}
	return strings.TrimRight(text[from:strings.Index(text, "\noutput ")], "\n") + "\n"
}

func TestPageIsCurrent(t *testing.T) {
	const path = "../../docs/builtin-modules.md"
	want := page(t)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
	}
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, want, string(got), "docs/builtin-modules.md is stale: run make update")
	for _, name := range builtin.Names() {
		assert.Contains(t, string(got), "`builtin:"+name+"`")
	}
}
