package server

import (
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/describe"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/lang/schema"
)

// blocks offers the blocks that may stand in b. Where a block is there already only its type counts.
func (c *completing) blocks(b *outline.Block, word outline.Span, typeOnly bool) {
	if b == nil || b.Schema == nil {
		return
	}
	offered := make([]*schema.Block, 0, len(b.Schema.Blocks)+1)
	for i := range b.Schema.Blocks {
		offered = append(offered, &b.Schema.Blocks[i])
	}
	if b.Schema.TakesDynamic() {
		offered = append(offered, schema.Dynamic())
	}
	for _, s := range offered {
		if s.Once && !typeOnly && hasBlock(b, s.Type) {
			continue
		}
		o := offer{label: s.Type, detail: "block", kind: protocol.CompletionItemKindClass, docs: (&describe.Page{}).Text("%s", s.Doc), span: word, text: s.Type}
		if !typeOnly {
			o.snippet, o.text, o.plain = true, c.blockSnippet(s), plainBlock(s, c.indent(word.Start))
		}
		c.add(o)
	}
}

func hasBlock(b *outline.Block, blockType string) bool {
	for _, inner := range b.Blocks {
		if inner.Type == blockType {
			return true
		}
	}
	return false
}

// indent is the white space at the start of the line of an offset. Clients add it to the lines of a snippet, but not to
// those of a plain text.
func (c *completing) indent(offset int) string {
	start := strings.LastIndexByte(string(c.file.Src[:offset]), '\n') + 1
	end := start
	for end < offset && (c.file.Src[end] == ' ' || c.file.Src[end] == '\t') {
		end++
	}
	return string(c.file.Src[start:end])
}

// blockSnippet is a block with places for its label and for its required attributes.
func (c *completing) blockSnippet(s *schema.Block) string {
	var b strings.Builder
	b.WriteString(s.Type)
	stop := 1
	if s.Label != nil {
		b.WriteString(` "${1:` + s.Label.Name + `}"`)
		stop++
	}
	b.WriteString(" {\n")
	for i := range s.Attributes {
		if a := &s.Attributes[i]; a.Required {
			fmt.Fprintf(&b, "  %s = ${%d:%s}\n", a.Name, stop, escapeSnippet(c.example(a)))
			stop++
		}
	}
	for i := range s.Blocks {
		if inner := &s.Blocks[i]; inner.Required && inner.Label == nil {
			fmt.Fprintf(&b, "  %s {\n    $0\n  }\n}", inner.Type)
			return b.String()
		}
	}
	b.WriteString("  $0\n}")
	return b.String()
}

// example is a value for an attribute: of references, one to something that is declared.
func (c *completing) example(a *schema.Attribute) string {
	if a.Type == schema.Reference {
		if names := c.declaredNames(a.Refers); len(names) > 0 {
			return string(a.Refers) + "." + names[0]
		}
	}
	return a.Example
}

// plainBlock is a block for clients without snippets.
func plainBlock(s *schema.Block, indent string) string {
	header := s.Type
	if s.Label != nil {
		header += ` ""`
	}
	return header + " {\n" + indent + "}"
}

// escapeSnippet keeps a text from being read as a part of a snippet.
func escapeSnippet(text string) string {
	return strings.NewReplacer(`\`, `\\`, "$", `\$`, "}", `\}`).Replace(text)
}
