package text

import (
	"bytes"

	"github.com/aymanbagabas/go-udiff"
	"go.lsp.dev/protocol"
)

// mostDiffed bounds in bytes the middle of two texts that is compared in detail; a larger one is replaced as a whole.
const mostDiffed = 256 << 10

// Edits returns the smallest edits it can find that turn one text into another, in order of position and apart from each
// other. Equal texts have none.
func Edits(before, after []byte, encoding Encoding) []protocol.TextEdit {
	edits := []protocol.TextEdit{}
	if bytes.Equal(before, after) {
		return edits
	}
	m := NewMapper(before, encoding)
	common := Compare(before, after)
	if len(before)-common.head-common.tail > mostDiffed {
		return append(edits, m.middle(after, common))
	}
	for _, edit := range changedLines(before, after, common) {
		if m.splitsLineBreak(edit.Start) || m.splitsLineBreak(edit.End) {
			return []protocol.TextEdit{m.middle(after, common)}
		}
		edits = append(edits, protocol.TextEdit{Range: m.Range(edit.Start, edit.End), NewText: edit.New})
	}
	return edits
}

// changedLines compares the lines in which two texts differ.
func changedLines(before, after []byte, common Moved) []udiff.Edit {
	start := bytes.LastIndexByte(before[:common.head], '\n') + 1
	tail := common.tail
	if at := bytes.IndexByte(before[len(before)-tail:], '\n'); at >= 0 {
		tail -= at + 1
	} else {
		tail = 0
	}
	edits := udiff.Strings(string(before[start:len(before)-tail]), string(after[start:len(after)-tail]))
	for i := range edits {
		edits[i].Start += start
		edits[i].End += start
	}
	return edits
}

// splitsLineBreak reports whether an offset is between the two characters of a line break, where no position is.
func (m *Mapper) splitsLineBreak(offset int) bool {
	return offset > 0 && offset < len(m.text) && m.text[offset-1] == '\r' && m.text[offset] == '\n'
}

// middle is one edit for all that the texts do not have in common.
func (m *Mapper) middle(after []byte, common Moved) protocol.TextEdit {
	start, end := m.characterStart(common.head), len(m.text)-common.tail
	if m.splitsLineBreak(start) {
		start--
	}
	for end < len(m.text) && (m.characterStart(end) != end || m.splitsLineBreak(end)) {
		end++
	}
	text := after[start : len(after)-(len(m.text)-end)]
	return protocol.TextEdit{Range: m.Range(start, end), NewText: string(text)}
}
