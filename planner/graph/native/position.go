package native

import (
	"slices"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/diag"
)

// report adds a fault at a place.
func (r *reader) report(at span, id diag.ID, detail string, args ...any) {
	if r.dead {
		return
	}
	if len(r.diags) >= maxReports {
		if r.more == 0 {
			r.moreAt = at
		}
		r.more++
		return
	}
	r.diags = append(r.diags, diag.New(id, detail, args...).At(r.place(at)))
}

// finish adds the number of faults that were not described.
func (r *reader) finish() diag.Diagnostics {
	if r.more > 0 {
		r.diags = append(r.diags, diag.New(diag.NativeMore, "%d more faults follow from here on. Correct those above first.",
			r.more).At(r.place(r.moreAt)))
	}
	return r.diags
}

// place gives a span its lines and columns. Columns count characters.
func (r *reader) place(at span) hcl.Range {
	return hcl.Range{Filename: r.filename, Start: r.position(at.from), End: r.position(at.to)}
}

// position costs O(log lines + length of the line) after the first call.
func (r *reader) position(at int) hcl.Pos {
	if r.newlines == nil {
		r.newlines = []int{-1}
		for i, b := range r.data {
			if b == '\n' {
				r.newlines = append(r.newlines, i)
			}
		}
	}
	at = max(0, min(at, len(r.data)))
	line, _ := slices.BinarySearch(r.newlines, at)
	start := r.newlines[line-1] + 1
	return hcl.Pos{Line: line, Column: 1 + utf8.RuneCount(r.data[start:at]), Byte: at}
}
