package view

import (
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/explain"
)

// Tensor explains one tensor of a plan.
type Tensor interface {
	Verb
	// Result shows the explanations, one for each graph with a tensor of that name; ds are warnings, and errors of checks
	// that failed.
	Result(tensors []*explain.Explanation, ds diag.Diagnostics)
}

// NewTensor returns the renderer for people or the JSON one.
func NewTensor(asJSON bool, term *Terminal, sources Sources) Tensor {
	if asJSON {
		return tensorJSON{document{term.Out, sources}}
	}
	return tensorHuman{human{term, sources}}
}

type tensorHuman struct{ human }

// Result explains each tensor in sentences.
func (v tensorHuman) Result(tensors []*explain.Explanation, ds diag.Diagnostics) {
	v.diagnostics(ds)
	texts := make([]string, len(tensors))
	for i := range tensors {
		texts[i] = visibleLines(tensors[i].Text())
	}
	v.print(strings.Join(texts, "\n"))
}

type tensorJSON struct{ document }

// tensorDocument is the document of show -tensor.
type tensorDocument struct {
	report
	Tensors []*explain.Explanation `json:"tensors"`
}

// Result writes the document.
func (v tensorJSON) Result(tensors []*explain.Explanation, ds diag.Diagnostics) {
	v.write(tensorDocument{reportOf(v.sources, ds), tensors})
}
