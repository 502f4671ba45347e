package syntax_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/syntax"
)

func TestParseReportsOneErrorForOneMistake(t *testing.T) {
	rest := strings.Repeat("pool \"p\" {\n  size = \"64KiB\"\n}\n", 20)
	tests := []struct {
		name, text, at, says string
	}{
		{"a missing closing quote", "device \"d\" {\n  driver = \"host\n}\n" + rest, `"host`, "no closing quote"},
		{"a missing quote of a label", "device \"d {\n}\n" + rest, `"d {`, "no closing quote"},
		{"a heredoc without an end", "a = <<EOT\ntext\n" + rest, "", "The text has no end."},
		{"a missing bracket", "a = [1, 2\nb = 3\n" + rest, "b", "commas between them, and one is missing"},
		{"a missing brace", "device \"d\" {\n" + rest, "{", "no closing brace"},
		{"single quotes", "a = 'x'\n" + rest, "'", "A text does not stand in single quotes."},
		{"a size without quotes", "pool \"p\" {\n  size = 5MiB\n}\n" + rest, "5MiB", `Sizes with units are strings: write "5MiB".`},
		{"a size in a list without quotes", "a = [1.5KiB, 3]\n" + rest, "1.5KiB", `Sizes with units are strings: write "1.5KiB".`},
		{"a block written as an object on one line", "place \"t\" { pool = pool.a, offset = 0 }\n" + rest, ",", "A block is no object"},
		{"a block written as an object on several lines", "place \"t\" {\n  pool = pool.a,\n  offset = 0\n}\n" + rest, ",", "Remove the comma"},
		{"a unit that is none", "a = 5furlongs\n" + rest, "furlongs", "goes on where \"furlongs\" stands."},
		{"an unknown operator", "a = 1 & 2\n" + rest, "&", "There are no operators on bits."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file, ds := syntax.Parse("test.hcl", []byte(test.text))
			require.Len(t, ds, 1, "%v", ds)
			assert.Equal(t, diag.ID("MP0101"), ds[0].ID)
			assert.Contains(t, ds[0].Detail, test.says)
			assert.Equal(t, test.at, test.text[ds[0].Subject.Start.Byte:ds[0].Subject.End.Byte])
			assert.NotNil(t, file.Body)
		})
	}
}

func TestParseReportsMistakesOfTheirOwn(t *testing.T) {
	_, ds := syntax.Parse("test.hcl", []byte("a {\n  x = 'y'\n}\nb {\n  z = 1 & 2\n}\n"))
	assert.Len(t, ds, 2)
}

func TestParseNamesTheAttributeThatIsSetTwice(t *testing.T) {
	_, ds := syntax.Parse("test.hcl", []byte("a = 1\na = 2\n"))
	require.Len(t, ds, 1)
	assert.Equal(t, diag.ID("MP0105"), ds[0].ID)
	assert.Equal(t, 2, ds[0].Subject.Start.Line)
}

func TestParseRefusesHostileText(t *testing.T) {
	tests := []struct {
		name, text string
		id         diag.ID
		line       int
	}{
		{"a NUL", "a = 1\nb = \x00\n", "MP0111", 2},
		{"UTF-16", "a\x00 \x00=\x001\x00", "MP0111", 1},
		{"Latin-1", "# caf\xe9\n", "MP0111", 1},
		{"a character cut off", "a = \"\xe2\x82", "MP0111", 1},
		{"more than the largest file", strings.Repeat("# padding\n", 500_001), "MP0112", 1},
		{"deep parentheses", "a = " + strings.Repeat("(", 20_000) + "1" + strings.Repeat(")", 20_000), "MP0113", 1},
		{"deep lists", "a = " + strings.Repeat("[", 20_000), "MP0113", 1},
		{"deep objects", "a = " + strings.Repeat("{ x = ", 20_000), "MP0113", 1},
		{"deep blocks", strings.Repeat("a {\n", 20_000), "MP0113", 200},
		{"deep templates", "a = " + strings.Repeat(`"${`, 20_000), "MP0113", 1},
		{"deep directives", "a = \"" + strings.Repeat("%{if true}", 20_000), "MP0113", 1},
		{"many signs", "a = " + strings.Repeat("-", 100_000) + "1", "MP0113", 1},
		{"many negations", "a = " + strings.Repeat("!", 100_000) + "true", "MP0113", 1},
		{"a long sum", "a = 1" + strings.Repeat("+1", 100_000), "MP0113", 1},
		{"a long condition", "a = " + strings.Repeat("true ? 1 : ", 100_000) + "2", "MP0113", 1},
		{"a long chain of indexes", "a = b" + strings.Repeat("[0]", 100_000), "MP0113", 1},
		{"a long chain of splats", "a = b" + strings.Repeat(".*", 100_000), "MP0113", 1},
		{"signs hidden in brackets", "a = " + strings.Repeat("["+strings.Repeat("-", 1000), 20) + "1", "MP0113", 1},
		{"an exponent that would fill memory", "a = 1e999999999", "MP0117", 1},
		{"an exponent beyond any integer", "a = 1e99999999999999999999", "MP0117", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file, ds := syntax.Parse("test.hcl", []byte(test.text))
			require.Len(t, ds, 1)
			assert.Equal(t, test.id, ds[0].ID)
			assert.Equal(t, test.line, ds[0].Subject.Start.Line)
			assert.Empty(t, file.Body.Blocks)
		})
	}
}

