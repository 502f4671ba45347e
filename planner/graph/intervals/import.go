package intervals

import (
	"errors"
	"math"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/tabular"
)

// maxReports is the number of faults that are described one by one.
const maxReports = 100

// importer reads one file.
type importer struct {
	filename string
	diags    diag.Diagnostics
	// more counts the faults beyond maxReports, the first of which stands at moreAt.
	more   int
	moreAt hcl.Range

	header tabular.Header
	graph  *graph.Graph
	// lifetimes and sizes back what the tensors point to, a slab at a time.
	lifetimes []graph.Given
	sizes     []int64
	// lineOf is the number of the line of each id.
	lineOf map[string]int
}

// Import reads an interval file as a graph without operators: each row is a tensor of role activation with as many
// bytes as its size, and its lifetime and wishes in Given. The graph is nil when there are errors. It costs O(file).
func Import(f *source.File) (*graph.Graph, diag.Diagnostics) {
	base := path.Base(f.Name())
	im := &importer{
		filename: f.Name(),
		graph:    &graph.Graph{Name: strings.TrimSuffix(base, path.Ext(base)), Format: "intervals", Digest: f.Digest()},
	}
	// The copy makes names plain slices of one string that outlives the file.
	content := string(f.Bytes())
	// No sound row is shorter than "a,0,1,0" and its line feed: the guess is never much more than the file can hold.
	rows := min(strings.Count(content, "\n"), len(content)/8)
	im.graph.Tensors, im.lineOf = make([]graph.Tensor, 0, rows), make(map[string]int, rows)
	im.readLines(content)
	if len(im.diags) > 0 {
		return nil, im.finish()
	}
	return im.graph, nil
}

// readLines reads the header and the rows. Blank lines are left out at the end only.
func (im *importer) readLines(content string) {
	var blank tabular.Line // the first of those since the last row
	fields := make([]tabular.Field, 0, len(columnsOf))
	for l := range tabular.Lines(content) {
		switch {
		case l.Number == 1:
			var ok bool
			if im.header, ok = im.readHeader(l); !ok {
				return
			}
		case l.Blank():
			if blank.Number == 0 {
				blank = l
			}
		default:
			im.reportBlank(blank, l)
			blank = tabular.Line{}
			var ok bool
			if fields, ok = im.split(l, fields); ok {
				im.readRow(l, fields)
			}
		}
	}
	if len(im.header.Fields) == 0 {
		im.report(tabular.Line{Number: 1}, tabular.Field{}, diag.IntervalHeader,
			"%s is empty. Its first line must name the columns id, lower, upper and size.", im.filename)
	}
}

// reportBlank reports the blank lines from the first one to before the next row.
func (im *importer) reportBlank(first, next tabular.Line) {
	switch n := next.Number - first.Number; {
	case first.Number == 0:
	case n == 1:
		im.report(first, tabular.Field{}, diag.IntervalRow, "Line %d is blank between other rows. Remove it.", first.Number)
	default:
		im.report(first, tabular.Field{}, diag.IntervalRow, "%d lines from line %d on are blank between other rows. Remove them.",
			n, first.Number)
	}
}

// readRow adds the tensor of a row.
func (im *importer) readRow(l tabular.Line, fields []tabular.Field) {
	if len(fields) != len(im.header.Fields) {
		im.report(l, tabular.Field{To: len(l.Text)}, diag.IntervalRow, "This row has %d fields, but the header names %d columns. "+
			"Give each column one field.", len(fields), len(im.header.Fields))
		return
	}
	id, named := im.id(l, fields)
	lifetime, lived := im.lifetime(l, fields)
	size, sized := im.number(l, fields, columnSize)
	if sized && size < 0 {
		im.report(l, fields[im.header.At[columnSize]], diag.IntervalRange, "Buffer %q has a size of %d bytes. Give it 0 or more.",
			tabular.Shorten(id), size)
		sized = false
	}
	aligned := im.wishes(l, fields, id, &lifetime)
	if named && lived && sized && aligned {
		im.add(id, lifetime, size)
	}
}

// slab is the number of rows whose lifetimes and sizes are allocated together.
const slab = 1024

func (im *importer) add(id string, lifetime graph.Given, size int64) {
	n := len(im.lifetimes)
	if n == cap(im.lifetimes) {
		n, im.lifetimes, im.sizes = 0, make([]graph.Given, 0, slab), make([]int64, 0, slab)
	}
	im.lifetimes, im.sizes = append(im.lifetimes, lifetime), append(im.sizes, size)
	im.graph.Tensors = append(im.graph.Tensors, graph.Tensor{
		Name: id, Role: graph.Activation, DType: graph.Uint8, Shape: im.sizes[n : n+1 : n+1], Given: &im.lifetimes[n],
	})
}

