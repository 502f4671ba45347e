package main

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/syntax"
)

// typed collects the lines of one expression and knows what is still open in it. Every line is lexed once, behind the texts
// that open what it stands in: k lines cost O(bytes + k · depth), and the depth is bounded.
type typed struct {
	text []byte
	// open are the texts that opened what is not closed yet, outermost first: brackets, quotes, heredocs, interpolations and
	// comments.
	open []string
	// broken says that no further text can make an expression of it.
	broken bool
}

// maxOpening bounds the bytes that open what a line stands in: the end marks of heredocs may be long.
const maxOpening = 4 * syntax.MaxNesting

// closers has what ends each kind of token that opens something.
var closers = map[hclsyntax.TokenType]hclsyntax.TokenType{
	hclsyntax.TokenOBrace: hclsyntax.TokenCBrace, hclsyntax.TokenOBrack: hclsyntax.TokenCBrack, hclsyntax.TokenOParen: hclsyntax.TokenCParen,
	hclsyntax.TokenOQuote: hclsyntax.TokenCQuote, hclsyntax.TokenOHeredoc: hclsyntax.TokenCHeredoc,
	hclsyntax.TokenTemplateInterp: hclsyntax.TokenTemplateSeqEnd, hclsyntax.TokenTemplateControl: hclsyntax.TokenTemplateSeqEnd,
}

// add takes the next line, without its end. What goes beyond the largest file is not kept: it cannot be parsed anyway.
func (t *typed) add(line string) {
	line += "\n"
	t.broken = t.broken || len(t.text)+len(line) > syntax.MaxFileSize
	t.text = append(t.text, line[:min(len(line), syntax.MaxFileSize+2-len(t.text))]...)
	if !t.broken {
		t.lex(line)
	}
}

// lex finds what is open after a line.
func (t *typed) lex(line string) {
	before := strings.Join(t.open, "")
	tokens := tokensOf(before + line)
	t.open = t.open[:0]
	var ends []hclsyntax.TokenType
	for i, token := range tokens {
		if closer, ok := closers[token.Type]; ok {
			t.open, ends = append(t.open, string(token.Bytes)), append(ends, closer)
			continue
		}
		switch {
		case isCommentStart(tokens[i:]):
			t.open = append(t.open, "/*")
			return
		case token.Type == hclsyntax.TokenQuotedNewline:
			t.broken = true
		case !isCloser(token.Type):
		case len(ends) == 0 || ends[len(ends)-1] != token.Type:
			t.broken = true
		default:
			t.open, ends = t.open[:len(t.open)-1], ends[:len(ends)-1]
		}
	}
	t.broken = t.broken || len(t.open) > syntax.MaxNesting || len(before) > maxOpening
}

func isCloser(kind hclsyntax.TokenType) bool {
	switch kind {
	case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc, hclsyntax.TokenTemplateSeqEnd:
		return true
	}
	return false
}

// isCommentStart reports whether the tokens begin with a comment that is not closed, which the lexer takes for two operators.
func isCommentStart(tokens hclsyntax.Tokens) bool {
	return len(tokens) > 1 && tokens[0].Type == hclsyntax.TokenSlash && tokens[1].Type == hclsyntax.TokenStar && tokens[0].Range.End.Byte == tokens[1].Range.Start.Byte
}

// isOpen reports whether more text may complete the expression.
func (t *typed) isOpen() bool { return len(t.open) > 0 && !t.broken }

// take returns the text and starts a new one.
func (t *typed) take() string {
	text := string(t.text)
	*t = typed{}
	if !strings.Contains(text, "<<") {
		text = strings.TrimSuffix(text, "\n") // only heredocs need the last one
	}
	return text
}

// tokensOf are the tokens of an expression; the text may be unfinished.
func tokensOf(text string) hclsyntax.Tokens {
	tokens, _ := hclsyntax.LexExpression([]byte(text), consoleName, hcl.InitialPos)
	return tokens
}

// isBlank reports whether a text holds nothing but space and comments.
func isBlank(text string) bool {
	for _, token := range tokensOf(text) {
		switch token.Type {
		case hclsyntax.TokenNewline, hclsyntax.TokenComment, hclsyntax.TokenEOF:
		default:
			return false
		}
	}
	return true
}
