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
		start, end := m.characterStart(common.head), len(before)-common.tail
		for end < len(before) && m.characterStart(end) != end {
			end++
		}
		text := after[start : len(after)-(len(before)-end)]
		return append(edits, protocol.TextEdit{Range: m.Range(start, end), NewText: string(text)})
	}
	for _, edit := range udiff.Strings(string(before), string(after)) {
		edits = append(edits, protocol.TextEdit{Range: m.Range(edit.Start, edit.End), NewText: edit.New})
	}
	return edits
}
