package syntax

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
)

// TestNothingThatTheLibraryFindsIsSaidInItsWords reads the library's own source, so that what a new version of it finds beside is
// missed here and not by users.
func TestNothingThatTheLibraryFindsIsSaidInItsWords(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/hashicorp/hcl/v2").Output()
	require.NoError(t, err)
	dir := strings.TrimSpace(string(out))
	for _, c := range []struct {
		wordings []diag.Wording
		files    []string
		least    int
	}{
		// parser_traversal.go reads references that stand alone, of which only whether they are some is asked.
		{parserWordings, []string{"hclsyntax/parser.go", "hclsyntax/parser_template.go", "hclsyntax/token.go", "hclsyntax/public.go"}, 90},
		{jsonWordings, []string{"json/parser.go", "json/structure.go", "json/public.go"}, 35},
	} {
		for i := range c.wordings {
			require.NoError(t, c.wordings[i].Check())
		}
		found := 0
		for _, name := range c.files {
			for _, d := range findings(t, filepath.Join(dir, filepath.FromSlash(name))) {
				if strings.HasPrefix(d.Summary, "Failed to ") {
					continue // opens a file, which is done here
				}
				found++
				text, ours := diag.InWords(c.wordings, &d)
				require.True(t, ours, "%s: %s: %s", name, d.Summary, d.Detail)
				require.NotContains(t, text, "$1", "%s: %s", d.Summary, d.Detail)
			}
		}
		require.GreaterOrEqual(t, found, c.least, "the library's source is not read as it was")
	}
}

// findings lists the diagnostics that a source file makes, with samples for what it puts into their texts.
func findings(t *testing.T, path string) []hcl.Diagnostic {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	require.NoError(t, err)
	var out []hcl.Diagnostic
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		fields := map[string]string{}
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				if key, ok := kv.Key.(*ast.Ident); ok {
					fields[key.Name] = sample(file, kv.Value)
				}
			}
		}
		if fields["Summary"] != "" {
			out = append(out, hcl.Diagnostic{Summary: fields["Summary"], Detail: fields["Detail"]})
		}
		return true
	})
	return out
}

var verb = regexp.MustCompile(`%[0-9]*[a-z]`)

// sample is the text of an expression: of a variable the first that it is set to.
func sample(file *ast.File, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if err != nil {
			return ""
		}
		return text
	case *ast.BinaryExpr:
		return sample(file, e.X) + sample(file, e.Y)
	case *ast.CallExpr:
		if len(e.Args) == 0 {
			return ""
		}
		return verb.ReplaceAllStringFunc(sample(file, e.Args[0]), func(v string) string {
			if v == "%q" {
				return `"x"`
			}
			return "sample"
		})
	case *ast.Ident:
		text := ""
		ast.Inspect(file, func(n ast.Node) bool {
			set, ok := n.(*ast.AssignStmt)
			if !ok || len(set.Lhs) != 1 || text != "" {
				return true
			}
			if name, ok := set.Lhs[0].(*ast.Ident); ok && name.Name == e.Name {
				if lit, ok := set.Rhs[0].(*ast.BasicLit); ok {
					text = sample(file, lit)
				}
			}
			return true
		})
		return text
	}
	return ""
}

