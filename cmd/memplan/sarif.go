package main

import (
	"bytes"
	"slices"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

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
	var text bytes.Buffer
	err := sarifReport(a.shown).PrettyWrite(&text)
	if err == nil {
		text.WriteByte('\n')
		err = plan.WriteFile(a.flags.sarif, text.Bytes())
	}
	if err != nil {
		view.WriteLate(a.term, a.sources, notWritten(a.flags.sarif, err))
	}
	return err
}

// sarifReport describes diagnostics as SARIF 2.1.0: a rule for each id that occurs, and a result for each diagnostic in
// the order in which they are shown.
func sarifReport(shown diag.Diagnostics) *sarif.Report {
	const home = "https://github.com/memplan/memplan"
	run := sarif.NewRunWithInformationURI("memplan", home)
	run.Tool.Driver.WithVersion(version())
	run.WithColumnKind("unicodeCodePoints")
	numbers := map[diag.ID]int{}
	for _, d := range shown.Sorted() {
		rule := run.AddRule(string(d.ID))
		if _, known := numbers[d.ID]; !known {
			numbers[d.ID] = len(numbers)
		}
		if info, ok := diag.Lookup(d.ID); ok {
			rule.WithShortDescription(sarif.NewMultiformatMessageString().WithText(info.Summary))
			rule.WithFullDescription(sarif.NewMultiformatMessageString().WithText(info.Doc))
			rule.WithHelpURI(home + "/blob/main/docs/diagnostics.md")
		}
		result := sarif.NewRuleResult(string(d.ID)).WithRuleIndex(numbers[d.ID]).WithLevel(d.Severity.String()).WithMessage(sarif.NewTextMessage(d.Detail))
		if d.Subject != nil && d.Subject.Filename != "" {
			result.WithLocations([]*sarif.Location{sarifLocation(d.Subject.Filename, d.Subject.Start.Line, d.Subject.Start.Column, d.Subject.End.Line, d.Subject.End.Column)})
		}
		for i, related := range d.Related {
			location := sarifLocation(related.Range.Filename, related.Range.Start.Line, related.Range.Start.Column, related.Range.End.Line, related.Range.End.Column)
			result.RelatedLocations = append(result.RelatedLocations, location.WithID(i+1).WithMessage(sarif.NewTextMessage(related.Message)))
		}
		run.AddResult(result)
	}
	return sarif.NewReport().AddRun(run)
}

// sarifLocation is a place in a file. An end that is not after the start is left out.
func sarifLocation(file string, line, column, endLine, endColumn int) *sarif.Location {
	region := sarif.NewRegion().WithStartLine(max(line, 1)).WithStartColumn(max(column, 1))
	if endLine > line || endLine == line && endColumn > column {
		region.WithEndLine(endLine).WithEndColumn(endColumn)
	}
	return sarif.NewLocationWithPhysicalLocation(sarif.NewPhysicalLocation().
		WithArtifactLocation(sarif.NewSimpleArtifactLocation(file)).WithRegion(region))
}
