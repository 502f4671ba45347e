package syntax

import (
	"fmt"
	"slices"
	"strconv"
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
	if found && i+1 < len(tokens) && tokens[i].Type == hclsyntax.TokenIdent && tokens[i+1].Type == hclsyntax.TokenColon {
		return fmt.Sprintf("An attribute has an equals sign after its name, not a colon. Write %s = and the value.", tokens[i].Bytes)
	}
	if found && tokens[i].Type != hclsyntax.TokenEOF && len(tokens[i].Bytes) > 0 && len(tokens[i].Bytes) < 40 {
		return fmt.Sprintf("No attribute or block begins with %q. Write one, as in size = 1024, or remove this.", tokens[i].Bytes)
	}
	return "An attribute or a block is to begin here. Write one, as in size = 1024, or remove this."
}

// bareSize finds a number before the range, which is that of a unit or of the rest of a number as other languages write them.
func bareSize(r hcl.Range, tokens hclsyntax.Tokens) (string, hcl.Range, bool) {
	i, found := slices.BinarySearchFunc(tokens, r.Start.Byte, func(t hclsyntax.Token, at int) int { return t.Range.Start.Byte - at })
	if !found || i == 0 || tokens[i-1].Type != hclsyntax.TokenNumberLit || tokens[i].Type != hclsyntax.TokenIdent {
		return "", hcl.Range{}, false
	}
	whole := hcl.RangeBetween(tokens[i-1].Range, tokens[i].Range)
	if text, ok := decimal(string(tokens[i-1].Bytes), string(tokens[i].Bytes)); ok {
		return fmt.Sprintf("Numbers are decimal and have no underscores: write %s.", text), whole, true
	}
	unit := slices.IndexFunc(units.Names(), func(name string) bool { return strings.EqualFold(name, string(tokens[i].Bytes)) })
	if unit < 0 {
		return "", hcl.Range{}, false
	}
	return fmt.Sprintf("Sizes with units are strings: write \"%s%s\".", tokens[i-1].Bytes, units.Names()[unit]), whole, true
}

// decimal writes a number with a base, as 0x200, or with underscores, as 2_097_152, the way this language does. It has come apart
// into a number and a word.
func decimal(number, word string) (string, bool) {
	if !strings.HasPrefix(word, "_") && number != "0" {
		return "", false
	}
	n, err := strconv.ParseUint(number+word, 0, 64)
	if err != nil { // underscores may stand where ParseUint has none, and a leading 0 is no octal number here
		n, err = strconv.ParseUint(strings.ReplaceAll(number+word, "_", ""), 10, 64)
	}
	return strconv.FormatUint(n, 10), err == nil
}
