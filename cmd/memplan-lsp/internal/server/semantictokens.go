package server

import (
	"bytes"
	"context"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
)

// The types of tokens, by their place in the legend.
const (
	tokenKeyword = iota
	tokenProperty
	tokenNamespace
	tokenVariable
	tokenClass
	tokenFunction
	tokenString
	tokenNumber
	tokenComment
	tokenOperator
	tokenEnumMember
)

// modifierDeclaration is the bit of a name where it is declared.
const modifierDeclaration = 1

func legend() protocol.SemanticTokensLegend {
	return protocol.SemanticTokensLegend{
		TokenTypes: []protocol.SemanticTokenTypes{
			"keyword", "property", "namespace", "variable", "class", "function", "string", "number", "comment", "operator", "enumMember",
		},
		TokenModifiers: []protocol.SemanticTokenModifiers{"declaration"},
	}
}

// paint is what a token is shown as.
type paint struct{ kind, modifiers uint32 }

func semanticTokensFull(_ context.Context, q *query, _ *struct{}) (*protocol.SemanticTokens, error) {
	return q.tokens(outline.Span{Start: 0, End: len(q.Document.Text)}), nil
}

func semanticTokensRange(_ context.Context, q *query, p *protocol.SemanticTokensRangeParams) (*protocol.SemanticTokens, error) {
	return q.tokens(outline.Span{Start: q.offset(p.Range.Start), End: q.offset(p.Range.End)}), nil
}

// tokens encodes the tokens that touch a span, each relative to the one before.
func (q *query) tokens(within outline.Span) *protocol.SemanticTokens {
	f := q.Document.Outline()
	named := names(f)
	out := &protocol.SemanticTokens{Data: []uint32{}}
	var last protocol.Position
	for i, t := range f.Tokens {
		if t.Range.End.Byte < within.Start || t.Range.Start.Byte > within.End {
			continue
		}
		p, ok := named[t.Range.Start.Byte]
		if !ok {
			p, ok = plain(f.Tokens, i)
		}
		if !ok {
			continue
		}
		for _, s := range lines(q.Document.Text, t.Range.Start.Byte, t.Range.End.Byte) {
			at := q.Document.Range(s)
			if at.Start.Line != last.Line {
				last.Character = 0
			}
			out.Data = append(out.Data, at.Start.Line-last.Line, at.Start.Character-last.Character, at.End.Character-at.Start.Character, p.kind, p.modifiers)
			last = at.Start
		}
	}
	return out
}

// names paints what the outline knows, by offset.
func names(f *outline.File) map[int]paint {
	named := map[int]paint{}
	var walk func(b *outline.Block)
	walk = func(b *outline.Block) {
		for _, inner := range b.Blocks {
			named[inner.TypeSpan.Start] = paint{tokenKeyword, 0}
			for _, label := range inner.Labels {
				named[label.Name.Start] = paint{tokenClass, modifierDeclaration}
			}
			walk(inner)
		}
		for _, a := range b.Attributes {
			named[a.NameSpan.Start] = paint{tokenProperty, 0}
			paintValue(f, a, named)
		}
	}
	walk(f.Root)
	return named
}

func paintValue(f *outline.File, a *outline.Attribute, named map[int]paint) {
	for _, t := range f.Traversals(a) {
		if _, ok := t.Address(); !ok {
			named[t.Steps[0].Span.Start] = paint{tokenVariable, 0}
			continue
		}
		named[t.Steps[0].Span.Start] = paint{tokenNamespace, 0}
		named[t.Steps[1].Span.Start] = paint{tokenVariable, 0}
		for _, step := range t.Steps[2:] {
			named[step.Span.Start] = paint{tokenProperty, 0}
		}
	}
	if a.Schema == nil || len(a.Schema.Values) == 0 {
		return
	}
	for _, t := range f.Tokens[a.First:a.Last] {
		if t.Type == hclsyntax.TokenQuotedLit {
			named[t.Range.Start.Byte] = paint{tokenEnumMember, 0}
		}
	}
}

// plain paints a token by its type alone.
func plain(tokens hclsyntax.Tokens, i int) (paint, bool) {
	switch t := tokens[i].Type; t {
	case hclsyntax.TokenComment:
		return paint{tokenComment, 0}, true
	case hclsyntax.TokenNumberLit:
		return paint{tokenNumber, 0}, true
	case hclsyntax.TokenQuotedLit, hclsyntax.TokenStringLit, hclsyntax.TokenOQuote, hclsyntax.TokenCQuote, hclsyntax.TokenOHeredoc, hclsyntax.TokenCHeredoc:
		return paint{tokenString, 0}, true
	case hclsyntax.TokenIdent:
		return word(tokens, i)
	case hclsyntax.TokenEqualOp, hclsyntax.TokenNotEqual, hclsyntax.TokenLessThan, hclsyntax.TokenLessThanEq, hclsyntax.TokenGreaterThan,
		hclsyntax.TokenGreaterThanEq, hclsyntax.TokenAnd, hclsyntax.TokenOr, hclsyntax.TokenBang, hclsyntax.TokenPlus, hclsyntax.TokenMinus,
		hclsyntax.TokenStar, hclsyntax.TokenSlash, hclsyntax.TokenPercent, hclsyntax.TokenQuestion:
		return paint{tokenOperator, 0}, true
	}
	return paint{}, false
}

func word(tokens hclsyntax.Tokens, i int) (paint, bool) {
	if i+1 < len(tokens) && tokens[i+1].Type == hclsyntax.TokenOParen {
		return paint{tokenFunction, 0}, true
	}
	if slices.Contains([]string{"true", "false", "null", "for", "in", "if", "else", "endif", "endfor"}, string(tokens[i].Bytes)) {
		return paint{tokenKeyword, 0}, true
	}
	return paint{}, false
}

// lines splits a span at line breaks, since a token must not go beyond its line.
func lines(src []byte, start, end int) []outline.Span {
	var spans []outline.Span
	for start < end {
		line := bytes.IndexAny(src[start:end], "\r\n")
		if line < 0 {
			return append(spans, outline.Span{Start: start, End: end})
		}
		if line > 0 {
			spans = append(spans, outline.Span{Start: start, End: start + line})
		}
		start += line + 1
	}
	return spans
}
