package export

import (
	"fmt"
	"strings"
)

// cNames hands out identifiers of C that are unique whatever their case.
type cNames map[string]bool

// claim returns the text as a part of an identifier: letters and digits in upper case, an underscore for each run of
// anything else, and a number behind it where another text gave the same. The first to come keeps the plain form.
func (n cNames) claim(text string) string {
	base := cWord(text)
	name := base
	for k := 2; n[name]; k++ {
		name = fmt.Sprintf("%s_%d", base, k)
	}
	n[name] = true
	return name
}

func cWord(text string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToUpper(text) {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			gap = false
			b.WriteRune(r)
			continue
		}
		gap = true
	}
	if b.Len() == 0 {
		return "UNNAMED"
	}
	return b.String()
}

// cPrefix is the text as the start of identifiers, none of which may begin with a digit.
func cPrefix(text string) string {
	word := cWord(text)
	if word[0] >= '0' && word[0] <= '9' {
		return "N" + word
	}
	return word
}

// cString is the text as a string literal. Question marks are escaped for the sake of trigraphs, and bytes beyond ASCII
// as three octal digits, which end where a hexadecimal escape would go on.
func cString(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\' || c == '?':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// cComment is the text as a part of a comment, which it neither ends nor continues on another line.
func cComment(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '\\' || r == '?' {
			return '.'
		}
		return r
	}, text)
	return strings.NewReplacer("*/", "* /", "/*", "/ *").Replace(text)
}

// cNumber is a number of bytes as a literal of an unsigned type that holds it.
func cNumber(n int64) string {
	if n>>32 != 0 {
		return fmt.Sprintf("%dull", n)
	}
	return fmt.Sprintf("%du", n)
}
