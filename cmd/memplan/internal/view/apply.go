package view

import (
	"fmt"
	"strings"

	"github.com/memplan/memplan/lang/diag"
)

// Apply shows a plan, asks for it to be accepted, and shows what accepting it did.
type Apply interface {
	Verb
	// Preview shows the plan before anything is written.
	Preview(*Planned)
	// Ask writes the question; the answer is read elsewhere.
	Ask()
	// Applied shows the result. Written says that the lock has changed; ds are the runs' diagnostics.
	Applied(p *Planned, written bool, runs []RunResult, ds diag.Diagnostics)
}

// NewApply returns the renderer for people or the JSON one.
func NewApply(asJSON bool, term *Terminal, sources Sources, version string) Apply {
	if asJSON {
		stream := events{term.Out, sources}
		stream.Start(version)
		return applyJSON{stream}
	}
	return applyHuman{human{term, sources}}
}

type applyHuman struct{ human }

// Preview shows the plan as plan does, without saying how to accept it.
func (v applyHuman) Preview(p *Planned) {
	v.diagnostics(p.Diagnostics)
	var b strings.Builder
	writePlanned(&b, v.out(), v.term.OutWidth, p)
	v.print(b.String())
}

// Ask asks the question that only "yes" answers, without ending the line.
func (v applyHuman) Ask() {
	v.print("\n" + v.out().bold("Do you accept this plan?") + " Only \"yes\" accepts it: ")
}

// Applied says whether the lock was written, and what the runs gave.
func (v applyHuman) Applied(p *Planned, written bool, runs []RunResult, ds diag.Diagnostics) {
	var b strings.Builder
	if written {
		fmt.Fprintf(&b, "\n%s %s was written; keep it under version control.\n", v.out().green("Applied."), visible(p.LockPath))
	}
	for _, e := range p.Exports {
		b.WriteString(e.String())
	}
	if len(runs) > 0 {
		b.WriteByte('\n')
	}
	for i := range runs {
		writeRun(&b, v.out(), v.term.OutWidth, &runs[i])
	}
	v.print(b.String())
	v.diagnostics(ds)
}

type applyJSON struct{ events }

// Preview emits an event for each change and each pool.
func (v applyJSON) Preview(p *Planned) { v.changesAndPools(p) }

// Ask writes nothing: with JSON a plan is accepted beforehand or not at all.
func (v applyJSON) Ask() {}

// applySummary is the last event of apply.
type applySummary struct {
	planSummary
	LockWritten bool        `json:"lock_written"`
	Exports     []Exported  `json:"exports"`
	Runs        []RunResult `json:"runs"`
}

// Applied emits an event for each run and the summary.
func (v applyJSON) Applied(p *Planned, written bool, runs []RunResult, ds diag.Diagnostics) {
	message := totals(p.Change)
	if written {
		message = "Applied. " + p.LockPath + " was written."
	}
	all := *p
	all.Diagnostics = append(append(diag.Diagnostics{}, p.Diagnostics...), ds...)
	v.emit(applySummary{v.planSummary(&all, message), written, append([]Exported{}, p.Exports...), withoutNil(runs)})
}
