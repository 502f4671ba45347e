package diag

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// Severity orders diagnostics: errors stop a command, warnings do not.
type Severity uint8

// The severities.
const (
	Error Severity = iota
	Warning
)

// String returns "error" or "warning", as in JSON output.
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Related points at another place that explains the diagnostic, such as the first of two definitions.
type Related struct {
	Message string
	Range   hcl.Range
}

// Diagnostic is one finding about what the user wrote or about a file it names.
type Diagnostic struct {
	ID       ID
	Severity Severity
	// Summary says what is wrong in less than 60 characters, without values.
	Summary string
	// Detail is full sentences: the values seen, the limit, and one next step. Names are the model's own.
	Detail string
	// Subject is the tightest range at fault; nil when no text is (a missing file named on the command line).
	Subject *hcl.Range
	// Context is a wider range worth showing, nil or containing Subject.
	Context *hcl.Range
	Related []Related
	// Fixes are what a program can do about it, the likeliest first; nil when nothing is sure enough.
	Fixes []Fix
	// Block is the full name of the block at fault, for where Subject is a text that makes several; "" when that is not needed.
	Block string
	// Expression and EvalContext, when set, let a renderer show the values of the variables used.
	Expression  hcl.Expression
	EvalContext *hcl.EvalContext
}

// Error makes one diagnostic usable as an error, for the few places that carry it through an error result.
func (d *Diagnostic) Error() string {
	return fmt.Sprintf("%s: %s: %s", d.ID, d.Summary, d.Detail)
}

// At returns d with its subject set to r, unless it has one already.
func (d Diagnostic) At(r hcl.Range) Diagnostic {
	if d.Subject == nil {
		d.Subject = &r
	}
	return d
}

// New returns a diagnostic of the id's registered severity and summary; detail is formatted as by [Format], and the fixes
// of hints among the arguments are its fixes.
// It panics when the id is not registered: that is a fault of memplan, found by any test that reaches it.
func New(id ID, detail string, args ...any) Diagnostic {
	info, ok := Lookup(id)
	if !ok {
		panic("diag: unregistered id " + string(id))
	}
	d := Diagnostic{ID: id, Severity: info.Severity, Summary: info.Summary, Detail: Format(detail, args...)}
	for _, arg := range args {
		if hint, ok := arg.(Hint); ok && hint.Fix != nil {
			d.Fixes = append(d.Fixes, hint.Fix)
		}
	}
	return d
}

// Diagnostics is a list in the order of discovery.
type Diagnostics []Diagnostic

// HasErrors reports whether any diagnostic is an error.
func (ds Diagnostics) HasErrors() bool {
	return slices.ContainsFunc(ds, func(d Diagnostic) bool { return d.Severity == Error })
}

// Count returns the number of errors and of warnings.
func (ds Diagnostics) Count() (errors, warnings int) {
	for _, d := range ds {
		if d.Severity == Error {
			errors++
		} else {
			warnings++
		}
	}
	return errors, warnings
}

// At returns the list with r as subject of each diagnostic that has none.
func (ds Diagnostics) At(r hcl.Range) Diagnostics {
	out := make(Diagnostics, len(ds))
	for i, d := range ds {
		out[i] = d.At(r)
	}
	return out
}

// Sorted returns a copy without exact repeats in the order of rendering: by file name, then position, then errors
// before warnings, then id, summary and detail. Those without a subject come first.
func (ds Diagnostics) Sorted() Diagnostics {
	out := slices.Clone(ds)
	slices.SortStableFunc(out, compare)
	return slices.CompactFunc(out, func(a, b Diagnostic) bool { return compare(a, b) == 0 })
}

func compare(a, b Diagnostic) int {
	if c := compareRange(a.Subject, b.Subject); c != 0 {
		return c
	}
	if a.Severity != b.Severity {
		return int(a.Severity) - int(b.Severity)
	}
	if c := strings.Compare(string(a.ID), string(b.ID)); c != 0 {
		return c
	}
	if c := strings.Compare(a.Summary, b.Summary); c != 0 {
		return c
	}
	return strings.Compare(a.Detail, b.Detail)
}

func compareRange(a, b *hcl.Range) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	if c := strings.Compare(a.Filename, b.Filename); c != 0 {
		return c
	}
	if a.Start.Byte != b.Start.Byte {
		return a.Start.Byte - b.Start.Byte
	}
	return a.End.Byte - b.End.Byte
}