// id reads the name, which no other row may have.
func (im *importer) id(l tabular.Line, fields []tabular.Field) (string, bool) {
	f := fields[im.header.At[columnID]]
	if f.Text == "" || !utf8.ValidString(f.Text) {
		im.report(l, f, diag.IntervalText, "The id of this row is empty or not UTF-8. Name the buffer.")
		return f.Text, false
	}
	if first, taken := im.lineOf[f.Text]; taken {
		im.report(l, f, diag.IntervalDuplicate, "Buffer %q stands in line %d already. Give this one another id.",
			tabular.Shorten(f.Text), first)
		return f.Text, false
	}
	im.lineOf[f.Text] = l.Number
	return f.Text, true
}

// lifetime reads lower and upper, which must hold one time at least.
func (im *importer) lifetime(l tabular.Line, fields []tabular.Field) (graph.Given, bool) {
	lower, ok1 := im.number(l, fields, columnLower)
	upper, ok2 := im.number(l, fields, columnUpper)
	if !ok1 || !ok2 {
		return graph.Given{}, false
	}
	end := fields[im.header.At[columnUpper]]
	last := upper
	if im.header.Named(int(columnUpper), inclusiveUpper) {
		if upper == math.MaxInt64 {
			im.report(l, end, diag.IntervalRange, "The last time %d leaves no room for the end behind it. Use smaller times.", upper)
			return graph.Given{}, false
		}
		upper++
	}
	if lower >= upper {
		im.report(l, end, diag.IntervalLifetime, "The lifetime from %d to %d holds no time. A buffer is live at least once: "+
			"correct one of the two.", lower, last)
		return graph.Given{}, false
	}
	if lower < 0 && upper > math.MaxInt64+lower {
		im.report(l, end, diag.IntervalRange, "The lifetime from %d to %d is longer than 2^63-1. Use smaller times.", lower, last)
		return graph.Given{}, false
	}
	return graph.Given{First: lower, Last: upper}, true
}

// wishes reads the optional columns.
func (im *importer) wishes(l tabular.Line, fields []tabular.Field, id string, given *graph.Given) bool {
	if at := im.header.At[columnPool]; at >= 0 {
		given.Pool = fields[at].Text
		if !utf8.ValidString(given.Pool) {
			im.report(l, fields[at], diag.IntervalText, "The pool of buffer %q is not UTF-8. Name the pool.", tabular.Shorten(id))
			return false
		}
	}
	at := im.header.At[columnAlignment]
	if at < 0 || fields[at].Text == "" {
		return true
	}
	alignment, ok := im.number(l, fields, columnAlignment)
	if ok && alignment < 1 {
		im.report(l, fields[at], diag.IntervalRange, "Buffer %q has an alignment of %d. Give it 1 or more, or leave the field empty.",
			tabular.Shorten(id), alignment)
		return false
	}
	given.Alignment = alignment
	return ok
}

// number reads a column as an integer.
func (im *importer) number(l tabular.Line, fields []tabular.Field, c column) (int64, bool) {
	f := fields[im.header.At[c]]
	n, err := strconv.ParseInt(f.Text, 10, 64)
	if err == nil {
		return n, true
	}
	name := columnsOf[c].Names[0]
	if errors.Is(err, strconv.ErrRange) {
		im.report(l, f, diag.IntervalRange, "The %s %s does not fit into 64 bits. Use a smaller number.", name, tabular.Shorten(f.Text))
		return 0, false
	}
	im.report(l, f, diag.IntervalNumber, "The %s %q is not a whole number. Write decimal digits only.", name, tabular.Shorten(f.Text))
	return 0, false
}

// report adds a fault at a field of a line.
func (im *importer) report(l tabular.Line, f tabular.Field, id diag.ID, detail string, args ...any) {
	if len(im.diags) >= maxReports {
		if im.more == 0 {
			im.moreAt = l.Range(im.filename, f.From, f.To)
		}
		im.more++
		return
	}
	im.diags = append(im.diags, diag.New(id, detail, args...).At(l.Range(im.filename, f.From, f.To)))
}

// finish adds the number of faults that were not described.
func (im *importer) finish() diag.Diagnostics {
	if im.more > 0 {
		im.diags = append(im.diags, diag.New(diag.IntervalMore, "Faults that follow from here on: %d. Correct those above first.",
			im.more).At(im.moreAt))
	}
	return im.diags
}