func TestFaultsOfSyntaxAreSaidInTheWordsOfTheProject(t *testing.T) {
	for text, want := range map[string]string{
		"pool \"a\" {\n  size =\n}\n":   "A value belongs here, where the line ends.",
		"pool \"a\" {\n  size = )\n}\n": `A value belongs here, where ")" stands.`,
		"size = ":                       "A value belongs here, where the text ends.",
		"pool \"a\" {\n":                "This block has no closing brace.",
		"\"size\" = 1\n":                "The name of an attribute stands without quotes.",
		"size: 1\n":                     "An attribute has an equals sign after its name, not a colon. Write size = ",
		"size = 0x200000\n":             "write 2097152.",
		"size = 2_097_152\n":            "write 2097152.",
		"size = 5_a\n":                  `goes on where "_a" stands.`,
		"size = 1 2\n":                  `goes on where "2" stands.`,
		"a {\n  x = 1, \n}\n":           "without commas. Remove the comma.",
		"a = [1 2]\n":                   `commas between them, and one is missing where "2" stands.`,
		"a = f(1 2)\n":                  "The values of a call have commas between them",
		"a = { b 1 }\n":                 "An equals sign belongs after the key of an object",
		"a = { b = 1 c = 2 }\n":         `a comma is missing where "c" stands.`,
		"a = [for 1 in x : x]\n":        "A name belongs after for",
		"a = [for x of y : x]\n":        `The word in belongs after the names of a for, where "of" stands.`,
		"a = 'x'\n":                     "A text does not stand in single quotes.",
		"a = \u201cx\u201d\n":           "Write straight double quotes.",
		"a = 1;\n":                      "There are no semicolons.",
		"a = 1 & 2\n":                   `Did you mean "&&"?`,
		"a = \"x\\q\"\n":                `A backslash before "q" means nothing.`,
		"a = \"%{ if true }x\"\n":       "Write %{ endif } after",
		"a = \"%{ for x in y }x\"\n":    "Write %{ endfor } after",
		"a = \"%{ wile }\"\n":           `No directive is called "wile".`,
		"a = <<EOT\nx\n":                "",
		"a = x ? 1\n":                   "A condition needs a : and the value",
		"pool = \"a\" {\n}\n":           "",
		"pool a b\n":                    "",
		"pool \"${a}\" {\n}\n":          "This text is taken as it is and can have no values in it.",
		"a = x.\n":                      "The name of an attribute belongs after a dot",
		"a = x[1\n":                     "",
		"a = (1\nb = 2\n":               "",
		"a { b = 1 c = 2 }\n":           "a block on one line holds one argument.",
		"a {} b {}\n":                   `the line goes on where "b" stands.`,
		"a = " + strings.Repeat("x", 50) + " {\n}\n":    "",
		"a = 1 " + strings.Repeat("y", 50) + "\nb = 1 ": `where "` + strings.Repeat("y", longestQuoted) + `..." stands.`,
	} {
		_, ds := Parse("a.hcl", []byte(text))
		require.NotEmpty(t, ds, text)
		require.Equal(t, diag.InvalidSyntax, ds[0].ID, text)
		require.Contains(t, ds[0].Detail, want, text)
		require.NotContains(t, ds[0].Detail, whereWord, text)
		require.NotRegexp(t, `^(Missing|Invalid|Unexpected|Unclosed|Extra|Argument|Unterminated)`, ds[0].Detail, "the words of the library: %s", text)
	}
	for text, want := range map[string]string{
		`{"a": 1,}`:    "JSON has no comma after the last property",
		`{"a" = 1}`:    "JSON has a colon between name and value",
		`{"a": [1,]}`:  "JSON has no comma after the last value",
		`{1: 1}`:       "Put it in double quotes.",
		`{"a": 1`:      "The object has no closing brace.",
		`{"a": yes}`:   `"yes" is no value in JSON.`,
		`{"a": True}`:  `Did you mean "true"?`,
		`{"a": 01}`:    "The number cannot be read.",
		`{"a": "x`:     "The text cannot be read.",
		`{"a": 1} {}`:  "The JSON value ends, and the text goes on here.",
		`[1]`:          "",
		`{"a": 1 "b"}`: "commas between them, and one is missing.",
	} {
		file, ds := Parse("a.hcl.json", []byte(text))
		if want == "" {
			_, more := file.JSON.JustAttributes()
			ds = append(ds, FromJSON(more)...)
		}
		require.NotEmpty(t, ds, text)
		require.Contains(t, ds[0].Detail, want, text)
	}
}
