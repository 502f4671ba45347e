package intervals

import (
	"slices"
	"strings"

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
	columns
)

// columnNames are the spellings of each column; the first is our own.
var columnNames = [columns][]string{
	columnID:        {"id", "buffer", "buffer_id"},
	columnLower:     {"lower", "start", "begin"},
	columnUpper:     {"upper", "end"},
	columnSize:      {"size"},
	columnAlignment: {"alignment"},
	columnPool:      {"pool"},
}

// solveColumns are columns that say where a buffer stands instead of what it is.
var solveColumns = []string{"hint", "offset", "gaps"}

// header says which field of a row is which column.
type header struct {
	// at is the position of each column, -1 when the file has none.
	at [columns]int
	// inclusive marks a file whose lifetimes include their last time.
	inclusive bool
	count     int
}

// readHeader reads the first line. The result is false when the rows cannot be read by it.
func (im *importer) readHeader(l tabular.Line) (header, bool) {
	h := header{}
	for c := range h.at {
		h.at[c] = -1
	}
	fields, ok := im.split(l, nil)
	if ok && !slices.ContainsFunc(fields, func(f tabular.Field) bool { return slices.Contains(allColumnNames(), f.Text) }) {
		im.report(l, tabular.Field{To: len(l.Text)}, diag.IntervalHeader,
			"The first line must name the columns id, lower, upper and size, and names none of them. Add such a line.")
		return h, false
	}
	for i, f := range fields {
		ok = im.readColumn(&h, l, fields, i, f) && ok
	}
	h.count = len(fields)
	var missing []string
	for c := columnID; c <= columnSize; c++ {
		if h.at[c] < 0 {
			missing = append(missing, columnNames[c][0])
		}
	}
	if len(missing) > 0 && ok {
		im.report(l, tabular.Field{To: len(l.Text)}, diag.IntervalHeader,
			"The first line must name the columns id, lower, upper and size, and lacks %s. Add what is missing.",
			diag.Quoted(missing))
	}
	return h, ok && len(missing) == 0
}

// readColumn notes what field i of the header names.
func (im *importer) readColumn(h *header, l tabular.Line, fields []tabular.Field, i int, f tabular.Field) bool {
	for c := range columnNames {
		for _, name := range columnNames[c] {
			if f.Text != name {
				continue
			}
			if first := h.at[c]; first >= 0 {
				im.report(l, f, diag.IntervalColumn, "Column %q means the same as column %q before it. Keep one of them.",
					f.Text, fields[first].Text)
				return false
			}
			h.at[c] = i
			h.inclusive = h.inclusive || name == "end"
			return true
		}
	}
	for _, name := range solveColumns {
		if f.Text == name {
			im.report(l, f, diag.IntervalSolveColumn, "Column %q says where a buffer may stand, which is a layout problem, not "+
				"a graph. Solve the file with `memplan solve`, or remove the column.", name)
			return false
		}
	}
	known := allColumnNames()
	im.report(l, f, diag.IntervalColumn, "Column %q is not known; the columns are %s.%s Remove or rename it.",
		shorten(f.Text), strings.Join(known, ", "), diag.DidYouMean(f.Text, known))
	return false
}

func allColumnNames() []string {
	var names []string
	for _, spellings := range columnNames {
		names = append(names, spellings...)
	}
	return names
}
