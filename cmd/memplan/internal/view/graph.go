package view

import "github.com/memplan/memplan/lang/diag"

// Graph writes a graph as a file of another format.
type Graph interface {
	Verb
	// Result writes the text; ds are warnings.
	Result(text []byte, ds diag.Diagnostics)
}

// NewGraph returns the renderer; asJSON decides only how failures are written, the text being what was asked for.
func NewGraph(asJSON bool, term *Terminal, sources Sources) Graph {
	people := graphText{human{term, sources}}
	if asJSON {
		return graphJSON{document{term.Out, sources}, people}
	}
	return people
}

type graphText struct{ human }

// Result writes the graph file, and diagnostics beside it on standard error.
func (v graphText) Result(text []byte, ds diag.Diagnostics) {
	v.diagnostics(ds)
	write(v.term.Out, text)
}

type graphJSON struct {
	document
	people graphText
}

// Result writes the same bytes as for people: a graph file is JSON already.
func (v graphJSON) Result(text []byte, ds diag.Diagnostics) { v.people.Result(text, ds) }