func TestParseAcceptsWhatIsMerelyLarge(t *testing.T) {
	tests := []struct{ name, text string }{
		{"a long list of negative numbers", "a = [" + strings.Repeat("-1,", 50_000) + "]"},
		{"a long list of sums", "a = [" + strings.Repeat("1 + 1,\n", 20_000) + "]"},
		{"many attributes", "b {\n" + numbered(10_000, "  a%d = -1\n") + "}\n"},
		{"an object of many lines", "a = {\n" + numbered(10_000, "  a%d = !true\n") + "}\n"},
		{"a text of many interpolations", "a = \"" + strings.Repeat("${b.c}", 5_000) + "\""},
		{"brackets in texts and comments", "# " + strings.Repeat("[", 1000) + "\na = \"" + strings.Repeat("{", 1000) + "\"\n"},
		{"a byte order mark", "\xef\xbb\xbfa = 1\n"},
		{"carriage returns", "a = 1\r\nb {\r\n}\r\n"},
		{"an exponent", "a = 1e-4\nb = 2E+10\n"},
		{"nothing", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, ds := syntax.Parse("test.hcl", []byte(test.text))
			assert.Empty(t, ds)
		})
	}
}

// numbered repeats a format with a number that differs each time.
func numbered(n int, format string) string {
	var w strings.Builder
	for i := range n {
		fmt.Fprintf(&w, format, i)
	}
	return w.String()
}

func TestExpressionsAndTemplatesHaveTheSameLimits(t *testing.T) {
	for name, parse := range map[string]func(string) diag.Diagnostics{
		"expression": func(text string) diag.Diagnostics {
			_, ds := syntax.ParseExpression("test", []byte(text))
			return ds
		},
		"template": func(text string) diag.Diagnostics {
			_, ds := syntax.ParseTemplate("test", []byte("${"+text+"}"))
			return ds
		},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Empty(t, parse("1 + 2"))
			for text, id := range map[string]diag.ID{"1 +": "MP0101", "\x00": "MP0111", strings.Repeat("(", 1000): "MP0113", "1e9999": "MP0117"} {
				ds := parse(text)
				require.NotEmpty(t, ds, text)
				assert.Equal(t, id, ds[0].ID)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"device \"d\" {\n  driver = \"host\"\n}\n", "a = \"x${b[\"c\"]}%{ if d }e%{ endif }\"\n", "a = <<EOT\n${b}\nEOT\n",
		"a = [for k, v in b : v if v > 1e3]\n", "\xef\xbb\xbfa = 1", "a = \"", "a = -!(b.*.c[0]", "%{", "a {\n b {",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		file, ds := syntax.Parse("fuzz.hcl", src)
		if file == nil || file.Body == nil || file.HCL == nil {
			t.Fatal("no tree")
		}
		for _, d := range ds {
			if d.Subject == nil || d.Subject.Start.Byte < 0 || d.Subject.End.Byte > len(src) {
				t.Fatalf("%s is outside of the text: %v", d.ID, d.Subject)
			}
		}
	})
}
