package syntax

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/diag"
)

// whereWord stands in a wording for where the parser was when it could not go on.
const whereWord = "WHERE"

// inWords says what the parser found in the words of this project. What a newer parser may find is said in its own.
func inWords(d *hcl.Diagnostic, tokens hclsyntax.Tokens) string {
	text, _ := diag.InWords(parserWordings, d)
	if !strings.Contains(text, whereWord) {
		return text
	}
	return strings.ReplaceAll(text, whereWord, where(*d.Subject, tokens))
}

// longestQuoted is how many bytes of a token a message shows.
const longestQuoted = 40

// where describes the token at which a range starts.
func where(r hcl.Range, tokens hclsyntax.Tokens) string {
	i, found := slices.BinarySearchFunc(tokens, r.Start.Byte, func(t hclsyntax.Token, at int) int { return t.Range.Start.Byte - at })
	switch {
	case !found:
		return "here"
	case tokens[i].Type == hclsyntax.TokenEOF:
		return "where the text ends"
	case tokens[i].Type == hclsyntax.TokenNewline || tokens[i].Type == hclsyntax.TokenComment:
		return "where the line ends"
	case len(tokens[i].Bytes) > longestQuoted:
		return fmt.Sprintf("where %q stands", strings.ToValidUTF8(string(tokens[i].Bytes[:longestQuoted]), "")+"...")
	}
	return fmt.Sprintf("where %q stands", tokens[i].Bytes)
}
