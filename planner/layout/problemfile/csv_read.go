package problemfile

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/tabular"
)

// table is what writing a CSV problem back takes.
type table struct {
	header tabular.Header
	// first is the header; rows has the line of each buffer as bytes [start, end) of the text.
	first tabular.Line
	rows  [][2]int
}

// inclusive reports whether times include the last one.
func (t *table) inclusive() bool { return t.header.Named(int(columnUpper), inclusiveUpper) }

// readCSV reads the header and the rows. Blank lines are left out at the end only.
func (r *reader) readCSV() {
	var blank tabular.Line // the first of those since the last row
	var row row
	for l := range tabular.Lines(r.text) {
		switch {
		case l.Number == 1:
			h, ok := r.readHeader(l)
			if !ok {
				return
			}
			r.table.header, r.table.first = h, l
			r.reserve()
			r.declare(r.poolsOfCSV())
		case l.Blank():
			if blank.Number == 0 {
				blank = l
			}
		default:
			r.reportBlank(blank, l)
			blank = tabular.Line{}
			var ok bool
			if row.fields, ok = r.split(l, row.fields); ok {
				row.Line = l
				r.readRow(&row)
			}
		}
	}
	if len(r.table.header.Fields) == 0 {
		r.report(hcl.Range{Filename: r.Name, Start: hcl.InitialPos, End: hcl.InitialPos}, diag.SolveHeader,
			"%s is empty. Its first line must name the columns id, lower, upper and size.", r.Name)
	}
}

// reserve makes room for the rows. No sound row is shorter than "a,0,1,0" and its line feed: the guess is never much more
// than the file can hold.
func (r *reader) reserve() {
	n := min(strings.Count(r.text, "\n"), len(r.text)/8)
	r.IDs, r.table.rows = make([]string, 0, n), make([][2]int, 0, n)
	r.Problem.Buffers = make([]layout.Buffer, 0, n)
	r.line = make(map[string]int, n)
}

// poolsOfCSV are the declared pools, else those that the rows name, in that order.
func (r *reader) poolsOfCSV() []Pool {
	at := r.table.header.At[columnPool]
	if len(r.declared) > 0 || at < 0 {
		return r.declared
	}
	var pools []Pool
	seen := map[string]bool{"": true}
	var fields []tabular.Field
	for l := range tabular.Lines(r.text) {
		if fields, _, _ = l.Split(fields); l.Number > 1 && at < len(fields) && !seen[fields[at].Text] {
			seen[fields[at].Text] = true
			pools = append(pools, Pool{fields[at].Text, layout.Pool{Capacity: layout.Unlimited, Alignment: 1}})
		}
	}
	return pools
}

// reportBlank reports the blank lines from the first one to before the next row.
func (r *reader) reportBlank(first, next tabular.Line) {
	if first.Number == 0 {
		return
	}
	at := first.Range(r.Name, 0, 0)
	if n := next.Number - first.Number; n > 1 {
		r.report(at, diag.SolveRow, "%d lines from line %d on are blank between other rows. Remove them.", n, first.Number)
		return
	}
	r.report(at, diag.SolveRow, "Line %d is blank between other rows. Remove it.", first.Number)
}

// row is a line split into fields.
type row struct {
	tabular.Line
	fields []tabular.Field
}

// field returns the text of a column and where it stands; false when the file has no such column or the field is empty.
func (r *reader) field(row *row, c column) (string, hcl.Range, bool) {
	at := r.table.header.At[c]
	if at < 0 {
		return "", hcl.Range{}, false
	}
	f := row.fields[at]
	return f.Text, row.Range(r.Name, f.From, f.To), f.Text != ""
}

func (r *reader) readRow(row *row) {
	whole := row.Range(r.Name, 0, len(row.Text))
	if len(row.fields) != len(r.table.header.Fields) {
		r.report(whole, diag.SolveRow, "This row has %d fields, but the header names %d columns. Give each column one field.",
			len(row.fields), len(r.table.header.Fields))
		return
	}
	before := len(r.diags) + r.more
	id, at, _ := r.field(row, columnID)
	r.named(id, "line", row.Number, at)
	b := layout.Buffer{Alignment: 1, Pools: r.all}
	r.readSize(row, id, &b)
	r.readLifetime(row, &b)
	r.readAlignment(row, id, &b)
	r.readPool(row, id, &b)
	r.readPlaces(row, id, &b)
	if len(r.diags)+r.more == before {
		r.add(id, b, whole)
		r.table.rows = append(r.table.rows, [2]int{row.Start, row.Start + len(row.Text)})
	}
}

func (r *reader) readLifetime(row *row, b *layout.Buffer) {
	text, at, _ := r.field(row, columnLower)
	lower, ok1 := r.number(text, "lower", at)
	text, at, _ = r.field(row, columnUpper)
	upper, ok2 := r.number(text, "upper", at)
	if !ok1 || !ok2 {
		return
	}
	live, ok := r.lifetime(lower, upper, r.table.inclusive(), at)
	if !ok {
		return
	}
	b.Live = live
	if text, at, ok := r.field(row, columnGaps); ok {
		b.Gaps = r.readGaps(text, at, b)
	}
}

func (r *reader) readSize(row *row, id string, b *layout.Buffer) {
	text, at, _ := r.field(row, columnSize)
	if n, ok := r.number(text, "size", at); ok && r.atLeast(n, 0, id, "size", at) {
		b.Size = n
	}
}

func (r *reader) readAlignment(row *row, id string, b *layout.Buffer) {
	text, at, ok := r.field(row, columnAlignment)
	if !ok {
		return
	}
	if n, ok := r.number(text, "alignment", at); ok && r.atLeast(n, 1, id, "alignment", at) {
		b.Alignment = n
	}
}

func (r *reader) readPool(row *row, id string, b *layout.Buffer) {
	name, at, ok := r.field(row, columnPool)
	if !ok {
		return
	}
	if k, ok := r.pool(name, id, at); ok {
		b.Pools = []int{k}
	}
}

// readPlaces reads where the buffer must stand or stood before.
func (r *reader) readPlaces(row *row, id string, b *layout.Buffer) {
	if text, at, ok := r.field(row, columnOffset); ok {
		if n, ok := r.number(text, "offset", at); ok && n != -1 && r.atLeast(n, 0, id, "offset", at) {
			b.Pinned, b.Offset = true, n
		}
	}
	if text, at, ok := r.field(row, columnHint); ok {
		if n, ok := r.number(text, "hint", at); ok && n != -1 && r.atLeast(n, 0, id, "hint", at) {
			b.Hint = &layout.Place{Pool: b.Pools[0], Offset: n}
		}
	}
}
