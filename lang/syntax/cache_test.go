package syntax_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/syntax"
)

// pieces are what random texts are made of: whole items, and parts that open or close something.
var pieces = []string{
	"a = 1\n", "b {\n}\n", "pool \"p\" {\n  size = \"1KiB\"\n}\n", "# a comment { \" (\n", "// x\n", "/* {\n */", "/*", "\n", "\r\n", "  ",
	"c = <<EOT\n  ${b}\n  EOT }\nEOT\n", "d = <<-E\n  x\n  E\n", "<<EOT\n", "EOT\n", "e = [\n  1, # two {\n  2\n]\n", "f = {\n  x = \"}\"\n}\n",
	"g = \"a${b[\"c\"]}%{ if d }e%{ endif }$${ %%{ \\\" \"\n", "h = max(1,\n2)\n", "i = b.*.c[0] ? -1 : !d\n", "j = [for k, v in x : v if v > 1e3]\n",
	"k = x[*].y[*].z\n", "l = x.*.y[z.0]\n", "m = \"${n}\"\n", "{", "}", "(", ")", "[", "]", "\"", "${", "%{", "$", "=", "x", "\\", "😀", "n {\n  o \"p\" {\n    q = {}\n  }\n}\n",
	"r = \"%{ for s in t ~}\n\"", "u = {for v, w in x : v => w...}\n", "\ufeff", "device \"d {\n}\n",
}

func randomText(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "pieces"), "")
}

// same fails unless two trees are equal in everything, positions included.
func same(t require.TestingT, want, got *hclsyntax.Body) {
	require.Len(t, got.Attributes, len(want.Attributes))
	for name, a := range want.Attributes {
		require.True(t, reflect.DeepEqual(a, got.Attributes[name]), "attribute %s", name)
	}
	require.Len(t, got.Blocks, len(want.Blocks))
	for i, b := range want.Blocks {
		require.True(t, reflect.DeepEqual(b, got.Blocks[i]), "block %d", i)
	}
}

// wholeAndParts fails unless a text without syntax errors parses as it does in one piece.
func wholeAndParts(t require.TestingT, src []byte) {
	whole, hclDiags := hclsyntax.ParseConfig(src, "a.hcl", hcl.InitialPos)
	file, ds := syntax.Parse("a.hcl", src)
	if hclDiags.HasErrors() {
		require.NotEmpty(t, ds, "%q", src)
		return
	}
	if ds.HasErrors() && ds[0].ID != "MP0101" {
		// It is beyond a limit.
		return
	}
	require.Empty(t, ds, "%q", src)
	same(t, whole.Body.(*hclsyntax.Body), file.Body)
}

func TestAFileParsesAsItsItemsDo(t *testing.T) {
	for _, pattern := range []string{"../../examples/*/*.hcl", "../builtin/*.hcl", "../config/testdata/*/*.hcl"} {
		names, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, name := range names {
			src, err := os.ReadFile(name)
			require.NoError(t, err)
			wholeAndParts(t, src)
			wholeAndParts(t, bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n")))
		}
	}
	rapid.Check(t, func(t *rapid.T) { wholeAndParts(t, []byte(randomText(t))) })
}

func FuzzItems(f *testing.F) {
	for _, piece := range pieces {
		f.Add([]byte(piece))
	}
	f.Fuzz(func(t *testing.T, src []byte) { wholeAndParts(t, src) })
}

// What a cache gives depends on the text alone, whatever it has seen before.
func TestACacheGivesWhatParsingDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var cache syntax.Cache
		text := randomText(t)
		for range rapid.IntRange(1, 8).Draw(t, "edits") {
			from := rapid.IntRange(0, len(text)).Draw(t, "from")
			to := rapid.IntRange(from, min(len(text), from+20)).Draw(t, "to")
			text = strings.ToValidUTF8(text[:from]+rapid.SampledFrom(pieces).Draw(t, "new")+text[to:], "?")
			want, wantDiags := syntax.Parse("a.hcl", []byte(text))
			got, gotDiags := cache.Parse("a.hcl", []byte(text))
			files := map[string]*hcl.File{"a.hcl": got.HCL}
			require.Equal(t, wantDiags, syntax.NowAll(files, gotDiags))
			require.Equal(t, want.Body.SrcRange, got.Body.SrcRange)
			require.Equal(t, dump(nil, want.Body), dump(files, got.Body))
			require.Equal(t, text, string(got.HCL.Bytes))
		}
	})
}

