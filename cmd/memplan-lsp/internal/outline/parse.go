package outline

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/schema"
	"github.com/memplan/memplan/lang/syntax"
)

// parser fills in the tree from the last tokens of a file.
type parser struct {
	file *File
	// end is the offset at which the text of these tokens ends.
	end int
}

// body reads the items between two tokens, the second excluded.
func (p *parser) body(b *Block, from, to, depth int) {
	tokens := p.file.Tokens
	for i := from; i < to; {
		switch {
		case tokens[i].Type != hclsyntax.TokenIdent:
			i = p.after(i, to)
		case i+1 < to && tokens[i+1].Type == hclsyntax.TokenEqual:
			i = p.attribute(b, i, to)
		default:
			i = p.block(b, i, to, depth)
		}
	}
}

// after is the index after the token and, when it opens something, after what it opens.
func (p *parser) after(i, to int) int {
	if !opens(p.file.Tokens[i].Type) {
		return i + 1
	}
	end := p.file.pairs.end[i]
	if p.file.pairs.closed[i] {
		end++
	}
	return min(max(end, i+1), to)
}

// attribute reads an attribute and returns the index after it. The value ends with the line, unless a bracket is open.
func (p *parser) attribute(b *Block, at, to int) int {
	tokens := p.file.Tokens
	a := &Attribute{Name: string(tokens[at].Bytes), NameSpan: spanOf(tokens[at]), Equals: spanOf(tokens[at+1]), Block: b, First: at + 2}
	i := at + 2
	for i < to && !endsValue(tokens[i]) {
		next := p.after(i, to)
		if opens(tokens[i].Type) && !p.file.pairs.closed[i] {
			next = p.unclosedValue(i, next, a.NameSpan.Start)
		}
		i = next
		if tokens[i-1].Type == hclsyntax.TokenOHeredoc {
			break
		}
	}
	a.Last = i
	a.Value = Span{a.Equals.End, a.Equals.End}
	if a.First < a.Last {
		a.Value = Span{tokens[a.First].Range.Start.Byte, tokens[a.Last-1].Range.End.Byte}
	}
	if b.Schema != nil {
		a.Schema = b.Schema.Attribute(a.Name)
	}
	b.Attributes = append(b.Attributes, a)
	return i
}

func endsValue(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenNewline || t.Type == hclsyntax.TokenEOF || t.Type == hclsyntax.TokenComment && endsLine(t)
}

// unclosedValue finds where a value ends whose bracket is not closed: at the end of its line, when the lines after it are
// items of the same body and no more indented than it.
func (p *parser) unclosedValue(open, end, start int) int {
	tokens := p.file.Tokens
	indent := p.indent(start)
	for i := open + 1; i+1 < end; i++ {
		if endsLine(tokens[i]) && tokens[i+1].Type == hclsyntax.TokenIdent && p.indent(tokens[i+1].Range.Start.Byte) <= indent {
			return i
		}
	}
	return end
}

// indent counts the bytes between an offset and the start of its line.
func (p *parser) indent(offset int) int {
	at := offset
	for at > 0 && p.file.Src[at-1] != '\n' {
		at--
	}
	return offset - at
}

// block reads a block and returns the index after it. A word without a brace is no block yet, but it is kept when a label
// follows it.
func (p *parser) block(parent *Block, at, to, depth int) int {
	tokens := p.file.Tokens
	b := &Block{Type: string(tokens[at].Bytes), TypeSpan: spanOf(tokens[at]), Parent: parent}
	b.Schema = schemaOf(parent, b.Type)
	i := p.labels(b, at+1, to)
	b.Header = Span{b.TypeSpan.Start, tokens[i-1].Range.End.Byte}
	b.Span, b.Inside = b.Header, Span{b.Header.End, b.Header.End}
	if i >= to || tokens[i].Type != hclsyntax.TokenOBrace {
		if len(b.Labels) > 0 {
			parent.Blocks = append(parent.Blocks, b)
		}
		return i
	}
	parent.Blocks = append(parent.Blocks, b)
	end := min(p.file.pairs.end[i], to)
	b.Opened, b.Closed = true, p.file.pairs.closed[i]
	b.Inside = Span{tokens[i].Range.End.Byte, p.startOf(end)}
	if b.Closed {
		b.Span.End = tokens[end].Range.End.Byte
	} else {
		b.Span.End = tokens[end-1].Range.End.Byte
	}
	if depth < syntax.MaxNesting {
		p.body(b, i+1, end, depth+1)
	}
	return p.after(i, to)
}

// schemaOf is the schema of a block inside another. A run of a test file takes blocks of configurations too, and the content of
// a dynamic block is like the blocks that it makes.
func schemaOf(parent *Block, blockType string) *schema.Block {
	if parent.Schema == nil {
		return nil
	}
	if made := parent.made(); made != nil && blockType == "content" {
		return made
	}
	if found := parent.Schema.Block(blockType); found != nil {
		return found
	}
	if parent.Type == "run" && parent.Parent.Schema == schema.TestFile() && slices.Contains(schema.OverrideTypes, blockType) {
		return schema.Root().Block(blockType)
	}
	return nil
}

// made is the schema of the blocks that a dynamic block makes, nil for other blocks and where the language has no such block.
func (b *Block) made() *schema.Block {
	if b.Schema != schema.Dynamic() || b.Parent.Schema == nil {
		return nil
	}
	return b.Parent.Schema.Block(b.Label())
}

// labels reads the labels that follow a block's type and returns the index after them.
func (p *parser) labels(b *Block, i, to int) int {
	tokens := p.file.Tokens
	for i < to {
		switch tokens[i].Type {
		case hclsyntax.TokenOQuote:
			next := p.after(i, to)
			b.Labels = append(b.Labels, p.quoted(i, next))
			i = next
		case hclsyntax.TokenIdent:
			b.Labels = append(b.Labels, Label{Text: string(tokens[i].Bytes), Span: spanOf(tokens[i]), Name: spanOf(tokens[i])})
			i++
		default:
			return i
		}
	}
	return i
}

// quoted is the label of the tokens of a string.
func (p *parser) quoted(from, next int) Label {
	tokens := p.file.Tokens
	whole := Span{tokens[from].Range.Start.Byte, tokens[next-1].Range.End.Byte}
	name := Span{tokens[from].Range.End.Byte, whole.End}
	if next-1 > from && tokens[next-1].Type == hclsyntax.TokenCQuote {
		name.End = tokens[next-1].Range.Start.Byte
	}
	return Label{Text: p.file.Text(name), Span: whole, Name: name}
}

// startOf is the offset at which a token begins, the end of the text for the one after the last.
func (p *parser) startOf(i int) int {
	if i >= len(p.file.Tokens) {
		return p.end
	}
	return p.file.Tokens[i].Range.Start.Byte
}
