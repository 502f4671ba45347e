package diag

import (
	"fmt"
	"strings"
)

// Phrase is what an error says as a part of a sentence: in one line and without the full stop that some systems end it with.
func Phrase(err error) string {
	lines := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' })
	for i := range lines {
		lines[i] = strings.TrimRight(strings.TrimSpace(lines[i]), ". ")
	}
	return strings.Join(lines, "; ")
}

// Sentence is what an error says as a sentence, which it may be already.
func Sentence(err error) string {
	text := Phrase(err)
	if strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

// Format is fmt.Sprintf for details: errors among the arguments are phrases, and one at the end of the text is a sentence.
func Format(detail string, args ...any) string {
	if len(args) == 0 {
		return detail
	}
	phrased := make([]any, len(args))
	for i, arg := range args {
		phrased[i] = arg
		if err, ok := arg.(error); ok {
			phrased[i] = Phrase(err)
			if i == len(args)-1 && (strings.HasSuffix(detail, "%v") || strings.HasSuffix(detail, "%s")) {
				phrased[i] = Sentence(err)
			}
		}
	}
	return fmt.Sprintf(detail, phrased...)
}
