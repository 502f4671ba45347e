package text

import (
	"go.lsp.dev/protocol"
)

// Change is one change of a document as clients send it. Without a range it is the whole new text: the protocol library
// cannot tell that from a range at the very beginning.
type Change struct {
	Range *protocol.Range `json:"range"`
	Text  string          `json:"text"`
}

// Apply returns the mapper of the text after a change. Positions outside of the text count as its ends, and a range whose ends
// are the wrong way round is taken the right way. It costs O(text).
func (m *Mapper) Apply(change Change) *Mapper {
	if change.Range == nil {
		return NewMapper([]byte(change.Text), m.encoding)
	}
	text := m.text
	start, end := m.Offset(change.Range.Start), m.Offset(change.Range.End)
	if start > end {
		start, end = end, start
	}
	out := make([]byte, 0, len(text)-(end-start)+len(change.Text))
	out = append(out, text[:start]...)
	out = append(out, change.Text...)
	return NewMapper(append(out, text[end:]...), m.encoding)
}

// Text returns the text, which must not be changed.
func (m *Mapper) Text() []byte { return m.text }

// Moved returns where a span of an old text stands in a new one. Of the two texts only the first and the last common
// bytes are compared; a span that touches what lies between has no place in the new text.
type Moved struct {
	// head and tail are the lengths of what the texts have in common at their beginning and at their end.
	head, tail     int
	oldLen, newLen int
}

// Compare finds what two texts have in common at both ends. It costs O(text).
func Compare(before, after []byte) Moved {
	shorter := min(len(before), len(after))
	m := Moved{oldLen: len(before), newLen: len(after)}
	for m.head < shorter && before[m.head] == after[m.head] {
		m.head++
	}
	for m.tail < shorter-m.head && before[len(before)-1-m.tail] == after[len(after)-1-m.tail] {
		m.tail++
	}
	return m
}

// Span moves the half-open span [start, end) of the old text.
func (m Moved) Span(start, end int) (newStart, newEnd int, ok bool) {
	switch {
	case m.oldLen == m.newLen && m.head == m.oldLen, end < m.head:
		return start, end, true
	case start > m.oldLen-m.tail:
		return start + m.newLen - m.oldLen, end + m.newLen - m.oldLen, true
	}
	return 0, 0, false
}
