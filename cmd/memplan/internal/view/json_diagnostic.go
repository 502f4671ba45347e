package view

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/repair"
)

// FormatVersion is the version of every JSON document and event stream of the command line. Additions raise the minor
// number, anything else the major one.
const FormatVersion = "1.0"

// jsonDiagnostic is a diagnostic as JSON, in the form that Terraform users know, with a code.
type jsonDiagnostic struct {
	Severity string        `json:"severity"`
	Code     string        `json:"code"`
	Summary  string        `json:"summary"`
	Detail   string        `json:"detail"`
	Range    *jsonRange    `json:"range,omitempty"`
	Snippet  *jsonSnippet  `json:"snippet,omitempty"`
	Related  []jsonRelated `json:"related,omitempty"`
	Fixes    []jsonFix     `json:"fixes,omitempty"`
}

// jsonFix is a repair of which a program may offer the first, or all: each edit writes a text in place of what its range holds.
type jsonFix struct {
	Title string     `json:"title"`
	Edits []jsonEdit `json:"edits"`
}

type jsonEdit struct {
	Range *jsonRange `json:"range"`
	Text  string     `json:"text"`
}

type jsonRange struct {
	Filename string       `json:"filename"`
	Start    jsonPosition `json:"start"`
	End      jsonPosition `json:"end"`
}

// jsonPosition counts lines and columns from 1, columns in grapheme clusters, and bytes from 0.
type jsonPosition struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Byte   int `json:"byte"`
}

type jsonSnippet struct {
	Context              string      `json:"context"`
	Code                 string      `json:"code"`
	StartLine            int         `json:"start_line"`
	HighlightStartOffset int         `json:"highlight_start_offset"`
	HighlightEndOffset   int         `json:"highlight_end_offset"`
	Values               []reference `json:"values"`
}

type jsonRelated struct {
	Message string     `json:"message"`
	Range   *jsonRange `json:"range"`
}

func jsonDiagnostics(sources Sources, ds diag.Diagnostics) []jsonDiagnostic {
	out := []jsonDiagnostic{}
	for _, d := range ds.Sorted() {
		j := jsonDiagnostic{Severity: d.Severity.String(), Code: string(d.ID), Summary: d.Summary, Detail: d.Detail, Range: jsonRangeOf(d.Subject)}
		if s := snippetOf(sources, d.Subject); s != nil {
			j.Snippet = &jsonSnippet{Context: s.Block, Code: s.Text, StartLine: s.Line, HighlightStartOffset: s.From, HighlightEndOffset: s.To, Values: references(&d)}
			if j.Snippet.Values == nil {
				j.Snippet.Values = []reference{}
			}
		}
		for _, related := range d.Related {
			j.Related = append(j.Related, jsonRelated{related.Message, jsonRangeOf(&related.Range)})
		}
		if d.Subject != nil && len(d.Fixes) > 0 {
			for _, e := range repair.Edits(sources(d.Subject.Filename), &d) {
				j.Fixes = append(j.Fixes, jsonFix{e.Title, []jsonEdit{{jsonRangeOf(&e.Range), e.Text}}})
			}
		}
		out = append(out, j)
	}
	return out
}

func jsonRangeOf(r *hcl.Range) *jsonRange {
	if r == nil {
		return nil
	}
	return &jsonRange{r.Filename, jsonPosition(r.Start), jsonPosition(r.End)}
}

// report is what every JSON document says of the diagnostics; documents embed it.
type report struct {
	FormatVersion string           `json:"format_version"`
	ErrorCount    int              `json:"error_count"`
	WarningCount  int              `json:"warning_count"`
	Diagnostics   []jsonDiagnostic `json:"diagnostics"`
}

func reportOf(sources Sources, ds diag.Diagnostics) report {
	r := report{FormatVersion: FormatVersion, Diagnostics: jsonDiagnostics(sources, ds)}
	for _, d := range r.Diagnostics {
		if d.Severity == diag.Error.String() {
			r.ErrorCount++
		} else {
			r.WarningCount++
		}
	}
	return r
}
