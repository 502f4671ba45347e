package view

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
)

// Validate shows whether a configuration is valid.
type Validate interface {
	Verb
	// Result shows the diagnostics of what was read and, when none is an error, that all is well. About says what was
	// read: "net.hcl: 1 graph, 2 pools".
	Result(about string, ds diag.Diagnostics)
}

// NewValidate returns the renderer for people or the JSON one.
func NewValidate(asJSON bool, term *Terminal, sources Sources) Validate {
	if asJSON {
		return validateJSON{document{term.Out, sources}}
	}
	return validateHuman{human{term, sources}}
}

type validateHuman struct{ human }

// Result says that all is well, or shows what is not.
func (v validateHuman) Result(about string, ds diag.Diagnostics) {
	v.diagnostics(ds)
	if ds.HasErrors() {
		return
	}
	note := ""
	if _, warnings := ds.Count(); warnings > 0 {
		note = ", with " + plural(warnings, "warning")
	}
	v.print(fmt.Sprintf("%s %s%s.\n", v.out().green("Valid:"), about, note))
}

type validateJSON struct{ document }

// Result writes the document.
func (v validateJSON) Result(_ string, ds diag.Diagnostics) {
	v.write(failure{report: reportOf(v.sources, ds), Valid: !ds.HasErrors()})
}
