package syntax

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/units"
)

// slip describes in the words of this language what the parser can only call a missing separator: a size without quotes,
// and what begins as nothing does. The range is that of the whole slip.
func slip(d *hcl.Diagnostic, tokens hclsyntax.Tokens) (string, hcl.Range, bool) {
	if d.Summary == "Argument or block definition required" {
		return strayToken(*d.Subject, tokens), *d.Subject, true
	}
	if strings.HasPrefix(d.Summary, "Missing ") {
		return bareSize(*d.Subject, tokens)
	}
	return "", hcl.Range{}, false
}

// strayToken describes what stands where an attribute or a block would begin.
func strayToken(r hcl.Range, tokens hclsyntax.Tokens) string {
	i, found := slices.BinarySearchFunc(tokens, r.Start.Byte, func(t hclsyntax.Token, at int) int { return t.Range.Start.Byte - at })
	if found && tokens[i].Type == hclsyntax.TokenCBrace {
		return "This brace closes nothing. Remove it, or write the block that it is to close."
	}
	if found && tokens[i].Type != hclsyntax.TokenEOF && len(tokens[i].Bytes) > 0 && len(tokens[i].Bytes) < 40 {
		return fmt.Sprintf("No attribute or block begins with %q. Write one, as in size = 1024, or remove this.", tokens[i].Bytes)
	}
	return "An attribute or a block is to begin here. Write one, as in size = 1024, or remove this."
}

// bareSize finds a number before the range, which is that of a unit.
func bareSize(r hcl.Range, tokens hclsyntax.Tokens) (string, hcl.Range, bool) {
	i, found := slices.BinarySearchFunc(tokens, r.Start.Byte, func(t hclsyntax.Token, at int) int { return t.Range.Start.Byte - at })
	if !found || i == 0 || tokens[i-1].Type != hclsyntax.TokenNumberLit || tokens[i].Type != hclsyntax.TokenIdent {
		return "", hcl.Range{}, false
	}
	unit := slices.IndexFunc(units.Names(), func(name string) bool { return strings.EqualFold(name, string(tokens[i].Bytes)) })
	if unit < 0 {
		return "", hcl.Range{}, false
	}
	whole := hcl.RangeBetween(tokens[i-1].Range, tokens[i].Range)
	return fmt.Sprintf("Sizes with units are strings: write \"%s%s\".", tokens[i-1].Bytes, units.Names()[unit]), whole, true
}
