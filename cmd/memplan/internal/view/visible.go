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

// obeyed reports control characters and those that change the direction or the joining of others.
func obeyed(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }
