package syntax

import (
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"

	"github.com/memplan/memplan/lang/diag"
)

// IsJSON reports whether a file is by its name in HCL's JSON syntax.
func IsJSON(name string) bool { return strings.HasSuffix(name, ".json") }

// parseJSON reads a file in HCL's JSON syntax, whose tree needs a schema to be told apart into attributes and blocks.
func parseJSON(name string, src []byte) (*File, diag.Diagnostics) {
	file := emptyFile(name, src)
	if ds := checkText(name, src); len(ds) > 0 {
		return file, ds
	}
	if ds := checkDepth(name, src); len(ds) > 0 {
		return file, ds
	}
	if ds := checkIsJSON(name, src); len(ds) > 0 {
		return file, ds
	}
	parsed, hclDiags := hcljson.Parse(src, name)
	if parsed != nil {
		file.JSON = parsed.Body
	}
	return file, FromJSON(hclDiags)
}

// FromJSON translates what the reader of the JSON syntax found.
func FromJSON(hclDiags hcl.Diagnostics) diag.Diagnostics {
	var ds diag.Diagnostics
	for _, d := range hclDiags {
		if d.Severity != hcl.DiagError {
			continue
		}
		text, _ := diag.InWords(jsonWordings, d)
		found := diag.New(diag.InvalidSyntax, "%s", text)
		found.Subject, found.Context = d.Subject, d.Context
		ds = append(ds, found)
	}
	return ds
}

// checkIsJSON refuses text that is no JSON from its first character on, which is mostly the native syntax under the other name.
func checkIsJSON(name string, src []byte) diag.Diagnostics {
	at := strings.IndexFunc(string(src), func(r rune) bool { return !unicode.IsSpace(r) && r != '\ufeff' })
	if at < 0 || src[at] == '{' || src[at] == '[' {
		return nil
	}
	return diag.Diagnostics{diag.New(diag.InvalidSyntax, "By its name the file is in HCL's JSON syntax, and its text is not JSON, which begins with \"{\". If it is in the native syntax, rename it to %q.",
		strings.TrimSuffix(name, JSONSuffix)).At(byteRange(name, src, at))}
}

// checkDepth refuses text whose brackets are nested too deep: the reader is recursive.
func checkDepth(name string, src []byte) diag.Diagnostics {
	depth, quoted := 0, false
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			if depth++; depth > MaxNesting {
				return diag.Diagnostics{tooDeep(byteRange(name, src, i))}
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return nil
}

// ParseTemplateAt reads a text with interpolations that stands at a place in a file, as a string of a JSON file does. One
// that is an interpolation alone is the expression in it.
func ParseTemplateAt(name string, src []byte, start hcl.Pos) (hclsyntax.Expression, diag.Diagnostics) {
	tokens, _ := hclsyntax.LexTemplate(src, name, start)
	if ds := checkTokens(tokens); len(ds) > 0 {
		return nil, ds
	}
	expr, hclDiags := hclsyntax.ParseTemplate(src, name, start)
	if wrapped, ok := expr.(*hclsyntax.TemplateWrapExpr); ok {
		expr = wrapped.Wrapped
	}
	return expr, syntaxErrors(hclDiags, tokens)
}

// ParseExpressionAt reads an expression that stands at a place in a file.
func ParseExpressionAt(name string, src []byte, start hcl.Pos) (hclsyntax.Expression, diag.Diagnostics) {
	tokens, _ := hclsyntax.LexExpression(src, name, start)
	if ds := checkTokens(tokens); len(ds) > 0 {
		return nil, ds
	}
	expr, hclDiags := hclsyntax.ParseExpression(src, name, start)
	return expr, syntaxErrors(hclDiags, tokens)
}
