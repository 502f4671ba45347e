package outline

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// mostRestarts bounds how often the rest of a text is read anew after a string or heredoc without an end.
const mostRestarts = 8

// lex splits a part of a text into tokens, without the one for its end. A string that is not closed ends with its line, and
// a heredoc without its end is its opening line alone: without that, one missing quote would make a string of all that
// follows. Lines and columns in the ranges mean nothing.
func lex(src []byte, s Span) hclsyntax.Tokens {
	var tokens hclsyntax.Tokens
	at := hcl.Pos{Line: 1, Column: 1, Byte: s.Start}
	for restart := 0; ; restart++ {
		found, _ := hclsyntax.LexConfig(src[at.Byte:s.End], "", at)
		cut, next := brokenAt(found)
		if cut < 0 || restart == mostRestarts || next.Byte <= at.Byte {
			return append(tokens, found[:len(found)-1]...)
		}
		tokens = append(tokens, found[:cut]...)
		at = next
	}
}

// brokenAt finds the first token of a string that goes beyond its line, or of a heredoc that never ends, and the place
// from which to read anew. The index is -1 when there is none.
func brokenAt(tokens hclsyntax.Tokens) (int, hcl.Pos) {
	heredoc, depth := -1, 0
	for i, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenQuotedNewline:
			return i, t.Range.Start
		case hclsyntax.TokenQuotedLit:
			if at := bytes.IndexByte(t.Bytes, '\n'); at >= 0 {
				return i, lineBreak(t, at)
			}
		case hclsyntax.TokenOHeredoc:
			if depth == 0 {
				heredoc = i
			}
			depth++
		case hclsyntax.TokenCHeredoc:
			depth--
		}
	}
	if depth > 0 {
		return heredoc + 1, tokens[heredoc].Range.End
	}
	return -1, hcl.Pos{}
}

// lineBreak is the position of the line break at an offset in a token.
func lineBreak(t hclsyntax.Token, at int) hcl.Pos {
	pos := t.Range.Start
	pos.Byte += at
	pos.Column += at
	return pos
}
