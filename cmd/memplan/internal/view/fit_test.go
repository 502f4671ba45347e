package view

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestLongNamesAreShortenedInTheMiddle(t *testing.T) {
	for _, c := range []struct {
		name  string
		limit int
		want  string
	}{
		{"short", 5, "short"},
		{"model/block/add", 9, "mo…ck/add"},
		{"model/block/add", 10, "mod…ck/add"},
		{"日本語のテンソル", 9, "日…ンソル"},
		{"\x1b[32m+\x1b[0m model/block/add", 11, "\x1b[32m+\x1b[0m mo…ck/add"},
	} {
		require.Equal(t, c.want, shorten(c.name, c.limit), "%q in %d", c.name, c.limit)
	}
}

func TestShortenedNamesFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name, limit := visible(rapid.String().Draw(t, "name")), rapid.IntRange(1, 40).Draw(t, "limit")
		got := shorten(name, limit)
		require.LessOrEqual(t, text.StringWidthWithoutEscSequences(got), max(limit, 0))
		require.True(t, utf8.ValidString(got))
	})
}

func TestATableOfLongNamesFitsTheTerminal(t *testing.T) {
	long := strings.Repeat("model_1/model/block/", 20)
	p := network()
	for i := range p.Graphs[0].Tensors {
		p.Graphs[0].Tensors[i].Name += long
		p.Graphs[0].Tensors[i].Producer = long + "conv"
	}
	for _, columns := range []int{84, 100, 132, 250} {
		for line := range strings.Lines(tensorTable(false, columns, p, &p.Graphs[0])) {
			require.LessOrEqual(t, text.StringWidthWithoutEscSequences(strings.TrimSuffix(line, "\n")), columns, line)
		}
	}
	require.Contains(t, tensorTable(false, 0, p, &p.Graphs[0]), "x"+long, "away from a terminal names are whole")
}

func TestShortNamesKeepAllOfTheirWidth(t *testing.T) {
	out := grid{names: []int{0, 1}, width: 40}
	out.add("short", strings.Repeat("long", 20))
	require.Equal(t, "  short  longlonglo…longlonglonglonglong\n", out.render(false))
}

func TestNamesCannotControlTheTerminal(t *testing.T) {
	require.Equal(t, `a\x1b[2Jb\nc\u202e`, visible("a\x1b[2Jb\nc\u202e"))
	require.Equal(t, "é/日本", visible("é/日本"))
	require.Equal(t, "one\ntwo\\t", visibleLines("one\ntwo\t"))
	p := network()
	p.Graphs[0].Tensors[0].Name = "x\x1b[2J\n"
	require.NotContains(t, tensorTable(false, 100, p, &p.Graphs[0]), "\x1b")
}

func TestWithoutATerminalALongNamePadsNoOtherRow(t *testing.T) {
	long := strings.Repeat("block/", 20)
	g := grid{names: []int{0}}
	g.add("x", "1")
	g.add(long, "2")
	g.add(long+"b", "3")
	lines := strings.Split(g.render(false), "\n")
	require.Less(t, len(lines[0]), 2+longestPadded+10)
	require.Equal(t, "  "+long+"  2", lines[1])
	require.Equal(t, "  "+long+"b  3", lines[2])
}

func TestATypeGoesBeforeANameIsCutMuch(t *testing.T) {
	g := grid{names: []int{0}, details: []int{1}, width: 60}
	g.add(strings.Repeat("n", 50), "float32 [1, 32, 64, 64]")
	require.Equal(t, "  "+strings.Repeat("n", 50)+"\n", g.render(false))
}

func TestALineThatIsTooWideGoesOnBelowItself(t *testing.T) {
	require.Equal(t, "  bound  one two three", hanging("  bound  one two three", 0, 9), "without a terminal nothing is broken")
	require.Equal(t, "  bound  one two three", hanging("  bound  one two three", 22, 9))
	require.Equal(t, "  bound  one two three\n         four five", hanging("  bound  one two three four five", 30, 9))
}

func TestNamesThatFillALineAreShortenedInSentences(t *testing.T) {
	name := strings.Repeat("model/conv/", 20)
	detail := "Pool \"sram\" needs 5 bytes, of which \"" + name + "\" has 4. Run \"memplan plan -var " + strings.Repeat("x", 90) + "\"."
	require.Equal(t, detail, withoutLongNames(detail, 0))
	short := withoutLongNames(detail, 50)
	require.NotContains(t, short, name)
	require.Contains(t, short, "…")
	require.Contains(t, short, strings.Repeat("x", 90), "a command is no name")
	require.Equal(t, detail[:37], short[:37])
}
