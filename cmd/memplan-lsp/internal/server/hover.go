package server

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/describe"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/session"
	"github.com/memplan/memplan/lang/addr"
)

// hover shows what stands at a position; null where there is nothing to say.
func hover(ctx context.Context, q *query, p *protocol.HoverParams) (*protocol.Hover, error) {
	loaded, err := q.Loaded(ctx)
	if err != nil {
		return nil, err
	}
	page, span := (&hovering{query: q, loaded: loaded, file: q.Document.Outline()}).at(q.offset(p.Position))
	if page == nil || page.IsEmpty() {
		return nil, nil
	}
	at := q.Document.Range(span)
	return &protocol.Hover{Contents: q.server.markup(page, q.server.client.markdownHover), Range: &at}, nil
}

// markup writes a page as the client wants it.
func (s *Server) markup(page *describe.Page, markdown bool) protocol.MarkupContent {
	if markdown {
		return protocol.MarkupContent{Kind: protocol.Markdown, Value: page.Markdown()}
	}
	return protocol.MarkupContent{Kind: protocol.PlainText, Value: page.Plain()}
}

// hovering finds what to show.
type hovering struct {
	*query
	loaded *session.Loaded
	file   *outline.File
}

// at returns the page for an offset and the span it is about; nil when there is none.
func (h *hovering) at(offset int) (*describe.Page, outline.Span) {
	place := h.file.At(offset)
	switch place.Part {
	case outline.BlockType:
		page := blockPage(place.Block)
		return page.Add(h.declared(place.Block)), place.Block.TypeSpan
	case outline.BlockLabel:
		return h.label(place.Block), place.Label.Span
	case outline.AttributeName:
		if givesVariables(h.Document) && place.Block.Parent == nil {
			return h.address(addr.Address{Kind: addr.Variable, Name: place.Attribute.Name}), place.Attribute.NameSpan
		}
		return h.attribute(place.Attribute), place.Attribute.NameSpan
	case outline.Value:
		return h.value(place.Attribute, offset)
	}
	return nil, outline.Span{}
}

// label explains what a block declares, or the tensor that its label names.
func (h *hovering) label(b *outline.Block) *describe.Page {
	if b.Schema == nil {
		return nil
	}
	if b.Schema.Label != nil && b.Schema.Label.Name == "tensor" {
		if page := h.tensor(h.graphOf(b), b.Label()); page != nil {
			return page
		}
		return blockPage(b)
	}
	page := (&describe.Page{}).Text("**%s** %s", b.Type, describe.Code(b.Label()))
	if facts := h.declared(b); facts != nil && !facts.IsEmpty() {
		return page.Add(facts)
	}
	return page.Text("%s", b.Schema.Doc)
}

// value explains what stands in a value: a name, a function, a string or a size.
func (h *hovering) value(a *outline.Attribute, offset int) (*describe.Page, outline.Span) {
	if t, step := h.file.TraversalAt(a, offset); t != nil {
		page, span := h.traversal(a, t, step)
		if page != nil {
			return page, span
		}
	}
	if span, ok := h.file.StringAt(offset); ok {
		if page := h.text(a, h.file.Text(span)); page != nil {
			return page, span
		}
	}
	if name, span := h.functionAt(offset); name != "" {
		if f, ok := functionNamed(name); ok {
			return functionPage(f), span
		}
	}
	if a.Value.Contains(offset) && a.Value.End > a.Value.Start {
		return h.attribute(a), a.Value
	}
	return nil, outline.Span{}
}

// functionAt is the name of the function at an offset, "" when there is none.
func (h *hovering) functionAt(offset int) (string, outline.Span) {
	for _, at := range []int{offset, offset - 1} {
		i := h.file.TokenAt(at)
		if i < 0 || i+1 >= len(h.file.Tokens) || h.file.Tokens[i].Type != 'I' || h.file.Tokens[i+1].Type != '(' {
			continue
		}
		r := h.file.Tokens[i].Range
		return string(h.file.Tokens[i].Bytes), outline.Span{Start: r.Start.Byte, End: r.End.Byte}
	}
	return "", outline.Span{}
}

// text explains a string: a tensor of a graph, or one of the values that the attribute takes.
func (h *hovering) text(a *outline.Attribute, text string) *describe.Page {
	if a.Schema != nil {
		for _, v := range a.Schema.Values {
			if v.Name == text && v.Doc != "" {
				return (&describe.Page{}).Text("`%s`: %s", text, v.Doc)
			}
		}
	}
	return h.tensor(h.graphOf(a.Block), text)
}

// graphOf is the name of the graph that a block speaks of, "" when it may be any.
func (h *hovering) graphOf(b *outline.Block) string {
	top := b.Top()
	if top.Type == "graph" {
		return top.Label()
	}
	if a := top.Attribute("graph"); a != nil && top.Type == "run" {
		if t, _ := h.file.TraversalAt(a, a.Value.Start); t != nil {
			if address, ok := t.Address(); ok {
				return address.Name
			}
		}
	}
	return ""
}

func (h *hovering) tensor(graph, name string) *describe.Page {
	planned, current := h.Planned()
	if planned == nil {
		return nil
	}
	page := describe.Tensor(planned.Plan, graph, name)
	if page == nil {
		return nil
	}
	return page.Add(h.staleness(current))
}

// staleness says that what is shown is of an earlier text.
func (h *hovering) staleness(current bool) *describe.Page {
	page := &describe.Page{}
	switch {
	case current:
	case h.Pending():
		page.Text("**stale**: of the text before the last change; a new plan is being made.")
	default:
		page.Text("**stale**: of the text before the last change, which cannot be planned.")
	}
	return page
}
