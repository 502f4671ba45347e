package text_test

import (
	"math"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/protocol"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/text"
)

// anyText draws texts of what positions get wrong: emoji, combining marks, line breaks of every kind, broken bytes.
func anyText(t *rapid.T, label string) string {
	parts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "bc ", "é", "e\u0301", "😀", "👩‍👩‍👧", "\n", "\r\n", "\r", "\t", "\ufeff", "\xff", "\xe2\x82", "\x00", strings.Repeat("x", 3000)}), 0, 30).Draw(t, label)
	return strings.Join(parts, "")
}

// position counts from the start, as the protocol defines it.
func position(s string, offset int, encoding text.Encoding) protocol.Position {
	var p protocol.Position
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if i+size > offset {
			break
		}
		i += size
		switch {
		case r == '\n', r == '\r' && !strings.HasPrefix(s[i:], "\n"):
			p = protocol.Position{Line: p.Line + 1}
		case encoding == text.UTF8:
			p.Character += uint32(size)
		default:
			p.Character += uint32(max(1, utf16.RuneLen(r)))
		}
	}
	return p
}

func TestPositionsAreThoseOfTheProtocol(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyText(t, "text")
		encoding := rapid.SampledFrom([]text.Encoding{text.UTF16, text.UTF8}).Draw(t, "encoding")
		m := text.NewMapper([]byte(s), encoding)
		for offset := 0; offset <= len(s); offset++ {
			if len(s) > 200 && offset%37 != 0 {
				continue
			}
			if offset < len(s) && !startsCharacter(s, offset) || offset > 0 && offset < len(s) && s[offset] == '\n' && s[offset-1] == '\r' {
				continue
			}
			p := m.Position(offset)
			require.Equal(t, position(s, offset, encoding), p, "offset %d of %q", offset, s)
			require.Equal(t, offset, m.Offset(p), "%v of %q", p, s)
		}
	})
}

// startsCharacter reports whether a character of valid text, or a byte that belongs to none, begins at the offset.
func startsCharacter(s string, offset int) bool {
	for i := 0; i <= offset; {
		if i == offset {
			return true
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return false
}

func TestPositionsOutsideOfTheTextAreItsEnds(t *testing.T) {
	m := text.NewMapper([]byte("ab\r\n😀c\n"), text.UTF16)
	for _, c := range []struct {
		line, character uint32
		want            int
	}{
		{0, 2, 2}, {0, 3, 2}, {0, math.MaxUint32, 2}, {1, 0, 4}, {1, 1, 4}, {1, 2, 8}, {1, 99, 9}, {2, 0, 10}, {2, 5, 10}, {3, 0, 10}, {math.MaxUint32, math.MaxUint32, 10},
	} {
		assert.Equal(t, c.want, m.Offset(protocol.Position{Line: c.line, Character: c.character}), "%d:%d", c.line, c.character)
	}
	assert.Equal(t, protocol.Position{}, m.Position(-5))
	assert.Equal(t, protocol.Position{Line: 2}, m.Position(500))
}

func TestEditsTurnOneTextIntoTheOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Documents hold valid text.
		before, after := strings.ToValidUTF8(anyText(t, "before"), "?"), strings.ToValidUTF8(anyText(t, "after"), "?")
		encoding := rapid.SampledFrom([]text.Encoding{text.UTF16, text.UTF8}).Draw(t, "encoding")
		edits := text.Edits([]byte(before), []byte(after), encoding)
		got := []byte(before)
		for i := len(edits) - 1; i >= 0; i-- {
			got = text.NewMapper(got, encoding).Apply(text.Change{Range: &edits[i].Range, Text: edits[i].NewText}).Text()
		}
		require.Equal(t, after, string(got), "%+v", edits)
	})
}

func TestAChangeWithoutARangeIsTheWholeText(t *testing.T) {
	assert.Equal(t, "new", string(text.NewMapper([]byte("old"), text.UTF16).Apply(text.Change{Text: "new"}).Text()))
	assert.Equal(t, "newold", string(text.NewMapper([]byte("old"), text.UTF16).Apply(text.Change{Range: &protocol.Range{}, Text: "new"}).Text()))
	backwards := protocol.Range{Start: protocol.Position{Character: 2}, End: protocol.Position{Character: 1}}
	assert.Equal(t, "o-d", string(text.NewMapper([]byte("old"), text.UTF16).Apply(text.Change{Range: &backwards, Text: "-"}).Text()))
}

func TestASpanMovesWithTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := anyText(t, "before"), anyText(t, "after")
		start := rapid.IntRange(0, len(before)).Draw(t, "start")
		end := rapid.IntRange(start, len(before)).Draw(t, "end")
		newStart, newEnd, ok := text.Compare([]byte(before), []byte(after)).Span(start, end)
		if ok {
			require.Equal(t, before[start:end], after[newStart:newEnd])
		}
	})
}
