package view

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible writes the characters of a name that a terminal would obey instead of show as Go writes them in strings. Names
// come from files that somebody else made.
func visible(name string) string {
	if utf8.ValidString(name) && !strings.ContainsFunc(name, obeyed) {
		return name
	}
	var b strings.Builder
	for _, r := range name {
		if obeyed(r) || r == utf8.RuneError {
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// visibleLines is visible for a text of several lines.
func visibleLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = visible(lines[i])
	}
	return strings.Join(lines, "\n")
}

// harmless is a text of several lines as visible would write each of them, but for tabs and, in a painted text, the
// sequences that set colours. It is the last thing that happens to what is printed for people.
func harmless(text string, paint palette) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return obeyed(r) && r != '\n' && r != '\t' }) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		at := strings.IndexFunc(text, func(r rune) bool { return obeyed(r) && r != '\n' && r != '\t' })
		if at < 0 {
			at = len(text)
		}
		b.WriteString(text[:at])
		text = text[at:]
		size := 0
		if paint {
			size = colourBytes(text)
			b.WriteString(text[:size])
		}
		if size == 0 && text != "" {
			_, size = utf8.DecodeRuneInString(text)
			b.WriteString(visible(text[:size]))
		}
		text = text[size:]
	}
	return b.String()
}

// colourBytes is the length of the sequence that sets colours at the start of a text, 0 when there is none.
func colourBytes(text string) int {
	rest, ok := strings.CutPrefix(text, "\x1b[")
	if !ok {
		return 0
	}
	parameters := strings.TrimLeft(rest, "0123456789;")
	if !strings.HasPrefix(parameters, "m") {
		return 0
	}
	return len(text) - len(parameters) + 1
}

// Visible is a text of several lines for people who read it in another program.
func Visible(s string) string { return visibleLines(s) }

// obeyed reports control characters, those that change the direction or the joining of others, and those that end lines.
func obeyed(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }
