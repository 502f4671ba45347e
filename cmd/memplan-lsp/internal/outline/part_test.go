package outline_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/lang/schema"
)

// pieces are what random texts are made of.
var pieces = []string{
	"a = 1\n", "locals {\n  x = [1, {\n    y = \"z\"\n  }]\n}\n", "pool \"p\" {\n  size = \"1KiB\" # 😀\n}\n", "# comment\n", "/* x\n */", "\n", "  ",
	"scope_rule \"r\" {\n  match {\n    op = [\"Conv\"]\n  }\n}\n", "c = <<EOT\n  ${b}\nEOT\n", "<<EOT\n", "{", "}", "(", "\"", "${", "device \"d {\n}\n", "graph \"g\" {\n  source = \"", "b = pool.p.",
}

// An outline depends on the text alone, whatever the one before it was made of.
func TestAnOutlineOfAnEditedTextIsThatOfTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 10).Draw(t, "pieces"), "")
		f := outline.New([]byte(text))
		for range rapid.IntRange(1, 6).Draw(t, "edits") {
			from := rapid.IntRange(0, len(text)).Draw(t, "from")
			to := rapid.IntRange(from, min(len(text), from+20)).Draw(t, "to")
			text = strings.ToValidUTF8(text[:from]+rapid.SampledFrom(pieces).Draw(t, "new")+text[to:], "?")
			f = outline.Next(f, []byte(text), schema.Root())
			want := outline.New([]byte(text))
			require.True(t, reflect.DeepEqual(want.Root, f.Root), "%q", text)
			require.Len(t, f.Tokens, len(want.Tokens))
			for i, token := range want.Tokens {
				got := f.Tokens[i]
				require.Equal(t, token.Type, got.Type)
				require.Equal(t, string(token.Bytes), string(got.Bytes))
				require.Equal(t, token.Range.Start.Byte, got.Range.Start.Byte)
				require.Equal(t, token.Range.End.Byte, got.Range.End.Byte)
			}
			for offset := range len(text) + 1 {
				require.Equal(t, want.At(offset).Part, f.At(offset).Part)
			}
		}
	})
}
