package syntax

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/stretchr/testify/require"
)

func TestSettledKnowsWhatMostConfigurationsConsistOf(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"a block with attributes of every plain kind", "# One.\npool \"a\" {\n  device = device.gpu\n  size   = kib(12, \"x\")\n  holds  = [\"constant\", pool.a, []]\n  // two\n  alignment = 64\n}\n\n", true},
		{"blocks within blocks, and lines apart", "device \"a\" {\n  x = 1\n\n  image2d {\n    max_width = f()\n  }\n}\n", true},
		{"an attribute at the top", "batch = 1\n", true},
		{"an empty text", "", true},
		{"no final newline", "a = 1", false},
		{"an equals sign too far", "a  = 1\n", false},
		{"equals signs not aligned", "a = 1\nbc = 2\n", false},
		{"too little indentation", "a {\nx = 1\n}\n", false},
		{"too much indentation", "a {\n    x = 1\n}\n", false},
		{"a block that is not closed", "a {\n", false},
		{"a brace too many", "}\n", false},
		{"white space on an empty line", "a = 1\n  \n", false},
		{"white space at the end", "a = 1 \n", false},
		{"no space before a brace", "a{\n}\n", false},
		{"no space after a comma", "a = [1,2]\n", false},
		{"a space in a call", "a = f( 1)\n", false},
		{"a template, which has spaces of its own", "a = \"${ x }\"\n", false},
		{"a comment behind an attribute", "a = 1   # x\n", false},
		{"an operator", "a = 1+2\n", false},
		{"a carriage return", "a = 1\r\n", false},
		{"a letter of several bytes, which has a width of its own", "ä = 1\n", false},
		{"values within values without end", "a = " + strings.Repeat("[", 20) + strings.Repeat("]", 20) + "\n", false},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, settled([]byte(c.text))) })
	}
}

// The pieces are put together at random: some of the texts are settled, and none of those is one that the formatter changes.
func TestTheFormatterLeavesWhatIsSettled(t *testing.T) {
	pieces := []string{
		"a", "bb", "in", "for", "a-b", "_1", "=", " = ", "  = ", "==", " ", "  ", "\n", "\n\n", "\n  ", "\n    ", "{", " {", "}", "\"", "\"x\"", " \"x y\"",
		"1", "0", "12.5", "1e5", "-", "+", "!", "?", ":", ".", ", ", ",", "(", ")", "f(", "[", "]", "[]", "()", "# c", "// c", "/* c */", "<<E\n", "E", "${", "%{", "\\", "\t", "\r", "é", "\u0301",
		"\na = 1", "\nbb = f(1)", "\nb  = \"x\"", " \"x\" {\n  a = 1\n}\n", "\npool \"x\" {\n  a  = 1\n  bb = [2, c.d]\n}\n",
	}
	random := rand.New(rand.NewPCG(1, 2))
	known, valid := 0, 0
	for range 200_000 {
		var text strings.Builder
		for range 1 + random.IntN(7) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		src := []byte(strings.TrimPrefix(text.String(), "\n") + "\n")
		if !settled(src) {
			continue
		}
		known++
		if _, diags := hclsyntax.ParseConfig(src, "x.hcl", hcl.InitialPos); diags.HasErrors() {
			continue // its form is unspecified
		}
		valid++
		require.Equal(t, string(src), string(hclwrite.Format(src)))
	}
	require.Greater(t, valid, 2000, "of %d that are settled", known)
}
