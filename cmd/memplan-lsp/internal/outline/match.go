package outline

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/schema"
)

// pairs says for each token that opens something where it ends: at the token that closes it, or, when that is missing,
// before the token that shows it.
type pairs struct {
	end    []int
	closed []bool
}

func (p *pairs) add(end int, closed bool) {
	p.end, p.closed = append(p.end, end), append(p.closed, closed)
}

// match pairs brackets, quotes and templates. What is not closed ends where something around it is closed, or where a
// block begins that can only stand at the top of a file.
func match(tokens hclsyntax.Tokens) pairs {
	p := pairs{end: make([]int, len(tokens)), closed: make([]bool, len(tokens))}
	var open []int
	pop := func(at int, closed bool) {
		last := open[len(open)-1]
		open = open[:len(open)-1]
		p.end[last], p.closed[last] = at, closed
	}
	for i, t := range tokens {
		if len(open) > 0 && cannotHold(tokens[open[len(open)-1]].Type, t.Type) {
			pop(i, false)
		}
		if opens(t.Type) {
			open = append(open, i)
			continue
		}
		if want := closes(t.Type); want != nil {
			at := lastOpen(tokens, open, want)
			if at < 0 {
				continue
			}
			for len(open)-1 > at {
				pop(i, false)
			}
			pop(i, true)
			continue
		}
		if len(open) > 0 && beginsTopBlock(tokens, i) {
			for len(open) > 0 {
				pop(i, false)
			}
		}
	}
	for len(open) > 0 {
		pop(len(tokens), false)
	}
	return p
}

// cannotHold reports whether the second token shows that a string or heredoc has no end.
func cannotHold(open, t hclsyntax.TokenType) bool {
	switch open {
	case hclsyntax.TokenOQuote:
		return t == hclsyntax.TokenNewline
	case hclsyntax.TokenOHeredoc:
		return t != hclsyntax.TokenStringLit && t != hclsyntax.TokenTemplateInterp && t != hclsyntax.TokenTemplateControl && t != hclsyntax.TokenCHeredoc
	}
	return false
}

func opens(t hclsyntax.TokenType) bool {
	switch t {
	case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc,
		hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
		return true
	}
	return false
}

// closes returns what the token type closes, nil when it closes nothing.
func closes(t hclsyntax.TokenType) []hclsyntax.TokenType {
	switch t {
	case hclsyntax.TokenCBrace:
		return []hclsyntax.TokenType{hclsyntax.TokenOBrace}
	case hclsyntax.TokenCBrack:
		return []hclsyntax.TokenType{hclsyntax.TokenOBrack}
	case hclsyntax.TokenCParen:
		return []hclsyntax.TokenType{hclsyntax.TokenOParen}
	case hclsyntax.TokenCQuote:
		return []hclsyntax.TokenType{hclsyntax.TokenOQuote}
	case hclsyntax.TokenCHeredoc:
		return []hclsyntax.TokenType{hclsyntax.TokenOHeredoc}
	case hclsyntax.TokenTemplateSeqEnd:
		return []hclsyntax.TokenType{hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl}
	}
	return nil
}

// deepestSearch bounds how many unclosed tokens a closing one passes over, so that hostile text costs no more than
// O(tokens).
const deepestSearch = 256

// lastOpen returns the index in open of the innermost token of one of the types, -1 when there is none near.
func lastOpen(tokens hclsyntax.Tokens, open []int, want []hclsyntax.TokenType) int {
	for at := len(open) - 1; at >= max(0, len(open)-deepestSearch); at-- {
		for _, t := range want {
			if tokens[open[at]].Type == t {
				return at
			}
		}
	}
	return -1
}

// beginsTopBlock reports whether a block that stands at the top of files only begins at the token: its type at the start
// of a line, not indented, and a label or a brace after it.
func beginsTopBlock(tokens hclsyntax.Tokens, i int) bool {
	if tokens[i].Type != hclsyntax.TokenIdent || i == 0 || i+1 >= len(tokens) || !endsLine(tokens[i-1]) || tokens[i].Range.Start.Column != 1 {
		return false
	}
	if next := tokens[i+1].Type; next != hclsyntax.TokenOQuote && next != hclsyntax.TokenOBrace {
		return false
	}
	return schema.Root().Block(string(tokens[i].Bytes)) != nil
}

// endsLine reports whether a token is a line break, or a comment that includes one.
func endsLine(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenNewline ||
		t.Type == hclsyntax.TokenComment && len(t.Bytes) > 0 && t.Bytes[len(t.Bytes)-1] == '\n'
}