// dump writes a tree with the places where it stands.
func dump(files map[string]*hcl.File, body *hclsyntax.Body) string {
	var out strings.Builder
	write := func(what any, ranges ...hcl.Range) {
		fmt.Fprintf(&out, "%v", what)
		for _, r := range ranges {
			at, ok := syntax.Now(files, r)
			fmt.Fprintf(&out, " %v %v %t", at.Start, at.End, ok)
		}
		out.WriteByte('\n')
	}
	_ = hclsyntax.VisitAll(body, func(node hclsyntax.Node) hcl.Diagnostics {
		write(fmt.Sprintf("%T", node))
		switch node := node.(type) {
		case hclsyntax.Attributes, hclsyntax.Blocks, hclsyntax.ChildScope:
			return nil
		case *hclsyntax.Attribute:
			write(node.Name, node.NameRange, node.EqualsRange)
		case *hclsyntax.Block:
			write(node.Type, node.TypeRange, node.OpenBraceRange, node.CloseBraceRange)
			write(node.Labels, node.LabelRanges...)
		case *hclsyntax.Body:
			if node == body {
				return nil
			}
		}
		write("", node.Range())
		return nil
	})
	lines := strings.SplitAfter(out.String(), "\n")
	if len(lines) > 0 {
		// Attributes of one body are visited in no particular order.
		slices.Sort(lines)
	}
	return strings.Join(lines, "")
}

// A text is formatted part by part, and gives what it does in one piece.
func TestPartsAreFormattedAsTheWholeIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(randomText(t))
		var cache syntax.Cache
		got, ds := cache.Format("a.hcl", text)
		if ds.HasErrors() || bytes.Contains(text, []byte("<<")) {
			// Heredocs are kept as they are, which the formatter does not do.
			return
		}
		whole := hclwrite.Format(bytes.TrimPrefix(text, []byte("\ufeff")))
		require.Equal(t, string(whole), string(got), "%q", text)
		require.Equal(t, string(whole), string(syntax.Canonical(text)), "%q", text)
		again, _ := cache.Format("a.hcl", append(text, "z = 1\n"...))
		fresh, _ := syntax.Format("a.hcl", append(text, "z = 1\n"...))
		require.Equal(t, string(fresh), string(again))
	})
}

func TestAnErrorDoesNotHideWhatFollows(t *testing.T) {
	for name, broken := range map[string]string{
		"a missing quote":            "pool \"a\" {\n  size = \"1KiB\n}\n",
		"a missing quote of a label": "pool \"a {\n  size = 1\n}\n",
		"a missing brace":            "pool \"a\" {\n  size = 1\n\n",
		"a missing parenthesis":      "pool \"a\" {\n  size = max(1, 2\n}\n",
		"a missing bracket":          "pool \"a\" {\n  size = [1, 2\n}\n",
		"a template without an end":  "pool \"a\" {\n  size = \"${var.x\"\n}\n",
		"a heredoc without an end":   "locals {\n  text = <<EOT\n  x\n}\n",
		"a brace too many":           "pool \"a\" {\n}\n}\n",
		"a missing opening brace":    "pool \"a\"\n  size = 1\n}\n",
		"half a word":                "poo\n",
	} {
		t.Run(name, func(t *testing.T) {
			file, ds := syntax.Parse("a.hcl", []byte(broken+"pool \"b\" {\n  size = 2\n}\n\ndevice \"c\" {\n}\n"))
			require.Len(t, ds, 1, "%v", ds)
			n := len(file.Body.Blocks)
			require.GreaterOrEqual(t, n, 2)
			require.Equal(t, []string{"b"}, file.Body.Blocks[n-2].Labels)
			require.Equal(t, []string{"c"}, file.Body.Blocks[n-1].Labels)
		})
	}
}

func BenchmarkEdit(b *testing.B) {
	var w strings.Builder
	for i := range 1000 {
		w.WriteString("pool \"p" + strings.Repeat("x", i%10) + "\" {\n  device    = device.d\n  size      = \"64KiB\"\n  alignment = 64\n  holds     = [\"activation\", \"input\"] # 😀\n}\n\n")
	}
	text := w.String()
	b.SetBytes(int64(len(text)))
	var cache syntax.Cache
	for i := 0; b.Loop(); i++ {
		cache.Parse("a.hcl", []byte("# "+strings.Repeat("-", i%10)+"\n"+text))
	}
}
