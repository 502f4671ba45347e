package text

import (
	"bytes"
	"encoding/binary"
	"sort"
	"sync"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// Encoding is the unit in which a client counts the characters of a line.
type Encoding uint8

// The encodings.
const (
	// UTF16 counts code units of UTF-16, what clients do unless another is agreed on.
	UTF16 Encoding = iota
	// UTF8 counts bytes.
	UTF8
)

// String returns the name of the encoding in the protocol.
func (e Encoding) String() string {
	if e == UTF8 {
		return "utf-8"
	}
	return "utf-16"
}

// stride is the distance in bytes between the places at which units are counted in advance.
const stride = 2048

// Mapper turns byte offsets of one text into positions and back. A byte that belongs to no character counts as one. It
// may be used by several goroutines at once. Both directions cost O(log lines) and the length of the line, at most a constant.
type Mapper struct {
	text []byte
	// bytes says that units are bytes: the client counts them, or the text is ASCII alone.
	bytes    bool
	encoding Encoding
	// lines holds the offset at which each line starts; lines end with \n, \r\n or \r.
	lines []int
	// units holds at i the units before the first character at or after i*stride. Only long lines need it.
	units func() []int
}

// NewMapper returns the mapper of a text, which must not change. It costs O(text).
func NewMapper(text []byte, encoding Encoding) *Mapper {
	return &Mapper{
		text: text, encoding: encoding, bytes: encoding == UTF8 || isASCII(text), lines: lineStarts(text),
		units: sync.OnceValue(func() []int { return countUnits(text) }),
	}
}

func lineStarts(text []byte) []int {
	starts := make([]int, 1, 2+bytes.Count(text, []byte("\n")))
	returns := bytes.IndexByte(text, '\r') >= 0
	for at := 0; ; {
		next := bytes.IndexByte(text[at:], '\n')
		line := text[at:]
		if next >= 0 {
			line = line[:next]
		}
		if returns {
			starts = appendReturns(starts, line, at, next < 0)
		}
		if next < 0 {
			return starts
		}
		at += next + 1
		starts = append(starts, at)
	}
}

// appendReturns adds the lines that begin after a \r alone. The one before a line break belongs to that.
func appendReturns(starts []int, line []byte, at int, last bool) []int {
	for i, c := range line {
		if c == '\r' && (i+1 < len(line) || last) {
			starts = append(starts, at+i+1)
		}
	}
	return starts
}

func isASCII(text []byte) bool {
	const high = 0x8080808080808080
	for len(text) >= 8 {
		if binary.LittleEndian.Uint64(text)&high != 0 {
			return false
		}
		text = text[8:]
	}
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func countUnits(text []byte) []int {
	counted := make([]int, 0, len(text)/stride+1)
	units := 0
	for at := 0; at < len(text); {
		for len(counted)*stride <= at {
			counted = append(counted, units)
		}
		size, width := measure(text[at:])
		at += size
		units += width
	}
	for len(counted)*stride <= len(text) {
		counted = append(counted, units)
	}
	return counted
}

// measure returns the bytes and the UTF-16 units of the first character.
func measure(text []byte) (size, units int) {
	r, size := utf8.DecodeRune(text)
	if r >= 0x10000 {
		return size, 2
	}
	return size, 1
}

// checkpoint is the offset at which the counted units of index i begin: the first character at or after i*stride.
func (m *Mapper) checkpoint(i int) int {
	at := i * stride
	for at < len(m.text) && !utf8.RuneStart(m.text[at]) && m.continues(at) {
		at++
	}
	return at
}

// continues reports whether the byte at the offset belongs to a character that begins before it.
func (m *Mapper) continues(at int) bool {
	for start := at - 1; start >= max(0, at-3); start-- {
		if utf8.RuneStart(m.text[start]) {
			_, size := utf8.DecodeRune(m.text[start:])
			return start+size > at
		}
	}
	return false
}

// unitsBefore counts the units before an offset; one inside a character counts as the character's start.
func (m *Mapper) unitsBefore(offset int) int {
	if m.bytes {
		return offset
	}
	i := offset / stride
	if m.checkpoint(i) > offset {
		i--
	}
	at, units := m.checkpoint(i), m.units()[i]
	for at < offset {
		size, width := measure(m.text[at:])
		if at+size > offset {
			break
		}
		at += size
		units += width
	}
	return units
}

// unitsBetween counts the units from the start of a line to an offset in it. Short lines are counted as they are.
func (m *Mapper) unitsBetween(start, offset int) int {
	if m.bytes || offset-start > stride {
		return m.unitsBefore(offset) - m.unitsBefore(start)
	}
	units := 0
	for at := start; at < offset; {
		size, width := measure(m.text[at:])
		if at+size > offset {
			break
		}
		at += size
		units += width
	}
	return units
}

// Position returns the position of a byte offset. Offsets outside of the text count as its ends.
func (m *Mapper) Position(offset int) protocol.Position {
	offset = min(max(offset, 0), len(m.text))
	line := sort.SearchInts(m.lines, offset+1) - 1
	return protocol.Position{Line: uint32(line), Character: uint32(m.unitsBetween(m.lines[line], offset))}
}

// Range returns the range from one offset to another.
func (m *Mapper) Range(start, end int) protocol.Range {
	return protocol.Range{Start: m.Position(start), End: m.Position(max(start, end))}
}

// Offset returns the byte offset of a position. A line beyond the last is the end of the text, a character beyond a
// line's end is that end, and one inside of a character is its start.
func (m *Mapper) Offset(p protocol.Position) int {
	if uint64(p.Line) >= uint64(len(m.lines)) {
		return len(m.text)
	}
	start, end := m.lines[p.Line], m.lineEnd(int(p.Line))
	if m.bytes {
		if uint64(p.Character) >= uint64(end-start) {
			return end
		}
		return m.characterStart(start + int(p.Character))
	}
	at, units, want := start, 0, int(p.Character)
	if end-start > stride {
		want += m.unitsBefore(start)
		at = max(m.checkpoint(sort.SearchInts(m.units(), want+1)-1), start)
		units = m.unitsBefore(at)
	}
	for at < end {
		size, width := measure(m.text[at:])
		if units+width > want {
			break
		}
		at += size
		units += width
	}
	return min(at, end)
}

// characterStart moves an offset inside of a character to its start.
func (m *Mapper) characterStart(offset int) int {
	for offset > 0 && offset < len(m.text) && !utf8.RuneStart(m.text[offset]) && m.continues(offset) {
		offset--
	}
	return offset
}

// lineEnd is the offset of the end of a line, before its line break.
func (m *Mapper) lineEnd(line int) int {
	if line+1 == len(m.lines) {
		return len(m.text)
	}
	end := m.lines[line+1] - 1
	if m.text[end] == '\n' && end > m.lines[line] && m.text[end-1] == '\r' {
		end--
	}
	return end
}
