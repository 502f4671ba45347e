package server

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/describe"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/session"
	"github.com/memplan/memplan/lang/schema"
)

// completion offers what can stand at a position.
func completion(ctx context.Context, q *query, p *protocol.CompletionParams) (*protocol.CompletionList, error) {
	loaded, err := q.Loaded(ctx)
	if err != nil {
		return nil, err
	}
	c := &completing{query: q, loaded: loaded, file: q.Document.Outline(), offset: q.offset(p.Position), items: []protocol.CompletionItem{}}
	c.list = q.server.offered.begin()
	c.collect()
	q.server.offered.keep(c.list, c.pages)
	return &protocol.CompletionList{Items: c.items}, nil
}

// completing collects what to offer. The items come in the order in which they are to be shown.
type completing struct {
	*query
	loaded *session.Loaded
	file   *outline.File
	offset int
	items  []protocol.CompletionItem
	// list numbers the completion; pages are the documentation of the items that is told later.
	list  int
	pages []*describe.Page
}

// offer is one item: the text in place of a span.
type offer struct {
	label, detail, text string
	kind                protocol.CompletionItemKind
	// snippet marks a text with places to fill in; plain is what clients without snippets get.
	snippet    bool
	plain      string
	docs       *describe.Page
	deprecated bool
	span       outline.Span
}

func (c *completing) add(o offer) {
	text, format := o.text, protocol.InsertTextFormatPlainText
	switch {
	case o.snippet && c.server.client.snippets:
		format = protocol.InsertTextFormatSnippet
	case o.snippet:
		text = o.plain
	}
	item := protocol.CompletionItem{
		Label: o.label, Detail: o.detail, Kind: o.kind, Deprecated: o.deprecated, InsertTextFormat: format,
		TextEdit: &protocol.TextEdit{Range: c.Document.Range(o.span), NewText: text},
		SortText: fmt.Sprintf("%05d", len(c.items)), FilterText: o.label,
	}
	c.document(&item, o.docs)
	c.items = append(c.items, item)
}

func (c *completing) collect() {
	switch place := c.file.At(c.offset); place.Part {
	case outline.Body:
		c.body(place.Block)
	case outline.BlockType:
		// The word is a block already: only its type is changed.
		c.blocks(place.Block.Parent, place.Block.TypeSpan, true)
	case outline.BlockLabel:
		c.label(place)
	case outline.AttributeName:
		c.attributes(place.Block, place.Attribute.NameSpan, true)
	case outline.Value:
		c.value(place.Attribute)
	}
}

// body offers what can begin at the start of a line.
func (c *completing) body(b *outline.Block) {
	word := c.word()
	for at := word.Start - 1; at >= 0 && c.file.Src[at] != '\n'; at-- {
		switch c.file.Src[at] {
		case ' ', '\t':
		case '{':
			at = -1
		default:
			return
		}
	}
	if givesVariables(c.Document) {
		c.variableNames(word)
		return
	}
	c.attributes(b, word, false)
	c.blocks(b, word, false)
}

// word is the span of the name around the offset, empty where there is none.
func (c *completing) word() outline.Span {
	start, end := c.offset, c.offset
	for start > 0 && isNamePart(c.file.Src[start-1]) {
		start--
	}
	for end < len(c.file.Src) && isNamePart(c.file.Src[end]) {
		end++
	}
	return outline.Span{Start: start, End: end}
}

func isNamePart(b byte) bool {
	return b == '_' || b == '-' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// variableNames offers the variables that a variables file has no value for yet.
func (c *completing) variableNames(word outline.Span) {
	for i := range c.Config(c.loaded).Declarations {
		v := &c.Config(c.loaded).Declarations[i]
		if c.file.Root.Attribute(v.Name) == nil {
			c.add(offer{label: v.Name, detail: typeText(v.Type), text: v.Name + " = ", kind: protocol.CompletionItemKindVariable, docs: variablePage(v), span: word})
		}
	}
}

// attributes offers those that are not set yet, required ones first. Where a value is there already only the name counts.
func (c *completing) attributes(b *outline.Block, word outline.Span, nameOnly bool) {
	if b.Schema == nil {
		return
	}
	for _, required := range []bool{true, false} {
		for i := range b.Schema.Attributes {
			a := &b.Schema.Attributes[i]
			if a.Required != required || a.Deprecated != "" || b.Attribute(a.Name) != nil && !c.isTyped(b.Attribute(a.Name)) {
				continue
			}
			c.attribute(a, word, nameOnly)
		}
	}
	if b.Type == "module" && !nameOnly {
		c.inputs(b, word)
	}
}

// isTyped reports whether an attribute is the one that is being typed.
func (c *completing) isTyped(a *outline.Attribute) bool { return a.NameSpan.Contains(c.offset) }

func (c *completing) attribute(a *schema.Attribute, word outline.Span, nameOnly bool) {
	o := offer{label: a.Name, detail: a.Type.String() + demand(a), kind: protocol.CompletionItemKindProperty, docs: attributePage(a), span: word, text: a.Name}
	if !nameOnly {
		o.snippet, o.plain = true, a.Name+" = "
		o.text = a.Name + " = " + snippetValue(a)
	}
	c.add(o)
}

// snippetValue is the value of an attribute as a snippet.
func snippetValue(a *schema.Attribute) string {
	switch {
	case a.Type == schema.Text && len(a.Values) > 0:
		return `"${1}"`
	case a.Type == schema.Reference:
		return string(a.Refers) + ".${1}"
	case a.Type == schema.Texts || a.Type == schema.References || a.Type == schema.Selection || a.Type == schema.Wholes:
		return "[${1}]"
	}
	return "${1:" + escapeSnippet(a.Example) + "}"
}

// inputs offers the inputs of a called module that are not set yet.
func (c *completing) inputs(b *outline.Block, word outline.Span) {
	m := moduleNamed(c.Config(c.loaded), b.Label())
	if m == nil || m.Config == nil {
		return
	}
	for i := range m.Config.Declarations {
		if v := &m.Config.Declarations[i]; b.Attribute(v.Name) == nil {
			c.add(offer{label: v.Name, detail: typeText(v.Type), text: v.Name + " = ", kind: protocol.CompletionItemKindVariable, docs: variablePage(v), span: word})
		}
	}
}
