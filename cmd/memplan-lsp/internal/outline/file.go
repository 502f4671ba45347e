package outline

import (
	"sort"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/schema"
)

// Span is a half-open range of bytes.
type Span struct{ Start, End int }

// Contains reports whether an offset is in the span or at its end.
func (s Span) Contains(offset int) bool { return s.Start <= offset && offset <= s.End }

// File is the outline of one text. It is never changed once made.
type File struct {
	Src []byte
	// Tokens cover the text in order of position, comments and line breaks included.
	Tokens hclsyntax.Tokens
	// Root is the file itself: a block without a type.
	Root *Block
	// pairs holds for every token that opens something where it ends.
	pairs pairs
	parts []part
}

// Block is a block, or a file.
type Block struct {
	// Type is "" for the file. TypeSpan is that of the word.
	Type     string
	TypeSpan Span
	Labels   []Label
	// Span reaches from the type to the closing brace; Header to the last label; Inside is what is between the braces. Of a
	// block that is not closed both reach as far as its content does.
	Span, Header, Inside Span
	// Opened says that there is an opening brace, Closed that there is a closing one.
	Opened, Closed bool
	// Parent is nil for the file. Schema is nil where the language has no such block.
	Parent     *Block
	Schema     *schema.Block
	Attributes []*Attribute
	Blocks     []*Block
}

// Label is a label of a block.
type Label struct {
	Text string
	// Span includes the quotes, Name does not.
	Span, Name Span
}

// Attribute is an attribute of a block.
type Attribute struct {
	Name     string
	NameSpan Span
	// Equals is that of the sign; Value reaches from the first token after it to the last, and is empty when there is none.
	Equals, Value Span
	// First and Last are the half-open range of the value's tokens.
	First, Last int
	Block       *Block
	// Schema is nil where the language has no such attribute, and in blocks whose attributes have names of the user's choice.
	Schema *schema.Attribute
}

// New makes the outline of a text. Text beyond the limits of the language has no outline but the file itself. It costs
// O(text).
func New(src []byte) *File { return Next(nil, src, schema.Root()) }

// Label returns the text of the block's first label, "" when it has none.
func (b *Block) Label() string {
	if len(b.Labels) == 0 {
		return ""
	}
	return b.Labels[0].Text
}

// Attribute returns the first attribute with the name, nil when there is none.
func (b *Block) Attribute(name string) *Attribute {
	for _, a := range b.Attributes {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Top is the block of the file that b is or lies in; the file itself for the file.
func (b *Block) Top() *Block {
	for b.Parent != nil && b.Parent.Parent != nil {
		b = b.Parent
	}
	return b
}

// TokenAt returns the index of the token that contains the byte at the offset, or -1.
func (f *File) TokenAt(offset int) int {
	i := sort.Search(len(f.Tokens), func(i int) bool { return f.Tokens[i].Range.End.Byte > offset })
	if i < len(f.Tokens) && f.Tokens[i].Range.Start.Byte <= offset {
		return i
	}
	return -1
}

// Text returns the bytes of a span.
func (f *File) Text(s Span) string { return string(f.Src[s.Start:s.End]) }

func spanOf(t hclsyntax.Token) Span { return Span{t.Range.Start.Byte, t.Range.End.Byte} }
