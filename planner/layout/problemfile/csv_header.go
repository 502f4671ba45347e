package problemfile

import (
	"slices"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/tabular"
)

// column is what a column of a CSV problem means.
type column int

// The columns; the first four must be there.
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
	columns
)

// columnNames are the spellings of each column; the first is our own.
var columnNames = [columns][]string{
	columnID:        {"id", "buffer", "buffer_id"},
	columnLower:     {"lower", "start", "begin"},
	columnUpper:     {"upper", "end"},
	columnSize:      {"size"},
	columnAlignment: {"alignment"},
	columnHint:      {"hint"},
	columnOffset:    {"offset"},
	columnGaps:      {"gaps"},
	columnPool:      {"pool"},
}

// header says which field of a row is which column.
type header struct {
	// at is the position of each column, -1 when the file has none.
	at [columns]int
	// inclusive marks a file whose times include the last one.
	inclusive bool
	count     int
}

// readHeader reads the first line. The result is false when the rows cannot be read by it.
func (r *reader) readHeader(l tabular.Line) (header, bool) {
	h := header{}
	for c := range h.at {
		h.at[c] = -1
	}
	fields, ok := r.split(l, nil)
	if ok && !slices.ContainsFunc(fields, func(f tabular.Field) bool { return slices.Contains(allColumnNames(), f.Text) }) {
		r.report(l.Range(r.Name, 0, len(l.Text)), diag.SolveHeader,
			"The first line must name the columns id, lower, upper and size, and names none of them. Add such a line.")
		return h, false
	}
	for i, f := range fields {
		ok = r.readColumn(&h, l, fields, i, f) && ok
	}
	h.count = len(fields)
	var missing []string
	for c := columnID; c <= columnSize; c++ {
		if h.at[c] < 0 {
			missing = append(missing, columnNames[c][0])
		}
	}
	if len(missing) > 0 && ok {
		r.report(l.Range(r.Name, 0, len(l.Text)), diag.SolveHeader,
			"The first line must name the columns id, lower, upper and size, and lacks %s. Add what is missing.", diag.Quoted(missing))
	}
	return h, ok && len(missing) == 0
}

// readColumn notes what field i of the header names.
func (r *reader) readColumn(h *header, l tabular.Line, fields []tabular.Field, i int, f tabular.Field) bool {
	for c := range columnNames {
		if !slices.Contains(columnNames[c], f.Text) {
			continue
		}
		if first := h.at[c]; first >= 0 {
			r.report(l.Range(r.Name, f.From, f.To), diag.SolveColumn, "Column %q means the same as column %q before it. Keep one of them.",
				f.Text, fields[first].Text)
			return false
		}
		h.at[c] = i
		h.inclusive = h.inclusive || f.Text == "end"
		return true
	}
	known := allColumnNames()
	r.report(l.Range(r.Name, f.From, f.To), diag.SolveColumn, "Column %q is not known; the columns are %s.%s Remove or rename it.",
		shorten(f.Text), strings.Join(known, ", "), diag.DidYouMean(f.Text, known))
	return false
}

func allColumnNames() []string {
	return slices.Concat(columnNames[:]...)
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
