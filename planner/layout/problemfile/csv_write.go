package problemfile

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/tabular"
)

// Write writes the problem in a form with the places that were found. CSV is the CSV that was read, with the same columns
// and rows, and the column offset; when there are several pools, the column pool as well. A buffer without a place has an
// empty offset. JSON has every buffer with its pool and offset. The error is the writer's, or a *diag.Diagnostic when the
// form cannot hold the problem.
func (f *File) Write(w io.Writer, as Format, r *layout.Result) error {
	b := bufio.NewWriter(w)
	if as == JSON {
		if err := f.writeJSON(b, r); err != nil {
			return err
		}
		return b.Flush()
	}
	if unfit := f.unfitForCSV(); unfit != nil {
		return unfit
	}
	if f.Format == CSV {
		f.writeRows(b, r)
	} else {
		f.writeNewCSV(b, r)
	}
	return b.Flush()
}

// unfitForCSV says what of the problem no CSV file can hold, nil when one can hold it all.
func (f *File) unfitForCSV() *diag.Diagnostic {
	if f.Problem.Conflicts != nil {
		d := diag.New(diag.SolveForm, "CSV has no column for explicit conflicts, which %s gives. Write JSON instead.", f.Name)
		return &d
	}
	for _, name := range slices.Concat(f.IDs, f.PoolNames()) {
		if strings.Contains(name, "\n") {
			d := diag.New(diag.SolveForm, "A row of CSV is one line, and %q is a name of more. Write JSON instead, or rename it.", tabular.Shorten(name))
			return &d
		}
	}
	return nil
}

// placed is a buffer's pool and offset as fields.
func (f *File) placed(r *layout.Result, i int) (pool, offset string) {
	at := r.Places[i]
	if at.Pool == layout.Unplaced {
		return "", ""
	}
	return f.Pools[at.Pool].Name, strconv.FormatInt(at.Offset, 10)
}

// writeRows writes the rows that were read with their places.
func (f *File) writeRows(w *bufio.Writer, r *layout.Result) {
	t := &f.table
	ending := "\n"
	if end := t.first.Start + len(t.first.Text); end < len(f.Text) && f.Text[end] == '\r' {
		ending = "\r\n"
	}
	w.Write(f.Text[:t.first.Start])
	w.WriteString(f.completed(t.first.Text, nil, columnsOf[columnPool].Names[0], columnsOf[columnOffset].Names[0], ending))
	var fields []tabular.Field
	for i, row := range t.rows {
		line := string(f.Text[row[0]:row[1]])
		pool, offset := f.placed(r, i)
		fields, _, _ = tabular.Line{Text: line}.Split(fields)
		w.WriteString(f.completed(line, fields, pool, offset, ending))
	}
}

// completed is a line with a pool and an offset in place of those it has, or behind it. Without fields it is the header,
// whose names stay.
func (f *File) completed(line string, fields []tabular.Field, pool, offset, ending string) string {
	type change struct {
		field tabular.Field
		text  string
	}
	var changes []change
	more := ""
	for _, c := range []struct {
		column column
		text   string
		needed bool
	}{{columnPool, pool, len(f.Pools) > 1}, {columnOffset, offset, true}} {
		at := f.table.header.At[c.column]
		switch {
		case at < 0 && c.needed:
			more += "," + quoted(c.text)
		case at >= 0 && fields != nil:
			changes = append(changes, change{fields[at], quoted(c.text)})
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return b.field.From - a.field.From })
	for _, c := range changes {
		line = line[:c.field.From] + c.text + line[c.field.To:]
	}
	return line + more + ending
}

// quoted writes a field, in quotes where it needs them.
func quoted(text string) string {
	if text != strings.TrimSpace(text) || strings.ContainsAny(text, ",\"\r\n") {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// writeNewCSV writes a problem that was not CSV with the columns that it needs.
func (f *File) writeNewCSV(w *bufio.Writer, r *layout.Result) {
	gaps := slices.ContainsFunc(f.Problem.Buffers, func(b layout.Buffer) bool { return len(b.Gaps) > 0 })
	w.WriteString("id,lower,upper,size,alignment")
	if gaps {
		w.WriteString(",gaps")
	}
	w.WriteString(",pool,offset\n")
	for i := range f.Problem.Buffers {
		b := &f.Problem.Buffers[i]
		fmt.Fprintf(w, "%s,%d,%d,%d,%d", quoted(f.IDs[i]), b.Live.First, b.Live.Last, b.Size, b.Alignment)
		if gaps {
			var spans []string
			for _, gap := range openings(b) {
				text := fmt.Sprintf("%d-%d", gap.First, gap.Last)
				if gap.lo < gap.hi {
					text += fmt.Sprintf("@%d:%d", gap.lo, gap.hi)
				}
				spans = append(spans, text)
			}
			w.WriteString("," + strings.Join(spans, " "))
		}
		pool, offset := f.placed(r, i)
		fmt.Fprintf(w, ",%s,%s\n", quoted(pool), offset)
	}
}
