package outline

import (
	"bytes"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Part is what of a file stands at an offset.
type Part uint8

// The parts.
const (
	// Body is where items begin: between, before and after those of a block.
	Body Part = iota
	BlockType
	BlockLabel
	AttributeName
	// Value is behind an equals sign.
	Value
	Comment
)

// Place is what stands at an offset.
type Place struct {
	Part Part
	// Block is the innermost block around the offset; for BlockType and BlockLabel, the block whose header it is.
	Block *Block
	// Attribute is set for AttributeName and Value, Label for BlockLabel.
	Attribute *Attribute
	Label     *Label
}

// At tells what stands at an offset. At the end of a word, it is the word.
func (f *File) At(offset int) Place {
	if f.inComment(offset) {
		return Place{Part: Comment, Block: f.innermost(offset)}
	}
	b := f.innermost(offset)
	for _, inner := range b.Blocks {
		if inner.TypeSpan.Contains(offset) {
			return Place{Part: BlockType, Block: inner}
		}
		for i := range inner.Labels {
			if inner.Labels[i].Span.Contains(offset) {
				return Place{Part: BlockLabel, Block: inner, Label: &inner.Labels[i]}
			}
		}
	}
	for _, a := range b.Attributes {
		switch {
		case a.NameSpan.Contains(offset):
			return Place{Part: AttributeName, Block: b, Attribute: a}
		case a.Equals.End <= offset && offset <= f.valueEnd(a):
			return Place{Part: Value, Block: b, Attribute: a}
		}
	}
	return Place{Part: Body, Block: b}
}

// valueEnd is the end of a value with the blanks after it, as far as its line goes.
func (f *File) valueEnd(a *Attribute) int {
	end := a.Value.End
	for end < len(f.Src) && (f.Src[end] == ' ' || f.Src[end] == '\t') {
		end++
	}
	return end
}

// innermost is the deepest block whose inside holds the offset.
func (f *File) innermost(offset int) *Block {
	b := f.Root
	for {
		inner := b.holding(offset)
		if inner == nil {
			return b
		}
		b = inner
	}
}

// holding is the block inside b whose inside holds the offset. One that is not closed ends before what shows that, unless
// nothing follows.
func (b *Block) holding(offset int) *Block {
	for _, inner := range b.Blocks {
		if !inner.Opened || offset < inner.Inside.Start || offset > inner.Inside.End {
			continue
		}
		if offset < inner.Inside.End || inner.Closed || inner.Inside.End == b.Inside.End {
			return inner
		}
	}
	return nil
}

func (f *File) inComment(offset int) bool {
	if i := f.TokenAt(offset); i >= 0 && f.Tokens[i].Type == hclsyntax.TokenComment && f.Tokens[i].Range.Start.Byte < offset {
		return true
	}
	// At the end of the text a comment goes on being typed.
	i := f.TokenAt(offset - 1)
	if i < 0 || f.Tokens[i].Type != hclsyntax.TokenComment || endsLine(f.Tokens[i]) {
		return false
	}
	return !bytes.HasPrefix(f.Tokens[i].Bytes, []byte("/*"))
}
