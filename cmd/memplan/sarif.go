package main

import (
	"encoding/json"
	"slices"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/plan"
)

// writeSARIF writes all diagnostics that were shown to the file of -sarif. What keeps it from that is shown in turn.
func (a *app) writeSARIF() error {
	if a.flags.sarif == "" {
		return nil
	}
	if refused := a.inputs.refuse("-sarif", a.flags.sarif); refused.HasErrors() {
		if !slices.ContainsFunc(a.shown, func(d diag.Diagnostic) bool { return d.Detail == refused[0].Detail }) {
			view.WriteLate(a.term, a.sources, refused...)
		}
		return &refused[0]
	}
	text, err := json.MarshalIndent(sarifReport(a.sources, a.shown), "", "  ")
	if err == nil {
		err = plan.WriteFile(a.flags.sarif, append(text, '\n'))
	}
	if err != nil {
		view.WriteLate(a.term, a.sources, notWritten(a.flags.sarif, err))
	}
	return err
}
