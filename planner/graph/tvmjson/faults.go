package tvmjson

import (
	"slices"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/diag"
)

// maxReports is the number of faults that are described one by one.
const maxReports = 100

// span is a half-open range of bytes of the file.
type span struct{ from, to int }

// faults collects what is wrong with a file.
type faults struct {
	filename string
	data     []byte
	// dead says that the rest of the file cannot be read.
	dead     bool
	newlines []int

	diags  diag.Diagnostics
	more   int
	moreAt span
}

// report adds a fault at a place.
func (f *faults) report(at span, id diag.ID, detail string, args ...any) {
	if f.dead {
		return
	}
	if len(f.diags) >= maxReports {
		if f.more == 0 {
			f.moreAt = at
		}
		f.more++
		return
	}
	f.diags = append(f.diags, diag.New(id, detail, args...).At(f.place(at)))
}

// all returns the faults, with the number of those that were not described.
func (f *faults) all() diag.Diagnostics {
	if f.more > 0 {
		f.diags = append(f.diags, diag.New(diag.TVMMore, "%d more faults follow from here on. Correct those above first.", f.more).At(f.place(f.moreAt)))
	}
	return f.diags
}

// place gives a span its lines and columns. Columns count characters.
func (f *faults) place(at span) hcl.Range {
	return hcl.Range{Filename: f.filename, Start: f.position(at.from), End: f.position(at.to)}
}

// position costs O(log lines + length of the line) after the first call.
func (f *faults) position(at int) hcl.Pos {
	if f.newlines == nil {
		f.newlines = []int{-1}
		for i, b := range f.data {
			if b == '\n' {
				f.newlines = append(f.newlines, i)
			}
		}
	}
	at = max(0, min(at, len(f.data)))
	line, _ := slices.BinarySearch(f.newlines, at)
	start := f.newlines[line-1] + 1
	return hcl.Pos{Line: line, Column: 1 + utf8.RuneCount(f.data[start:at]), Byte: at}
}
