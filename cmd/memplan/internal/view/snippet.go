package view

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// snippet is the line of source text that a range starts on.
type snippet struct {
	// Block describes the innermost block around the range, such as `pool "arena"`; "" at the top level.
	Block string
	// Line is counted from 1; Text is that line without its end.
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
	if !printable(line) {
		return nil
	}
	from := min(r.Start.Byte-start, len(line))
	to := min(r.End.Byte-start, len(line))
	return &snippet{Block: blockAround(file, r), Line: r.Start.Line, Text: string(line), From: from, To: max(from, to)}
}

func printable(line []byte) bool {
	return utf8.Valid(line) && !bytes.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) && r != '\t' })
}

func blockAround(file *hcl.File, r *hcl.Range) string {
	if file.Body == nil {
		return ""
	}
	var parts []string
	for _, block := range file.BlocksAtPos(r.Start) {
		header := block.Type
		for _, label := range block.Labels {
			header += " \"" + label + "\""
		}
		parts = append(parts, header)
	}
	return strings.Join(parts, ", ")
}
