package view

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/memplan/memplan/lang/diag"
)

// Exported is a file that was written. Graph is "" for all graphs of a plan, Path "" for standard output.
type Exported struct {
	Graph  string `json:"graph"`
	Format string `json:"format"`
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
}

// Export writes a placement as a file of another system.
type Export interface {
	Verb
	// Text writes the file's content to standard output; ds are warnings. As JSON it is the content itself where that is JSON,
	// else a document that has it.
	Text(file Exported, content []byte, ds diag.Diagnostics)
	// Written says which file was written.
	Written(file Exported, ds diag.Diagnostics)
}

// NewExport returns the renderer for people or the JSON one.
func NewExport(asJSON bool, term *Terminal, sources Sources) Export {
	people := exportHuman{human{term, sources}}
	if asJSON {
		return exportJSON{document{term.Out, sources}, people}
	}
	return people
}

type exportHuman struct{ human }

func (v exportHuman) Text(_ Exported, content []byte, ds diag.Diagnostics) {
	v.diagnostics(ds)
	v.content(content)
}

func (v exportHuman) Written(file Exported, ds diag.Diagnostics) {
	v.diagnostics(ds)
	v.print(file.String())
}

// String is the line that says that the file was written.
func (e Exported) String() string {
	what := "the plan"
	if e.Graph != "" {
		what = "graph " + e.Graph
	}
	return fmt.Sprintf("Wrote %s as %s to %s, %d bytes.\n", what, e.Format, visible(e.Path), e.Bytes)
}

type exportJSON struct {
	document
	people exportHuman
}

func (v exportJSON) Text(file Exported, content []byte, ds diag.Diagnostics) {
	if json.Valid(content) {
		v.people.Text(file, content, ds)
		return
	}
	out := exportDocument{report: reportOf(v.sources, ds), Exports: []Exported{file}}
	if utf8.Valid(content) {
		out.Content = string(content)
	} else {
		out.Base64 = content
	}
	v.write(out)
}

// exportDocument is the document of export.
type exportDocument struct {
	report
	Exports []Exported `json:"exports"`
	// Content is what was not written to a file, Base64 the same where it is no text; both are left out otherwise.
	Content string `json:"content,omitempty"`
	Base64  []byte `json:"content_base64,omitempty"`
}

func (v exportJSON) Written(file Exported, ds diag.Diagnostics) {
	v.write(exportDocument{report: reportOf(v.sources, ds), Exports: []Exported{file}})
}
