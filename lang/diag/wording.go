package diag

import (
	"errors"
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// Wording gives a finding of a library in the words of this project.
type Wording struct{ summary, detail, text string }

// Said is the wording of findings whose summary and details match two regular expressions, the summary as a whole: text is written
// instead, with $1 for what the summary or else the detail has in its first parentheses.
func Said(summary, detail, text string) Wording { return Wording{summary, detail, text} }

// Check reports an expression that does not compile. Otherwise none is compiled before a finding asks for it: most commands find
// nothing.
func (w *Wording) Check() error {
	_, summary := regexp.Compile(w.summary)
	_, detail := regexp.Compile(w.detail)
	return errors.Join(summary, detail)
}

// InWords is the text of the first of several wordings that matches a finding, so that those of one summary go from the special to
// the general. The second result is false when none does, as for what a newer library may find: then the text is the library's own.
func InWords(wordings []Wording, d *hcl.Diagnostic) (string, bool) {
	detail := oneStop(strings.TrimSpace(d.Detail))
	for i := range wordings {
		if text, ok := wordings[i].of(d.Summary, detail); ok {
			return text, true
		}
	}
	return d.Summary + ": " + detail, false
}

// oneStop leaves one full stop where a library ended the sentence of another, which had one already, with a second.
func oneStop(text string) string {
	if end := strings.TrimSuffix(text, "."); end != text && (strings.HasSuffix(end, "?") || strings.HasSuffix(end, ".") && !strings.HasSuffix(end, "..")) {
		return end
	}
	return text
}

// of is the text for a finding with a summary and a detail.
func (w *Wording) of(summary, detail string) (string, bool) {
	if w.summary != summary {
		if !strings.Contains(w.summary, "(") {
			return "", false
		}
		whole := regexp.MustCompile("^(?:" + w.summary + ")$")
		at := whole.FindStringSubmatchIndex(summary)
		if at == nil {
			return "", false
		}
		if whole.NumSubexp() > 0 {
			ok := regexp.MustCompile(w.detail).MatchString(detail)
			return string(whole.ExpandString(nil, w.text, summary, at)), ok
		}
	}
	expr := regexp.MustCompile(w.detail)
	at := expr.FindStringSubmatchIndex(detail)
	if at == nil {
		return "", false
	}
	return string(expr.ExpandString(nil, w.text, detail, at)), true
}
