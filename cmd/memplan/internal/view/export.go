package view

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
)

// Exported is a file that was written. Graph is "" for all graphs of a plan.
type Exported struct {
	Graph  string `json:"graph"`
	Format string `json:"format"`
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
}

// Export writes a placement as a file of another system.
type Export interface {
	Verb
	// Text writes the file's text to standard output, whatever renders the rest; ds are warnings.
	Text(text []byte, ds diag.Diagnostics)
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

func (v exportHuman) Text(text []byte, ds diag.Diagnostics) {
	v.diagnostics(ds)
	write(v.term.Out, text)
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

func (v exportJSON) Text(text []byte, ds diag.Diagnostics) { v.people.Text(text, ds) }

// exportDocument is the document of export to a file.
type exportDocument struct {
	report
	Exports []Exported `json:"exports"`
}

func (v exportJSON) Written(file Exported, ds diag.Diagnostics) {
	v.write(exportDocument{reportOf(v.sources, ds), []Exported{file}})
}
