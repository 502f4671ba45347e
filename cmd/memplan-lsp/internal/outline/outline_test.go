package outline_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
)

// tree writes the outline in one line: blocks with what is in them, attributes with their values.
func tree(f *outline.File, b *outline.Block) string {
	var parts []string
	for _, a := range b.Attributes {
		parts = append(parts, a.Name+"="+f.Text(a.Value))
	}
	for _, inner := range b.Blocks {
		text := inner.Type
		for _, label := range inner.Labels {
			text += " " + label.Text
		}
		if inner.Opened {
			text += "{" + tree(f, inner) + "}"
		}
		if inner.Opened && !inner.Closed {
			text += "!"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

func TestWhatIsUnfinishedDoesNotHideTheRest(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"whole blocks":                    {"pool \"a\" {\n  size = 1\n}\ndevice \"d\" {\n  image2d {\n    max_width = 2\n  }\n}\n", "pool a{size=1}; device d{image2d{max_width=2}}"},
		"a block that is not closed":      {"pool \"a\" {\n  size = 1\n\ndevice \"d\" {\n}\n", "pool a{size=1}!; device d{}"},
		"a nested block that is not":      {"device \"d\" {\n  image2d {\n    max_width = 2\n\npool \"a\" {\n}\n", "device d{image2d{max_width=2}!}!; pool a{}"},
		"a string that is not closed":     {"pool \"a\" {\n  size = \"1KiB\n  type = \"flat\"\n}\npool \"b\" {\n}\n", "pool a{size=\"1KiB; type=\"flat\"}; pool b{}"},
		"a label that is not closed":      {"pool \"a {\n  size = 1\n}\npool \"b\" {\n}\n", "size=1; pool a {; pool b{}"},
		"a call that is not closed":       {"pool \"a\" {\n  size = kib(1\n  type = \"flat\"\n}\npool \"b\" {\n}\n", "pool a{size=kib(1; type=\"flat\"}; pool b{}"},
		"an attribute without a value":    {"pool \"a\" {\n  size =\n  type = \"flat\"\n}\n", "pool a{size=; type=\"flat\"}"},
		"a heredoc that is not closed":    {"locals {\n  a = <<EOT\n  b = 1\n}\n", "locals{a=<<EOT\n; b=1}"},
		"a word alone":                    {"pool \"a\" {\n  si\n}\n", "pool a{}"},
		"a block on one line":             {"memplan { required_version = \"1\" }\n", "memplan{required_version=\"1\"}"},
		"a value of several lines":        {"a = [\n  1,\n  2\n]\nb = 2\n", "a=[\n  1,\n  2\n]; b=2"},
		"a header without a brace":        {"pool \"a\"\npool \"b\" {\n}\n", "pool a; pool b{}"},
		"nothing":                         {"", ""},
		"a value at the end of the text":  {"a = 1", "a=1"},
		"a closing brace too many":        {"}\npool \"a\" {\n}\n", "pool a{}"},
		"a bracket closed by the block's": {"pool \"a\" {\n  x = [1,\n}\npool \"b\" {\n}\n", "pool a{x=[1,\n}; pool b{}"},
	} {
		t.Run(name, func(t *testing.T) {
			f := outline.New([]byte(c.text))
			assert.Equal(t, c.want, tree(f, f.Root))
		})
	}
}

func TestReferences(t *testing.T) {
	f := outline.New([]byte(`output "o" {
  value = [for pool in [pool.a.peak, graph.g.tensor["t"].offset] : pool.x] 
}
check "c" {
  assert {
    condition     = var.n > local.m && f(device.d.name)
    error_message = "${var.n} of { a = pool.b }"
  }
}
`))
	var found []string
	for _, name := range f.References() {
		found = append(found, name.Address.String()+"@"+f.Text(name.Span)+"@"+f.Text(name.Whole))
	}
	assert.Equal(t, []string{
		"graph.g@g@graph.g.tensor[\"t\"].offset", "var.n@n@var.n", "local.m@m@local.m", "device.d@d@device.d.name", "var.n@n@var.n",
	}, found)
}

func TestStringAtEveryOffset(t *testing.T) {
	text := `x = ["ab", "", "${y}z"]`
	f := outline.New([]byte(text))
	for offset := range len(text) + 1 {
		s, ok := f.StringAt(offset)
		inside := offset >= 6 && offset <= 8 || offset == 12
		require.Equal(t, inside, ok && s.Contains(offset), "offset %d: %v %v", offset, s, ok)
	}
}

func FuzzOutline(f *testing.F) {
	examples, err := filepath.Glob("../../../../examples/*/config.hcl")
	require.NoError(f, err)
	for _, example := range examples {
		text, err := os.ReadFile(example)
		require.NoError(f, err)
		f.Add(text, 10)
	}
	for _, seed := range []string{"pool \"a\" {\n x = [", "a = \"${", "a = <<E\n${x", "\xef\xbb\xbfa = 1", "a {{{ }", "%{", "x = f(1, g(", "a = \"b\nc = \"d\n"} {
		f.Add([]byte(seed), 5)
	}
	f.Fuzz(func(t *testing.T, src []byte, offset int) {
		file := outline.New(src)
		file.Declarations()
		file.References()
		offset = max(0, min(offset, len(src)))
		place := file.At(offset)
		if place.Block == nil {
			t.Fatal("every offset has a block")
		}
		file.StringAt(offset)
		file.EachAttribute(func(a *outline.Attribute) {
			file.CallAt(a, offset)
			if a.Value.Start < 0 || a.Value.End < a.Value.Start || a.Value.End > len(src) {
				t.Fatalf("the value of %s is at %v", a.Name, a.Value)
			}
		})
	})
}
