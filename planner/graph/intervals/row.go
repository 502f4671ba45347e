package intervals

import (
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/diag"
)

// line is one line of the file without its end.
type line struct {
	text string
	// number counts from 1, start is the byte it begins at.
	number, start int
}

// field is a part of a line between commas, without quotes and surrounding spaces.
type field struct {
	text string
	// from and to are the bytes of the line it stands in, quotes included.
	from, to int
}

// blank reports whether the line holds nothing but spaces.
func (l line) blank() bool { return strings.TrimSpace(l.text) == "" }

// span is the range of the bytes [from, to) of the line. Columns count characters.
func (l line) span(filename string, from, to int) hcl.Range {
	position := func(at int) hcl.Pos {
		return hcl.Pos{Line: l.number, Column: 1 + utf8.RuneCountInString(l.text[:at]), Byte: l.start + at}
	}
	return hcl.Range{Filename: filename, Start: position(from), End: position(to)}
}

// lines iterates over the lines of the content, which end at a line feed, possibly behind a carriage return.
func lines(content string) iter.Seq[line] {
	return func(yield func(line) bool) {
		start := len(content) - len(strings.TrimPrefix(content, "\uFEFF"))
		for number := 1; start < len(content); number++ {
			end := len(content)
			if n := strings.IndexByte(content[start:], '\n'); n >= 0 {
				end = start + n
			}
			if !yield(line{text: strings.TrimSuffix(content[start:end], "\r"), number: number, start: start}) {
				return
			}
			start = end + 1
		}
	}
}

// split appends the fields of the line to fields[:0]. The result is false when a quoted field is damaged, which is
// reported.
func (im *importer) split(l line, fields []field) ([]field, bool) {
	fields = fields[:0]
	at := 0
	for {
		f, next, ok := l.field(at)
		if !ok {
			im.report(l, field{from: f.from, to: len(l.text)}, diag.IntervalText,
				"The field that starts here has an opening double quote, but its closing one is missing or not at the end of "+
					"the field. Write a double quote in a quoted field twice.")
			return fields, false
		}
		fields = append(fields, f)
		if next > len(l.text) {
			return fields, true
		}
		at = next
	}
}

// field reads the field that starts at the byte and returns where the next one starts, past the end of the line when
// there is none.
func (l line) field(at int) (field, int, bool) {
	start := at + len(l.text[at:]) - len(strings.TrimLeft(l.text[at:], " \t"))
	if start < len(l.text) && l.text[start] == '"' {
		return l.quoted(start)
	}
	end := len(l.text)
	if n := strings.IndexByte(l.text[at:], ','); n >= 0 {
		end = at + n
	}
	start = min(start, end)
	text := strings.TrimRight(l.text[start:end], " \t")
	return field{text: text, from: start, to: start + len(text)}, end + 1, true
}

// quoted reads a field whose opening quote stands at the byte.
func (l line) quoted(start int) (field, int, bool) {
	f := field{from: start}
	var text strings.Builder
	for at := start + 1; at < len(l.text); at++ {
		if l.text[at] != '"' {
			text.WriteByte(l.text[at])
			continue
		}
		if at+1 < len(l.text) && l.text[at+1] == '"' {
			text.WriteByte('"')
			at++
			continue
		}
		f.text, f.to = text.String(), at+1
		rest := strings.TrimLeft(l.text[f.to:], " \t")
		next := len(l.text) - len(rest) + 1
		return f, next, rest == "" || rest[0] == ','
	}
	return f, 0, false
}
