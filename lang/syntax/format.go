package syntax

import (
	"bytes"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/memplan/memplan/lang/diag"
)

// Format returns the text of a file in canonical form; see [Canonical]. Text with syntax errors comes back unchanged
// with the errors: what looks like white space in it may be part of a string.
func Format(name string, src []byte) ([]byte, diag.Diagnostics) {
	if _, ds := Parse(name, src); ds.HasErrors() || IsJSON(name) {
		return src, ds // JSON has forms of its own, which are left alone
	}
	return Canonical(src), nil
}

// Format returns what the function [Format] does. Parts of the text that it has formatted before are not formatted again.
func (c *Cache) Format(name string, src []byte) ([]byte, diag.Diagnostics) {
	if _, ds := c.Parse(name, src); ds.HasErrors() || IsJSON(name) {
		return src, ds
	}
	c.mu.Lock()
	known := c.formatted[name]
	c.mu.Unlock()
	out := make([]byte, 0, len(src))
	used := make(map[string][]byte, len(known))
	for _, part := range parts(bytes.TrimPrefix(src, bom(src))) {
		formatted, ok := known[string(part)]
		if !ok {
			formatted = canonical(part)
		}
		used[string(part)] = formatted
		out = append(out, formatted...)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.formatted == nil {
		c.formatted = map[string]map[string][]byte{}
	}
	c.formatted[name] = used
	return out, nil
}

// parts splits a text after the blank lines between its items: no line is aligned with one beyond a blank line.
func parts(src []byte) [][]byte {
	_, blanks := split(src)
	var found [][]byte
	at := 0
	for _, end := range append(blanks, len(src)) {
		if end > at {
			found = append(found, src[at:end])
			at = end
		}
	}
	return found
}

// Canonical returns valid source text with its white space in canonical form: two spaces of indentation, equals signs
// and trailing comments of neighbouring lines aligned. Nothing but white space changes, and of that not the line
// endings, not the absence of a final newline, and nothing between the marks of a heredoc. A byte order mark is dropped.
// Text in canonical form comes back as it is. The result for text with syntax errors is unspecified; see [Format].
func Canonical(src []byte) []byte {
	all := parts(bytes.TrimPrefix(src, bom(src)))
	formatted := make([][]byte, len(all))
	together(len(all), formattedTogether, func(i int) { formatted[i] = canonical(all[i]) })
	return bytes.Join(formatted, nil)
}

// formattedTogether is how many parts of a text one goroutine formats.
const formattedTogether = 128

func canonical(src []byte) []byte {
	if settled(src) {
		return src
	}
	if !bytes.Contains(src, []byte("<<")) {
		return hclwrite.Format(src)
	}
	held := heredocs(src)
	if len(held) == 0 {
		return hclwrite.Format(src)
	}
	formatted := hclwrite.Format(splice(src, held, standIn))
	return splice(formatted, heredocs(formatted), func(i int, _ []byte) []byte {
		return src[held[i].Start.Byte:held[i].End.Byte]
	})
}

// standIn is an empty heredoc in place of heredoc i: the formatter has nothing to change in it, and it ends like any
// other, with its mark on a line of its own.
func standIn(i int, _ []byte) []byte { return fmt.Appendf(nil, "<<H%d\nH%d", i, i) }

// heredocs returns the range of each outermost heredoc, from "<<" to the end of its closing mark, in order.
func heredocs(src []byte) []hcl.Range {
	tokens, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos)
	var found []hcl.Range
	depth := 0
	for _, token := range tokens {
		switch token.Type {
		case hclsyntax.TokenOHeredoc:
			if depth == 0 {
				found = append(found, token.Range)
			}
			depth++
		case hclsyntax.TokenCHeredoc:
			depth--
			if depth == 0 {
				found[len(found)-1].End = token.Range.End
			}
		}
	}
	return found
}

// splice returns src with each range replaced.
func splice(src []byte, ranges []hcl.Range, replace func(i int, old []byte) []byte) []byte {
	var out []byte
	at := 0
	for i, r := range ranges {
		out = append(out, src[at:r.Start.Byte]...)
		out = append(out, replace(i, src[r.Start.Byte:r.End.Byte])...)
		at = r.End.Byte
	}
	return append(out, src[at:]...)
}
