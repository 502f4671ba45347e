package intervals

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/tabular"
)

// split appends the fields of the line to fields[:0]. The result is false when a quoted field is damaged, which is
// reported.
func (im *importer) split(l tabular.Line, fields []tabular.Field) ([]tabular.Field, bool) {
	fields, damaged, ok := l.Split(fields)
	if !ok {
		im.report(l, damaged, diag.IntervalText,
			"The field that starts here has an opening double quote, but its closing one is missing or not at the end of "+
				"the field. Write a double quote in a quoted field twice.")
	}
	return fields, ok
}
