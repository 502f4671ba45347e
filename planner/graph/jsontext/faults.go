package jsontext

import (
	"slices"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/diag"
)

// maxReports is the number of faults that are described one by one.
const maxReports = 100

// Span is a half-open range of bytes of the file.
type Span struct{ From, To int }

// Given reports whether the span is of something: the zero span is that of what is absent.
func (s Span) Given() bool { return s != Span{} }

// Start is the first byte of the span.
func (s Span) Start() Span { return Span{s.From, s.From + 1} }

// Words are how an importer speaks of the faults that any JSON file may have.
type Words struct {
	// Syntax, Repeated, Type and Value are for text that is no JSON, fields given twice, values of another type, and numbers
	// out of range; More counts the faults that are not described.
	Syntax, Repeated, Type, Value, More diag.ID
	// Advice is the next step for broken JSON, a sentence.
	Advice string
}

// Faults collects what is wrong with a file. Its methods are also those of the [Reader] that embeds it.
type Faults struct {
	filename string
	data     []byte
	words    Words
	// dead says that the rest of the file cannot be read; nothing is reported then.
	dead     bool
	newlines []int

	diags  diag.Diagnostics
	more   int
	moreAt *hcl.Range
}

// Dead reports whether broken JSON ended the walk.
func (f *Faults) Dead() bool { return f.dead }

// Count is the number of faults that are described.
func (f *Faults) Count() int { return len(f.diags) }

// Full reports whether further faults are counted and not described.
func (f *Faults) Full() bool { return len(f.diags) >= maxReports }

// Forget drops all faults, for an importer that finds a better account of them.
func (f *Faults) Forget() { f.diags, f.more = nil, 0 }

// Report adds a fault at a place and returns it, to add to it before the next; nil when it is only counted.
func (f *Faults) Report(at Span, id diag.ID, detail string, args ...any) *diag.Diagnostic {
	if f.dead {
		return nil
	}
	return f.Add(diag.New(id, detail, args...).At(f.Place(at)))
}

// Add adds a fault that has its place already, or none in this file. It returns it as Report does.
func (f *Faults) Add(d diag.Diagnostic) *diag.Diagnostic {
	if f.Full() {
		if f.more == 0 {
			f.moreAt = d.Subject
		}
		f.more++
		return nil
	}
	f.diags = append(f.diags, d)
	return &f.diags[len(f.diags)-1]
}

// All returns the faults, with the number of those that were not described.
func (f *Faults) All() diag.Diagnostics {
	if f.more == 0 {
		return f.diags
	}
	more := diag.New(f.words.More, "Faults that follow from here on: %d. Correct those above first.", f.more)
	if f.moreAt != nil {
		more = more.At(*f.moreAt)
	}
	return append(slices.Clone(f.diags), more)
}

// Place gives a span its lines and columns. Columns count characters. It costs O(log lines + length of the line) after the
// first call, which costs O(bytes).
func (f *Faults) Place(at Span) hcl.Range {
	return hcl.Range{Filename: f.filename, Start: f.position(at.From), End: f.position(at.To)}
}

func (f *Faults) position(at int) hcl.Pos {
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
