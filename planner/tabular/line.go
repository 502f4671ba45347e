package tabular

import (
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// Line is one line of a file without its end.
type Line struct {
	Text string
	// Number counts from 1; Start is the byte of the file that it begins at.
	Number, Start int
}

// Field is a part of a line between commas, without quotes and surrounding spaces.
type Field struct {
	Text string
	// From and To are the bytes [From, To) of the line that it stands in, quotes included.
	From, To int
}

// Blank reports whether the line holds nothing but spaces.
func (l Line) Blank() bool { return strings.TrimSpace(l.Text) == "" }

// Range is the range of the bytes [from, to) of the line. Columns count characters.
func (l Line) Range(filename string, from, to int) hcl.Range {
	position := func(at int) hcl.Pos {
		return hcl.Pos{Line: l.Number, Column: 1 + utf8.RuneCountInString(l.Text[:at]), Byte: l.Start + at}
	}
	return hcl.Range{Filename: filename, Start: position(from), End: position(to)}
}

// Lines iterates over the lines of the content, which end at a line feed, possibly behind a carriage return. A byte order
// mark at the beginning belongs to none.
func Lines(content string) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		start := len(content) - len(strings.TrimPrefix(content, "\uFEFF"))
		for number := 1; start < len(content); number++ {
			end := len(content)
			if n := strings.IndexByte(content[start:], '\n'); n >= 0 {
				end = start + n
			}
			if !yield(Line{Text: strings.TrimSuffix(content[start:end], "\r"), Number: number, Start: start}) {
				return
			}
			start = end + 1
		}
	}
}

// Split appends the fields of the line to dst[:0]. The result is false when a quoted field has no closing quote or more
// text behind it; the second result is then the rest of the line from that field on.
func (l Line) Split(dst []Field) ([]Field, Field, bool) {
	dst = dst[:0]
	at := 0
	for {
		f, next, ok := l.field(at)
		if !ok {
			return dst, Field{From: f.From, To: len(l.Text)}, false
		}
		dst = append(dst, f)
		if next > len(l.Text) {
			return dst, Field{}, true
		}
		at = next
	}
}

// field reads the field that starts at the byte and returns where the next one starts, past the end of the line when
// there is none.
func (l Line) field(at int) (Field, int, bool) {
	start := at + len(l.Text[at:]) - len(strings.TrimLeft(l.Text[at:], " \t"))
	if start < len(l.Text) && l.Text[start] == '"' {
		return l.quoted(start)
	}
	end := len(l.Text)
	if n := strings.IndexByte(l.Text[at:], ','); n >= 0 {
		end = at + n
	}
	start = min(start, end)
	text := strings.TrimRight(l.Text[start:end], " \t")
	return Field{Text: text, From: start, To: start + len(text)}, end + 1, true
}

// quoted reads a field whose opening quote stands at the byte.
func (l Line) quoted(start int) (Field, int, bool) {
	f := Field{From: start}
	var text strings.Builder
	for at := start + 1; at < len(l.Text); at++ {
		if l.Text[at] != '"' {
			text.WriteByte(l.Text[at])
			continue
		}
		if at+1 < len(l.Text) && l.Text[at+1] == '"' {
			text.WriteByte('"')
			at++
			continue
		}
		f.Text, f.To = text.String(), at+1
		rest := strings.TrimLeft(l.Text[f.To:], " \t")
		next := len(l.Text) - len(rest) + 1
		return f, next, rest == "" || rest[0] == ','
	}
	return f, 0, false
}
