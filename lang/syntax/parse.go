package syntax

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/diag"
)

// File is one parsed file.
type File struct {
	// Name is the file's name as it appears in ranges.
	Name string
	// HCL holds the bytes and the tree. With syntax errors the tree holds what could be made out.
	HCL *hcl.File
	// Body is the root of the tree, never nil. It is empty for a file in JSON syntax.
	Body *hclsyntax.Body
	// JSON is the root of a file in JSON syntax, nil for every other file.
	JSON hcl.Body
}

// Attributes lists the attributes at the top of the file in order of position.
func (f *File) Attributes() []*hclsyntax.Attribute {
	files := map[string]*hcl.File{f.Name: f.HCL}
	start := func(a *hclsyntax.Attribute) int {
		at, _ := Now(files, a.NameRange)
		return at.Start.Byte
	}
	return slices.SortedFunc(maps.Values(f.Body.Attributes), func(a, b *hclsyntax.Attribute) int { return cmp.Compare(start(a), start(b)) })
}

// Parse reads one file's text. The result is usable even when there are errors: an item at the top of the file that has
// some does not hide those after it, and text beyond the limits of this package gives an empty tree.
func Parse(name string, src []byte) (*File, diag.Diagnostics) {
	if IsJSON(name) {
		return parseJSON(name, src)
	}
	p := parseAll(name, src, nil, nil)
	return p.file, p.diags
}

// ParseExpression reads one expression, such as a line typed at a console, under the same limits.
func ParseExpression(name string, src []byte) (hclsyntax.Expression, diag.Diagnostics) {
	ds := checkText(name, src)
	if len(ds) > 0 {
		return nil, ds
	}
	tokens, _ := hclsyntax.LexExpression(src, name, hcl.InitialPos)
	if ds = checkTokens(tokens); len(ds) > 0 {
		return nil, ds
	}
	expr, hclDiags := hclsyntax.ParseExpression(src, name, hcl.InitialPos)
	return expr, syntaxErrors(hclDiags, tokens)
}

// ParseTemplate reads a text with interpolations, under the same limits.
func ParseTemplate(name string, src []byte) (hclsyntax.Expression, diag.Diagnostics) {
	ds := checkText(name, src)
	if len(ds) > 0 {
		return nil, ds
	}
	tokens, _ := hclsyntax.LexTemplate(src, name, hcl.InitialPos)
	if ds = checkTokens(tokens); len(ds) > 0 {
		return nil, ds
	}
	expr, hclDiags := hclsyntax.ParseTemplate(src, name, hcl.InitialPos)
	return expr, syntaxErrors(hclDiags, tokens)
}

func emptyFile(name string, src []byte) *File {
	start := hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
	body := &hclsyntax.Body{Attributes: hclsyntax.Attributes{}, SrcRange: start, EndRange: start}
	return &File{Name: name, Body: body, HCL: &hcl.File{Body: body, Bytes: src}}
}

// syntaxErrors translates the parser's findings without their cascades: an error that touches a line on which one was
// already reported is its echo, and an unterminated string makes everything after it unreliable.
func syntaxErrors(hclDiags hcl.Diagnostics, tokens hclsyntax.Tokens) diag.Diagnostics {
	var ds diag.Diagnostics
	reported := map[int]bool{}
	for _, d := range hclDiags {
		if d.Subject == nil || d.Severity != hcl.DiagError {
			continue
		}
		if d.Summary == "Attribute redefined" {
			ds = append(ds, redefined(d))
			continue
		}
		if reported[d.Subject.Start.Line] {
			continue
		}
		reported[d.Subject.Start.Line] = true
		unterminated := strings.HasPrefix(d.Summary, "Invalid multi-line string") || strings.HasPrefix(d.Summary, "Unterminated")
		subject, detail := *d.Subject, inWords(d, tokens)
		if unterminated {
			subject = opening(tokens, subject)
		}
		if text, at, ok := slip(d, tokens); ok {
			detail, subject = text, at
		}
		found := diag.New(diag.InvalidSyntax, "%s", detail).At(subject)
		found.Context = d.Context
		ds = append(ds, found)
		if unterminated {
			break
		}
	}
	return ds
}

// redefined translates the parser's finding that a body has an attribute twice.
func redefined(d *hcl.Diagnostic) diag.Diagnostic {
	return diag.New(diag.DuplicateAttribute, "%s", inWords(d, nil)).At(*d.Subject)
}

// duplicateAttribute is the same finding for attributes at the top of a file.
func duplicateAttribute(name string, first, second hcl.Range) diag.Diagnostic {
	d := diag.New(diag.DuplicateAttribute, "The argument %q is set twice in this file. Remove one of the two.", name).At(second)
	d.Related = []diag.Related{{Message: "the first one is here", Range: first}}
	return d
}

// opening widens the range of an unterminated string back to the quote that opened it, on the same line.
func opening(tokens hclsyntax.Tokens, r hcl.Range) hcl.Range {
	var open hcl.Range
	for _, token := range tokens {
		if token.Range.Start.Byte > r.Start.Byte {
			break
		}
		if token.Type == hclsyntax.TokenOQuote || token.Type == hclsyntax.TokenOHeredoc {
			open = token.Range
		}
	}
	if open.Filename == "" || open.Start.Line != r.Start.Line {
		return r
	}
	end := r.End
	if end.Line > open.Start.Line {
		end = r.Start
	}
	return hcl.Range{Filename: r.Filename, Start: open.Start, End: end}
}
