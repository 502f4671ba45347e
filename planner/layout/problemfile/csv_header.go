package problemfile

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/tabular"
)

// column is what a column of a CSV problem means.
type column int

// The columns.
const (
	columnID column = iota
	columnLower
	columnUpper
	columnSize
	columnAlignment
	columnHint
	columnOffset
	columnGaps
	columnPool
)

// columnsOf are the columns of a CSV problem.
var columnsOf = []tabular.Column{
	columnID:        {Names: []string{"id", "buffer", "buffer_id"}, Needed: true},
	columnLower:     {Names: []string{"lower", "start", "begin"}, Needed: true},
	columnUpper:     {Names: []string{"upper", inclusiveUpper}, Needed: true},
	columnSize:      {Names: []string{"size"}, Needed: true},
	columnAlignment: {Names: []string{"alignment"}},
	columnHint:      {Names: []string{"hint"}},
	columnOffset:    {Names: []string{"offset"}},
	columnGaps:      {Names: []string{"gaps"}},
	columnPool:      {Names: []string{"pool"}},
}

// inclusiveUpper is the spelling of upper under which times include the last one.
const inclusiveUpper = "end"

// readHeader reads the first line. The result is false when the rows cannot be read by it.
func (r *reader) readHeader(l tabular.Line) (tabular.Header, bool) {
	fields, ok := r.split(l, nil)
	if !ok {
		return tabular.Header{}, false
	}
	h, faults := l.ReadHeader(columnsOf, fields)
	for _, fault := range faults {
		id := diag.SolveColumn
		if fault.Incomplete {
			id = diag.SolveHeader
		}
		r.report(l.Range(r.Name, fault.Field.From, fault.Field.To), id, "%s", fault.Detail)
	}
	return h, len(faults) == 0
}

// split divides a line; the result is false when a quoted field is damaged, which is reported.
func (r *reader) split(l tabular.Line, fields []tabular.Field) ([]tabular.Field, bool) {
	fields, damaged, ok := l.Split(fields)
	if !ok {
		r.report(l.Range(r.Name, damaged.From, damaged.To), diag.SolveText,
			"The field that starts here has an opening double quote, but its closing one is missing or not at the end of the "+
				"field. Write a double quote in a quoted field twice.")
	}
	return fields, ok
}
