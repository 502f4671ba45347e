package repair_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/repair"
)

func TestAnEditMakesTheTextThatTheFixStandsFor(t *testing.T) {
	for name, test := range map[string]struct {
		text, subject string
		fix           diag.Fix
		want          string
	}{
		"a word of the subject":            {"a = \"é conv Conv\"\n", "\"é conv Conv\"", diag.Replace{Text: "Conv", With: "Conv2D"}, "a = \"é conv Conv2D\"\n"},
		"the whole subject":                {"device = gpu\n", "gpu", diag.Replace{With: "device.gpu"}, "device = device.gpu\n"},
		"a word that is a part of another": {"a = \"convolution\"\n", "\"convolution\"", diag.Replace{Text: "conv", With: "x"}, ""},
		"a size that is a text":            {"pool \"p\" {\n  size = \"1KiB\"\n}\n", "pool", diag.RaiseSize{Bytes: 2048}, "pool \"p\" {\n  size = \"2KiB\"\n}\n"},
		"a size that is not there":         {"pool \"p\" {\n}\n", "pool", diag.RaiseSize{Bytes: 2048}, ""},
		"an attribute":                     {"pool \"p\" {\n  size = 1\n}\n", "pool", diag.AddAttribute{Name: "device", Example: "device.d"}, "pool \"p\" {\n  device = device.d\n  size = 1\n}\n"},
		"an attribute of an empty block":   {"pool \"p\" {}\n", "pool", diag.AddAttribute{Name: "device", Example: "device.d"}, "pool \"p\" {\n  device = device.d\n}\n"},
		"a block in a block":               {"run \"r\" {\n  expect \"y\" {\n  }\n}\n", "expect", diag.AddBlock{Type: "match", Attributes: []string{"op = 1", "dtype = 2"}}, "run \"r\" {\n  expect \"y\" {\n    match {\n      op    = 1\n      dtype = 2\n    }\n  }\n}\n"},
		"dimensions":                       {"graph \"g\" {\n}\n", "graph", diag.BindDimensions{Keys: []string{"N", "H"}}, "graph \"g\" {\n  dims = { N = 1, H = 1 }\n}\n"},
		"one more dimension":               {"graph \"g\" {\n  dims = { N = 1 }\n}\n", "graph", diag.BindDimensions{Keys: []string{"H"}}, "graph \"g\" {\n  dims = { H = 1, N = 1 }\n}\n"},
		"the first dimension":              {"graph \"g\" {\n  dims = {}\n}\n", "graph", diag.BindDimensions{Keys: []string{"H"}}, "graph \"g\" {\n  dims = { H = 1}\n}\n"},
		"dimensions that are computed":     {"graph \"g\" {\n  dims = local.d\n}\n", "graph", diag.BindDimensions{Keys: []string{"H"}}, ""},
		"a block outside of all":           {"a = 1\n", "a", diag.AddBlock{Type: "match"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			file, hclDiags := hclsyntax.ParseConfig([]byte(test.text), "a.hcl", hcl.InitialPos)
			require.Empty(t, hclDiags)
			d := diag.New(diag.InternalFault, "x").With(test.fix).At(rangeOf(test.text, test.subject))
			edits := repair.Edits(file, &d)
			if test.want == "" {
				require.Empty(t, edits)
				return
			}
			require.Len(t, edits, 1)
			e := edits[0]
			require.Equal(t, test.want, test.text[:e.Range.Start.Byte]+e.Text+test.text[e.Range.End.Byte:])
			require.NotEmpty(t, e.Title)
			start := rangeOf(test.text[:e.Range.Start.Byte]+"\x00", "\x00").Start
			require.Equal(t, start, e.Range.Start)
		})
	}
	d := diag.New(diag.InternalFault, "x").With(diag.Replace{With: "y"})
	require.Empty(t, repair.Edits(&hcl.File{}, &d), "a diagnostic without a place has no edit")
}

// rangeOf is that of the first place of a part in a text of ASCII and é.
func rangeOf(text, part string) hcl.Range {
	pos := func(at int) hcl.Pos {
		line := strings.LastIndexByte(text[:at], '\n') + 1
		return hcl.Pos{Line: 1 + strings.Count(text[:at], "\n"), Column: 1 + len([]rune(text[line:at])), Byte: at}
	}
	start := strings.Index(text, part)
	return hcl.Range{Filename: "a.hcl", Start: pos(start), End: pos(start + len(part))}
}
