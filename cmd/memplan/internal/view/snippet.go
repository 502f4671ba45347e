package view

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// snippet is the line of source text that a range starts on.
type snippet struct {
	// Block describes the innermost block around the range, such as `pool "arena"`; "" at the top level.
	Block string
	// Line is counted from 1; Text is that line without its end, of a long one the part around the range.
	Line int
	Text string
	// From and To are the bytes of Text to mark, half-open.
	From, To int
}

// snippetOf returns nil when the range has no text that is fit to print.
func snippetOf(sources Sources, r *hcl.Range) *snippet {
	if r == nil || sources == nil {
		return nil
	}
	file := sources(r.Filename)
	if file == nil || r.Start.Byte < 0 || r.Start.Byte > len(file.Bytes) || r.End.Byte < r.Start.Byte {
		return nil
	}
	start := bytes.LastIndexByte(file.Bytes[:r.Start.Byte], '\n') + 1
	line := file.Bytes[start:]
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	line = bytes.TrimRight(line, "\r")
	from := min(r.Start.Byte-start, len(line))
	to := max(from, min(r.End.Byte-start, len(line)))
	text, from, to := window(line, from, to)
	if !printable(text) {
		return nil
	}
	return &snippet{Block: blockAround(file, r), Line: r.Start.Line, Text: string(text), From: from, To: to}
}

// The size of the part of a long line that is shown, in bytes: at most windowBytes, of which at most leadBytes before the
// range.
const (
	windowBytes = 160
	leadBytes   = 60
	// ellipsis stands where a line was cut.
	ellipsis = "…"
)

// window cuts a line that is longer than windowBytes to a part that starts before the marked bytes [from, to) and holds
// as many of them as fit. It returns the part and where the marked bytes are in it. No character is cut in two.
func window(line []byte, from, to int) (part []byte, newFrom, newTo int) {
	if len(line) <= windowBytes {
		return line, from, to
	}
	start := max(0, min(from-leadBytes, len(line)-windowBytes))
	end := min(len(line), start+windowBytes)
	for start > 0 && start < from && !utf8.RuneStart(line[start]) {
		start++
	}
	for end < len(line) && end > from && !utf8.RuneStart(line[end]) {
		end--
	}
	if start > 0 {
		part = append(part, ellipsis...)
	}
	shift := len(part) - start
	part = append(part, line[start:end]...)
	if end < len(line) {
		part = append(part, ellipsis...)
	}
	return part, from + shift, min(to, end) + shift
}

func printable(line []byte) bool {
	return utf8.Valid(line) && !bytes.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) && r != '\t' })
}

// blockAround names the blocks that a position is in, outermost first. Of the blocks of a body, in order of position, the last
// that begins before it is the one: O(log blocks) each.
func blockAround(file *hcl.File, r *hcl.Range) string {
	var parts []string
	body, ok := file.Body.(*hclsyntax.Body)
	for ok {
		at, _ := slices.BinarySearchFunc(body.Blocks, r.Start.Byte+1, func(b *hclsyntax.Block, from int) int { return cmp.Compare(b.TypeRange.Start.Byte, from) })
		if at == 0 || body.Blocks[at-1].CloseBraceRange.End.Byte <= r.Start.Byte {
			break
		}
		block := body.Blocks[at-1]
		header := block.Type
		for _, label := range block.Labels {
			header += " \"" + label + "\""
		}
		parts, body = append(parts, header), block.Body
	}
	return strings.Join(parts, ", ")
}
