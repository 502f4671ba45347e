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

// Markdown writes the explanation as a list, for the hover of an editor. It ends in a newline.
func (e *Explanation) Markdown() string {
	var b strings.Builder
	for _, f := range e.Facts() {
		if len(f.Lines) == 1 {
			fmt.Fprintf(&b, "- **%s**: %s\n", f.Label, escaped(f.Lines[0]))
			continue
		}
		fmt.Fprintf(&b, "- **%s**:\n", f.Label)
		for _, line := range f.Lines {
			fmt.Fprintf(&b, "  - %s\n", escaped(line))
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

// escaped writes a text so that Markdown shows it as it is.
func escaped(line string) string {
	var b strings.Builder
	for _, r := range printable(line) {
		if strings.ContainsRune("\\`*_{}[]<>#|~&!", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
