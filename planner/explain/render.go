package explain

import (
	"fmt"
	"strings"
	"unicode"
)

// Text writes the explanation as lines of a label and a text, for a terminal. It ends in a newline.
func (e *Explanation) Text() string {
	facts := e.Facts()
	width := 0
	for _, f := range facts {
		width = max(width, len(f.Label))
	}
	var b strings.Builder
	for _, f := range facts {
		for i, line := range f.Lines {
			label := f.Label
			if i > 0 {
				label = ""
			}
			fmt.Fprintf(&b, "%-*s  %s\n", width, label, printable(line))
		}
	}
	return b.String()
}

// printable replaces what would move the cursor or colour the terminal: names come from files of others.
func printable(line string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, line)
}
