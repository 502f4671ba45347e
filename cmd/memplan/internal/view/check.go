package view

import (
	"fmt"
	"strings"

	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/plan"
)

// Check shows whether a lock still is what the configuration plans.
type Check interface {
	Verb
	// Result shows the comparison. The diagnostics hold an error when the lock differs or a check failed.
	Result(*Planned)
}

// NewCheck returns the renderer for people or the JSON one.
func NewCheck(asJSON bool, term *Terminal, sources Sources) Check {
	if asJSON {
		return checkJSON{document{term.Out, sources}}
	}
	return checkHuman{human{term, sources}}
}

type checkHuman struct{ human }

// Result says whether the lock is what is planned, and how not.
func (v checkHuman) Result(p *Planned) {
	var b strings.Builder
	if !p.Change.Identical {
		writeRenamed(&b, v.out(), p.Renamed)
		writeCauses(&b, v.out(), p.Old, p.New, p.Change)
		writeChanges(&b, v.out(), v.term.OutWidth, p.Old, p.New, p.Change)
	}
	writeFinished(&b, v.out(), p.Outputs, p.Checks)
	if !p.Diagnostics.HasErrors() {
		fmt.Fprintf(&b, "%s %s is what %s plans: %s in %s, verified independently.\n", v.out().green("Up to date:"),
			visible(p.LockPath), visible(p.Path), plural(len(p.Change.Tensors), "tensor"), plural(len(p.New.Pools), "pool"))
	}
	v.print(b.String())
	v.diagnostics(p.Diagnostics)
}

type checkJSON struct{ document }

// checkDocument is the document of check.
type checkDocument struct {
	report
	Valid      bool                   `json:"valid"`
	UpToDate   bool                   `json:"up_to_date"`
	Lock       string                 `json:"lock"`
	Changes    changeCounts           `json:"changes"`
	Changed    []plan.TensorChange    `json:"changed"`
	Settings   []string               `json:"changed_settings"`
	Attributes []plan.AttributeChange `json:"changed_attributes"`
	Renamed    []planner.Rename       `json:"renamed"`
	Pools      []plan.Pool            `json:"pools"`
	Checks     []jsonCheck            `json:"checks"`
}

// Result writes the document.
func (v checkJSON) Result(p *Planned) {
	doc := checkDocument{
		report: reportOf(v.sources, p.Diagnostics), Valid: !p.Diagnostics.HasErrors(), UpToDate: p.Change.Identical, Lock: p.LockPath,
		Changes: countsOf(p.Change), Changed: []plan.TensorChange{}, Settings: append([]string{}, p.Change.Settings...),
		Attributes: append([]plan.AttributeChange{}, p.Change.Attributes...), Renamed: append([]planner.Rename{}, p.Renamed...),
		Pools: []plan.Pool{}, Checks: jsonChecks(p.Checks),
	}
	for _, c := range p.Change.Tensors {
		if c.Kind != plan.Same {
			doc.Changed = append(doc.Changed, c)
		}
	}
	for _, pool := range p.New.Pools {
		doc.Pools = append(doc.Pools, withLists(pool))
	}
	v.write(doc)
}
