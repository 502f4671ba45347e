package view

import (
	"strings"

	"github.com/memplan/memplan/lang/diag"
)

// Formatted is one file that fmt looked at.
type Formatted struct {
	Path    string `json:"path"`
	Changed bool   `json:"changed"`
	// Diff is a unified diff, "" unless it was asked for.
	Diff string `json:"diff,omitempty"`
	// Text is the formatted text when it goes to standard output instead of a file.
	Text string `json:"text,omitempty"`
}

// Fmt shows which files were not in canonical form.
type Fmt interface {
	Verb
	// Result shows the files; list says to name those that change. The diagnostics are of files that cannot be formatted.
	Result(files []Formatted, list bool, ds diag.Diagnostics)
}

// NewFmt returns the renderer for people or the JSON one.
func NewFmt(asJSON bool, term *Terminal, sources Sources) Fmt {
	if asJSON {
		return fmtJSON{document{term.Out, sources}}
	}
	return fmtHuman{human{term, sources}}
}

type fmtHuman struct{ human }

// Result lists the files that changed and writes what was asked for: differences, or the text of standard input.
func (v fmtHuman) Result(files []Formatted, list bool, ds diag.Diagnostics) {
	for _, f := range files {
		if f.Changed && list {
			v.print(visible(f.Path) + "\n")
		}
		write(v.term.Out, []byte(v.tint(string(v.shown([]byte(f.Diff)))))) // as it is: a diff may be applied
		v.content([]byte(f.Text))
	}
	v.diagnostics(ds)
}

// tint colours the lines of a diff.
func (v fmtHuman) tint(diff string) string {
	var b strings.Builder
	for line := range strings.Lines(diff) {
		text, end := strings.TrimSuffix(line, "\n"), ""
		if len(text) < len(line) {
			end = "\n"
		}
		switch {
		case strings.HasPrefix(line, "+"):
			text = v.out().green(text)
		case strings.HasPrefix(line, "-"):
			text = v.out().red(text)
		}
		b.WriteString(text + end)
	}
	return b.String()
}

type fmtJSON struct{ document }

// fmtDocument is the document of fmt.
type fmtDocument struct {
	report
	Files []Formatted `json:"files"`
}

// Result writes the document.
func (v fmtJSON) Result(files []Formatted, _ bool, ds diag.Diagnostics) {
	if files == nil {
		files = []Formatted{}
	}
	v.write(fmtDocument{reportOf(v.sources, ds), files})
}
