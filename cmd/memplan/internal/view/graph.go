package view

import "github.com/memplan/memplan/lang/diag"

// Graph writes a graph as a file of another format.
type Graph interface {
	Verb
	// Result writes the text in the format; ds are warnings.
	Result(format string, text []byte, ds diag.Diagnostics)
}

// NewGraph returns the renderer; with asJSON what is not JSON itself stands in a document.
func NewGraph(asJSON bool, term *Terminal, sources Sources) Graph {
	people := graphText{human{term, sources}}
	if asJSON {
		return graphJSON{document{term.Out, sources}, people}
	}
	return people
}

type graphText struct{ human }

// Result writes the graph file, and diagnostics beside it on standard error.
func (v graphText) Result(_ string, text []byte, ds diag.Diagnostics) {
	v.diagnostics(ds)
	v.content(text)
}

type graphJSON struct {
	document
	people graphText
}

// graphDocument is the document that holds a diagram.
type graphDocument struct {
	report
	Format string `json:"format"`
	Text   string `json:"text"`
}

// Result writes the same bytes as for people when a graph file is JSON already, and else a document that holds them.
func (v graphJSON) Result(format string, text []byte, ds diag.Diagnostics) {
	if format == "json" {
		v.people.Result(format, text, ds)
		return
	}
	v.write(graphDocument{reportOf(v.sources, ds), format, string(text)})
}
