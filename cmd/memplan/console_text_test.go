package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/syntax"
)

func TestAnExpressionGoesOnWhileSomethingIsOpen(t *testing.T) {
	for name, c := range map[string]struct {
		lines string
		// open says of each line whether something is open after it.
		open string
	}{
		"a whole expression":                     {"1 + 2", "n"},
		"brackets of all kinds":                  {"[\n{ a = (\n1\n) }\n]", "yyyyn"},
		"a heredoc":                              {"<<EOT\n)\nEOT", "yyn"},
		"a heredoc with its mark indented":       {"f(<<-EOT\n  a\n  EOT\n)", "yyyn"},
		"an interpolation over lines":            {"\"a${\n1 +\n2}b\"", "yyn"},
		"an interpolation in a heredoc":          {"<<EOT\na ${[1,\nEOT\n2][0]}\nEOT", "yyyyn"},
		"an object in an interpolation":          {"\"${{\na = 1\n}.a}\"", "yyn"},
		"a directive":                            {"\"%{ if (\ntrue) }a%{ endif }\"", "yn"},
		"brackets in strings and comments":       {"[ \"(\" # (\n, 1 ]", "yn"},
		"a comment over lines":                   {"( /* (\n)\n*/ 1)", "yyn"},
		"a comment before the expression":        {"/* a\nb */ 1", "yn"},
		"a product of a quotient":                {"[4 / 2\n* 3]", "yn"},
		"a line break in a string":               {"(\"a", "n"},
		"a bracket too many":                     {")(", "n"},
		"a bracket of another kind":              {"([)", "n"},
		"an interpolation that ends in brackets": {"(\"${ ( }\"", "n"},
		"brackets nested too deep":               {strings.Repeat("(", syntax.MaxNesting+1), "n"},
		"a mark that is too long":                {"<<" + strings.Repeat("A", 2*maxOpening) + "\na", "yn"},
	} {
		t.Run(name, func(t *testing.T) {
			var input typed
			open := ""
			for line := range strings.SplitSeq(c.lines, "\n") {
				input.add(line)
				open += map[bool]string{true: "y", false: "n"}[input.isOpen()]
			}
			require.Equal(t, c.open, open)
		})
	}
}

func TestTheTextOfAnExpressionIsBounded(t *testing.T) {
	var input typed
	input.add("(")
	line := strings.Repeat(" ", 1_000_000) + "1 +" // space is read fastest
	for input.isOpen() {
		input.add(line)
	}
	require.LessOrEqual(t, len(input.text), syntax.MaxFileSize+2)
	_, ds := syntax.ParseExpression(consoleName, []byte(input.take()))
	require.Equal(t, "MP0112", string(ds[0].ID))
	require.False(t, input.broken)
}

func TestALineOfAnyLengthIsReadInBoundedMemory(t *testing.T) {
	lines := newPlainLines(strings.NewReader(strings.Repeat("1", 2*syntax.MaxFileSize) + "\nsecond\r\n\nlast"))
	first, err := lines.line("")
	require.NoError(t, err)
	require.Greater(t, len(first), syntax.MaxFileSize)
	require.Less(t, len(first), syntax.MaxFileSize+10_000)
	for _, want := range []string{"second", "", "last"} {
		line, err := lines.line("")
		require.NoError(t, err)
		require.Equal(t, want, line)
	}
	_, err = lines.line("")
	require.Error(t, err)
}

func TestManyLinesOfOneExpressionAreReadOnceEach(t *testing.T) {
	code, _, stderr, _ := invoke(t.Context(), t, "(\n"+strings.Repeat("1 +\n", 20_000), "console", "DIR/net.json")
	require.Zero(t, code, "the console of a terminal only shows errors")
	require.Contains(t, stderr, "MP0113")
}

func TestLinesOneByOneLeaveOpenWhatTheWholeTextDoes(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"(", ")", "[", "]", "{", "}", "\"", "${", "%{", "~}", "<<A\n", "<<-A\n", "\nA\n", "\n", "\n", "/*", "*/", "#", "//", "a", " ", "1", "$", "/", "*", "\\", "<<"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(pieces, 0, 30).Draw(t, "pieces"), "")
		var input, whole typed
		so := ""
		for line := range strings.SplitSeq(text, "\n") {
			input.add(line)
			so += line + "\n"
			whole = typed{}
			whole.lex(so)
			if input.broken {
				require.True(t, whole.broken)
				return
			}
			require.Equal(t, typed{open: whole.open}, whole)
			require.Equal(t, append([]string{}, whole.open...), append([]string{}, input.open...))
		}
	})
}
