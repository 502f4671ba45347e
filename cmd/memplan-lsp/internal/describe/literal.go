package describe

import (
	"strings"
	"unicode"
)

// special are the characters that Markdown may take for marks; the bar, which would end a cell of a table, is written as
// an entity.
const (
	special = "\\`*_{}[]<>#~&!"
	bar     = "&#124;"
)

// Literal writes a text as Markdown that shows it as it is, on one line. Names come from models and files of others, and
// must neither change the page nor make an editor fetch anything.
func Literal(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case unicode.IsControl(r):
			b.WriteRune(unicode.ReplacementChar)
		case r == '|':
			b.WriteString(bar)
		default:
			if strings.ContainsRune(special, r) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Code writes a name or a value as code, or as [Literal] does where a code span could not hold it.
func Code(text string) string {
	inSpan := func(r rune) bool { return r != '`' && r != '|' && r != '\\' && !unicode.IsControl(r) }
	if text == "" || strings.ContainsFunc(text, func(r rune) bool { return !inSpan(r) }) {
		return Literal(text)
	}
	return "`" + text + "`"
}

// unmarked takes code marks, emphasis and what [Literal] adds out of Markdown.
func unmarked(markdown string) string {
	var b strings.Builder
	inCode := false
	for rest := markdown; rest != ""; {
		switch next := rest[1:]; {
		case rest[0] == '`':
			inCode, rest = !inCode, next
			continue
		case inCode:
		case strings.HasPrefix(rest, "**"):
			rest = rest[2:]
			continue
		case strings.HasPrefix(rest, bar):
			b.WriteByte('|')
			rest = rest[len(bar):]
			continue
		case rest[0] == '\\' && next != "" && strings.IndexByte(special, next[0]) >= 0:
			rest = next
		}
		b.WriteByte(rest[0])
		rest = rest[1:]
	}
	return b.String()
}
