package tabular

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memplan/memplan/lang/diag"
)

// Column is a column that a table may have.
type Column struct {
	// Names are its spellings, the usual one first.
	Names []string
	// Needed says that a table without it cannot be read.
	Needed bool
}

// Header says which field of a row is which column.
type Header struct {
	// At is the position of each column, -1 when the table has none.
	At []int
	// Fields are those of the line that names the columns.
	Fields []Field
}

// Named reports whether the table spells a column so. The zero header names none.
func (h *Header) Named(column int, name string) bool {
	return column < len(h.At) && h.At[column] >= 0 && h.Fields[h.At[column]].Text == name
}

// HeaderFault is a fault of the line that names the columns.
type HeaderFault struct {
	// Field is what is wrong: the name of a column, or with Incomplete the line as a whole.
	Field Field
	// Incomplete says that columns are missing; otherwise one is not known or named twice.
	Incomplete bool
	// Detail says it in full sentences, with the fix where there is one.
	Detail diag.Hint
}

// ReadHeader reads the fields of a line that names columns, in any order. Without faults every column that is needed is there.
func (l Line) ReadHeader(columns []Column, fields []Field) (Header, []HeaderFault) {
	h := Header{At: make([]int, len(columns)), Fields: slices.Clone(fields)}
	for c := range h.At {
		h.At[c] = -1
	}
	var faults []HeaderFault
	known := spellings(columns)
	if !slices.ContainsFunc(fields, func(f Field) bool { return slices.Contains(known, f.Text) }) {
		return h, []HeaderFault{l.incomplete(columns, "names none of them. "+l.nextStep(known))}
	}
	for i, f := range fields {
		if wrong := h.name(columns, known, i, f); wrong.Text != "" {
			faults = append(faults, HeaderFault{Field: f, Detail: wrong})
		}
	}
	var missing []string
	for c, column := range columns {
		if column.Needed && h.At[c] < 0 {
			missing = append(missing, column.Names[0])
		}
	}
	if len(missing) > 0 && len(faults) == 0 {
		faults = append(faults, l.incomplete(columns, fmt.Sprintf("lacks %s. Add what is missing.", diag.Quoted(missing))))
	}
	return h, faults
}

// name notes which column field i names and returns what is wrong with that, no text when nothing is.
func (h *Header) name(columns []Column, known []string, i int, f Field) diag.Hint {
	c := slices.IndexFunc(columns, func(column Column) bool { return slices.Contains(column.Names, f.Text) })
	switch {
	case c < 0:
		near := diag.DidYouMean(f.Text, known)
		return diag.Hint{Fix: near.Fix, Text: fmt.Sprintf("Column %q is not known; the columns are %s.%s Remove or rename it.",
			Shorten(f.Text), strings.Join(known, ", "), near)}
	case h.At[c] >= 0:
		return diag.Hint{Text: fmt.Sprintf("Column %q means the same as column %q before it. Keep one of them.", f.Text, h.Fields[h.At[c]].Text)}
	}
	h.At[c] = i
	return diag.Hint{}
}

func (l Line) incomplete(columns []Column, why string) HeaderFault {
	var needed []string
	for _, column := range columns {
		if column.Needed {
			needed = append(needed, column.Names[0])
		}
	}
	return HeaderFault{Field: Field{To: len(l.Text)}, Incomplete: true,
		Detail: diag.Hint{Text: fmt.Sprintf("The first line must name the columns %s, and %s", diag.Enumerate(needed, "and"), why)}}
}

// nextStep says what to do about a line that names no column: one that does with another separator needs commas.
func (l Line) nextStep(known []string) string {
	for _, other := range []struct{ mark, name string }{{";", "semicolons"}, {"\t", "tabs"}, {"|", "bars"}} {
		first, _, found := strings.Cut(l.Text, other.mark)
		if found && slices.Contains(known, strings.TrimSpace(first)) {
			return "Separate the columns by commas, not " + other.name + "."
		}
	}
	return "Add such a line."
}

func spellings(columns []Column) []string {
	var names []string
	for _, column := range columns {
		names = append(names, column.Names...)
	}
	return names
}
