package intervals

import (
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/tabular"
)

// column is what a column of the file means.
type column int

// The columns.
const (
	columnID column = iota
	columnLower
	columnUpper
	columnSize
	columnAlignment
	columnPool
)

// columnsOf are the columns of an interval file.
var columnsOf = []tabular.Column{
	columnID:        {Names: []string{"id", "buffer", "buffer_id"}, Needed: true},
	columnLower:     {Names: []string{"lower", "start", "begin"}, Needed: true},
	columnUpper:     {Names: []string{"upper", inclusiveUpper}, Needed: true},
	columnSize:      {Names: []string{"size"}, Needed: true},
	columnAlignment: {Names: []string{"alignment"}},
	columnPool:      {Names: []string{"pool"}},
}

// inclusiveUpper is the spelling of upper under which lifetimes include their last time.
const inclusiveUpper = "end"

// solveColumns are columns that say where a buffer stands instead of what it is.
var solveColumns = []string{"hint", "offset", "gaps"}

// readHeader reads the first line. The result is false when the rows cannot be read by it.
func (im *importer) readHeader(l tabular.Line) (tabular.Header, bool) {
	fields, ok := im.split(l, nil)
	if !ok {
		return tabular.Header{}, false
	}
	h, faults := l.ReadHeader(columnsOf, fields)
	for _, fault := range faults {
		switch name := fault.Field.Text; {
		case fault.Incomplete:
			im.report(l, fault.Field, diag.IntervalHeader, "%s", fault.Detail)
		case slices.Contains(solveColumns, name):
			im.report(l, fault.Field, diag.IntervalSolveColumn, "Column %q says where a buffer may stand, which is a layout problem, not "+
				"a graph. Solve the file with `memplan solve`, or remove the column.", name)
		default:
			im.report(l, fault.Field, diag.IntervalColumn, "%s", fault.Detail)
		}
	}
	return h, len(faults) == 0
}
