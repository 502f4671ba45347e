package syntax

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/diag"
)

// The limits on a file's text. The parser and the evaluator are recursive, so what would exhaust the stack is refused
// before it is parsed.
const (
	// MaxFileSize is the largest file in bytes.
	MaxFileSize = 5_000_000
	// MaxNesting is the deepest nesting of brackets, blocks and templates.
	MaxNesting = 200
	// MaxOperators is the largest number of operators that are open at once in one expression.
	MaxOperators = 2_000
	// MaxExponent is the largest exponent of a number literal: written out, a larger number would fill memory.
	MaxExponent = 1_000
)

// checkText refuses text that is not worth lexing.
func checkText(name string, src []byte) diag.Diagnostics {
	if len(src) > MaxFileSize {
		d := diag.New(diag.FileTooLarge, "The file has more than %d bytes, the most that memplan reads. Split it, or keep generated data in a graph file.", MaxFileSize)
		return diag.Diagnostics{d.At(hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos})}
	}
	if at := bytes.IndexByte(src, 0); at >= 0 {
		d := diag.New(diag.InvalidEncoding, "The file has a NUL character here. It may be UTF-16 or not text at all: save it as UTF-8.")
		return diag.Diagnostics{d.At(byteRange(name, src, at))}
	}
	if !utf8.Valid(src) {
		at := firstInvalid(src)
		d := diag.New(diag.InvalidEncoding, "The byte 0x%02x is not part of a UTF-8 character. Save the file as UTF-8.", src[at])
		return diag.Diagnostics{d.At(byteRange(name, src, at))}
	}
	return nil
}

func firstInvalid(src []byte) int {
	for at := 0; at < len(src); {
		r, size := utf8.DecodeRune(src[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
	return len(src)
}

// byteRange is the range of the one byte at the offset. The column counts characters.
func byteRange(name string, src []byte, at int) hcl.Range {
	line := 1 + bytes.Count(src[:at], []byte("\n"))
	lineStart := 1 + bytes.LastIndexByte(src[:at], '\n')
	column := 1 + utf8.RuneCount(src[lineStart:at])
	start := hcl.Pos{Line: line, Column: column, Byte: at}
	return hcl.Range{Filename: name, Start: start, End: hcl.Pos{Line: line, Column: column + 1, Byte: at + 1}}
}

// level is an open bracket: operators counts those of the current expression directly inside it, and newlineEnds says
// whether a line break ends that expression.
type level struct {
	operators   int
	newlineEnds bool
}

// checkTokens bounds the recursion of parser and evaluator: the depth of brackets, plus every operator, index and
// template directive of the expressions that are open at the same time. It costs O(tokens).
func checkTokens(tokens hclsyntax.Tokens) diag.Diagnostics {
	levels := []level{{newlineEnds: true}}
	open := 0
	for _, token := range tokens {
		top := &levels[len(levels)-1]
		switch token.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen:
			top.operators++
			open++
			levels = append(levels, level{newlineEnds: token.Type == hclsyntax.TokenOBrace})
		case hclsyntax.TokenTemplateInterp, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
			levels = append(levels, level{})
		case hclsyntax.TokenTemplateControl:
			// The directives of one template nest in each other, and each holds an expression of its own.
			top.operators += 2
			open += 2
			levels = append(levels, level{})
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd, hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
			if len(levels) > 1 {
				open -= top.operators
				levels = levels[:len(levels)-1]
			}
		case hclsyntax.TokenComma:
			open -= top.operators
			top.operators = 0
		case hclsyntax.TokenNewline:
			if top.newlineEnds {
				open -= top.operators
				top.operators = 0
			}
		case hclsyntax.TokenNumberLit:
			if ds := checkNumber(token); len(ds) > 0 {
				return ds
			}
		default:
			if isOperator(token.Type) {
				top.operators++
				open++
			}
		}
		if len(levels) > MaxNesting || open > MaxOperators {
			return diag.Diagnostics{tooDeep(token.Range)}
		}
	}
	return nil
}

func isOperator(t hclsyntax.TokenType) bool {
	switch t {
	case hclsyntax.TokenBang, hclsyntax.TokenMinus, hclsyntax.TokenPlus, hclsyntax.TokenStar, hclsyntax.TokenSlash,
		hclsyntax.TokenPercent, hclsyntax.TokenEqualOp, hclsyntax.TokenNotEqual, hclsyntax.TokenLessThan,
		hclsyntax.TokenLessThanEq, hclsyntax.TokenGreaterThan, hclsyntax.TokenGreaterThanEq, hclsyntax.TokenAnd,
		hclsyntax.TokenOr, hclsyntax.TokenQuestion, hclsyntax.TokenDot:
		return true
	}
	return false
}

func tooDeep(r hcl.Range) diag.Diagnostic {
	return diag.New(diag.NestingTooDeep, "From here on, the text is nested more than %d deep or holds more than %d operators in one expression. Give parts of it names in a locals block.", MaxNesting, MaxOperators).At(r)
}

// checkNumber refuses literals whose digits would fill memory once written out, such as 1e1000000000.
func checkNumber(token hclsyntax.Token) diag.Diagnostics {
	at := bytes.IndexAny(token.Bytes, "eE")
	if at < 0 {
		return nil
	}
	exponent, err := strconv.Atoi(string(token.Bytes[at+1:]))
	if err == nil && exponent <= MaxExponent && exponent >= -MaxExponent {
		return nil
	}
	d := diag.New(diag.NumberOutOfBounds, "The number has an exponent beyond %d. Write a number that memory or time could have.", MaxExponent)
	return diag.Diagnostics{d.At(token.Range)}
}
