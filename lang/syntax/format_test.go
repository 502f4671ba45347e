package syntax

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/stretchr/testify/require"
)

var formatCases = map[string]struct{ in, want string }{
	"indents blocks and aligns equals signs": {
		"pool \"a\" {\ndevice=device.gpu\n      size = \"64KiB\"\nimage2d {\nmax_width=1\n}\n}\n",
		"pool \"a\" {\n  device = device.gpu\n  size   = \"64KiB\"\n  image2d {\n    max_width = 1\n  }\n}\n",
	},
	"never rewrites a size": {
		"a=\"1.50KiB\"\nb = 1024\n",
		"a = \"1.50KiB\"\nb = 1024\n",
	},
	"keeps CRLF line endings": {
		"a=1\r\nbcd=2 # x\r\nb \"x\" {\r\nc=<<E\r\n y\r\nE\r\n}\r\n",
		"a   = 1\r\nbcd = 2 # x\r\nb \"x\" {\r\n  c = <<E\r\n y\r\nE\r\n}\r\n",
	},
	"keeps the absence of a final newline": {"a=1", "a = 1"},
	"drops a byte order mark":              {"\xef\xbb\xbfa=1\n", "a = 1\n"},
	"keeps comments of every kind": {
		"// one\n/* two\n    lines */\n  x   =  1   # tail\n\n\n# end",
		"// one\n/* two\n    lines */\nx = 1 # tail\n\n\n# end",
	},
	"keeps a heredoc with its control sequences": {
		"locals {\na = <<EOT\n%{ for x in y ~}\n    ${  x  }\n%{ endfor ~}\nEOT\nbb=1\n}\n",
		"locals {\n  a  = <<EOT\n%{ for x in y ~}\n    ${  x  }\n%{ endfor ~}\nEOT\n  bb = 1\n}\n",
	},
	"keeps an interpolation of several lines in a heredoc, and the indentation after it": {
		"locals {\n  a = <<-EOT\n    x ${join(\",\", [\n\"a\",\n        \"b\"\n])} y\n       z\n    EOT\nbb=1\n}\n",
		"locals {\n  a  = <<-EOT\n    x ${join(\",\", [\n\"a\",\n        \"b\"\n])} y\n       z\n    EOT\n  bb = 1\n}\n",
	},
	"keeps a heredoc inside a heredoc": {
		"a = <<X\n${ <<Y\n  y\nY\n}\nX\nb=1\n",
		"a = <<X\n${ <<Y\n  y\nY\n}\nX\nb = 1\n",
	},
	"keeps two heredocs apart": {
		"a=<<X\n 1\nX\nb=<<X\n 2\nX\n",
		"a = <<X\n 1\nX\nb = <<X\n 2\nX\n",
	},
	"tidies a template on one line": {"size=\"${  var.x  }KiB\"\n", "size = \"${var.x}KiB\"\n"},
	"leaves an empty file empty":    {"", ""},
}

func TestCanonical(t *testing.T) {
	for name, c := range formatCases {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, string(Canonical([]byte(c.in))))
			require.Equal(t, c.want, string(Canonical([]byte(c.want))), "canonical text comes back as it is")
		})
	}
}

func TestFormatLeavesBrokenTextAlone(t *testing.T) {
	broken := "a  =  {\nb =   \n"
	got, ds := Format("x.hcl", []byte(broken))
	require.True(t, ds.HasErrors())
	require.Equal(t, broken, string(got))
	got, ds = Format("x.hcl", []byte("a  =  1\n"))
	require.Empty(t, ds)
	require.Equal(t, "a = 1\n", string(got))
}

// words lists the tokens of the text without white space; a heredoc is one word with all that is in it.
func words(src []byte) []string {
	held := heredocs(src)
	tokens, _ := hclsyntax.LexConfig(splice(src, held, standIn), "", hcl.InitialPos)
	var out []string
	for _, token := range tokens {
		if text := string(token.Bytes); token.Type != hclsyntax.TokenTabs {
			out = append(out, strings.TrimRight(text, " \t"))
		}
	}
	for _, r := range held {
		out = append(out, string(src[r.Start.Byte:r.End.Byte]))
	}
	return out
}

func FuzzCanonical(f *testing.F) {
	for _, c := range formatCases {
		f.Add([]byte(c.in))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if _, diags := hclsyntax.ParseConfig(src, "x.hcl", hcl.InitialPos); diags.HasErrors() {
			return
		}
		once := Canonical(src)
		require.Equal(t, words([]byte(strings.TrimPrefix(string(src), "\xef\xbb\xbf"))), words(once), "only white space changes")
		require.Equal(t, string(once), string(Canonical(once)), "canonical text comes back as it is")
		require.False(t, settled(src) && string(hclwrite.Format(src)) != string(src), "what is settled is in canonical form")
	})
}
