package server

import (
	"strings"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/explain"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/lang/schema"
)

// blocks offers the blocks that may stand in b. Where a block is there already only its type counts.
func (c *completing) blocks(b *outline.Block, word outline.Span, typeOnly bool) {
	if b == nil || b.Schema == nil {
		return
	}
	for i := range b.Schema.Blocks {
		s := &b.Schema.Blocks[i]
		if s.Once && !typeOnly && hasBlock(b, s.Type) {
			continue
		}
		o := offer{label: s.Type, detail: "block", kind: protocol.CompletionItemKindClass, docs: (&explain.Page{}).Text("%s", s.Doc), span: word, text: s.Type}
		if !typeOnly {
			indent := c.indent(word.Start)
			o.snippet, o.text = true, blockSnippet(s, indent)
			o.plain = plainBlock(s, indent)
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

// indent is the white space at the start of the line of an offset. Clients add it to the lines of a snippet themselves
// only when they are told to, so it is written out.
func (c *completing) indent(offset int) string {
	start := strings.LastIndexByte(string(c.file.Src[:offset]), '\n') + 1
	end := start
	for end < offset && (c.file.Src[end] == ' ' || c.file.Src[end] == '\t') {
		end++
	}
	return string(c.file.Src[start:end])
}

// blockSnippet is a block with places for its label and for its required attributes.
func blockSnippet(s *schema.Block, _ string) string {
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
			b.WriteString("  " + a.Name + " = ${" + string(rune('0'+stop)) + ":" + escapeSnippet(a.Example) + "}\n")
			stop++
		}
	}
	b.WriteString("  $0\n}")
	return b.String()
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
