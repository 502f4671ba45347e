package outline

import (
	"bytes"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/schema"
	"github.com/memplan/memplan/lang/syntax"
)

// part is a piece of a text that is read on its own: an item at the top of the file with what stands before it.
type part struct {
	// span is in bytes; tokens is the half-open range of the part's tokens.
	span, tokens Span
	blocks       []*Block
	attributes   []*Attribute
}

// Next makes the outline of a text, as [New] does, in the language of a table. The parts that it has in common with an earlier one, which may be nil,
// are taken over from there. It costs O(text) with a small factor, plus the reading of what is new.
func Next(before *File, src []byte, root *schema.Block) *File {
	f := &File{Src: src, Root: &Block{Schema: root, Span: Span{0, len(src)}, Inside: Span{0, len(src)}, Opened: true, Closed: true}}
	if len(src) > syntax.MaxFileSize {
		return f
	}
	spans := partsOf(src)
	head, tail := 0, 0
	if before != nil {
		head, tail = before.common(f, spans)
		f.Tokens = make(hclsyntax.Tokens, 0, len(before.Tokens)+64)
		f.pairs = pairs{end: make([]int, 0, cap(f.Tokens)), closed: make([]bool, 0, cap(f.Tokens))}
	}
	for i, s := range spans {
		switch {
		case i < head:
			f.adopt(before, i, s)
		case i >= len(spans)-tail:
			f.adopt(before, i+len(before.parts)-len(spans), s)
		default:
			f.read(s)
		}
	}
	end := hcl.Pos{Line: 1, Column: 1, Byte: len(src)}
	f.Tokens = append(f.Tokens, hclsyntax.Token{Type: hclsyntax.TokenEOF, Range: hcl.Range{Start: end, End: end}})
	f.pairs.add(0, false)
	return f
}

// partsOf covers a text.
func partsOf(src []byte) []Span {
	var spans []Span
	at := 0
	for _, end := range append(syntax.Items(src), len(src)) {
		if end > at {
			spans = append(spans, Span{at, end})
			at = end
		}
	}
	return spans
}

// common counts the parts of equal text at the beginning and at the end of two texts.
func (f *File) common(next *File, spans []Span) (head, tail int) {
	most := min(len(f.parts), len(spans))
	same := func(i, j int) bool {
		old := f.parts[i].span
		return bytes.Equal(f.Src[old.Start:old.End], next.Src[spans[j].Start:spans[j].End])
	}
	for head < most && same(head, head) {
		head++
	}
	for tail < most-head && same(len(f.parts)-1-tail, len(spans)-1-tail) {
		tail++
	}
	return head, tail
}

// read reads a part anew.
func (f *File) read(s Span) {
	first, blocks, attributes := len(f.Tokens), len(f.Root.Blocks), len(f.Root.Attributes)
	tokens := lex(f.Src, s)
	f.Tokens = append(f.Tokens, tokens...)
	found := match(tokens)
	for i, end := range found.end {
		f.pairs.add(end+first, found.closed[i])
	}
	p := parser{file: f, end: s.End}
	p.body(f.Root, first, len(f.Tokens), 0)
	f.parts = append(f.parts, part{
		span: s, tokens: Span{first, len(f.Tokens)}, blocks: f.Root.Blocks[blocks:len(f.Root.Blocks):len(f.Root.Blocks)],
		attributes: f.Root.Attributes[attributes:len(f.Root.Attributes):len(f.Root.Attributes)],
	})
}

// adopt takes a part over from an earlier outline.
func (f *File) adopt(before *File, at int, s Span) {
	old := &before.parts[at]
	m := move{bytes: s.Start - old.span.Start, tokens: len(f.Tokens) - old.tokens.Start}
	p := part{span: s, tokens: Span{len(f.Tokens), len(f.Tokens) + old.tokens.End - old.tokens.Start}}
	for i := old.tokens.Start; i < old.tokens.End; i++ {
		t := before.Tokens[i]
		t.Range.Start.Byte += m.bytes
		t.Range.End.Byte += m.bytes
		t.Bytes = f.Src[t.Range.Start.Byte:t.Range.End.Byte]
		f.Tokens = append(f.Tokens, t)
		f.pairs.add(before.pairs.end[i]+m.tokens, before.pairs.closed[i])
	}
	for _, b := range old.blocks {
		p.blocks = append(p.blocks, m.block(b, f.Root))
	}
	p.attributes = m.attributes(old.attributes, f.Root)
	f.Root.Blocks = append(f.Root.Blocks, p.blocks...)
	f.Root.Attributes = append(f.Root.Attributes, p.attributes...)
	f.parts = append(f.parts, p)
}

// move is how far a part has moved, in bytes and in tokens.
type move struct{ bytes, tokens int }

func (m move) span(s Span) Span { return Span{s.Start + m.bytes, s.End + m.bytes} }

func (m move) block(b, parent *Block) *Block {
	out := *b
	out.Parent = parent
	out.TypeSpan, out.Span, out.Header, out.Inside = m.span(b.TypeSpan), m.span(b.Span), m.span(b.Header), m.span(b.Inside)
	out.Labels, out.Blocks = slices.Clone(b.Labels), slices.Clone(b.Blocks)
	for i, l := range b.Labels {
		out.Labels[i].Span, out.Labels[i].Name = m.span(l.Span), m.span(l.Name)
	}
	out.Attributes = m.attributes(b.Attributes, &out)
	for i, inner := range b.Blocks {
		out.Blocks[i] = m.block(inner, &out)
	}
	return &out
}

func (m move) attributes(list []*Attribute, of *Block) []*Attribute {
	moved, out := make([]Attribute, len(list)), slices.Clone(list)
	for i, a := range list {
		moved[i] = *a
		moved[i].NameSpan, moved[i].Equals, moved[i].Value = m.span(a.NameSpan), m.span(a.Equals), m.span(a.Value)
		moved[i].First, moved[i].Last, moved[i].Block = a.First+m.tokens, a.Last+m.tokens, of
		out[i] = &moved[i]
	}
	return out
}
