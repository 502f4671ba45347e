package outline

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/addr"
)

// Name is a place where an address is declared or referred to.
type Name struct {
	Address addr.Address
	// Span is that of the name alone, Whole that of what declares it or refers with it.
	Span, Whole Span
	// Block declares the name; nil for references and local values.
	Block *Block
	// Attribute is the local value, or the one that refers.
	Attribute *Attribute
}

// Declarations lists what the file declares, in order of position.
func (f *File) Declarations() []Name {
	var names []Name
	for _, b := range f.Root.Blocks {
		switch {
		case b.Type == "locals":
			for _, a := range b.Attributes {
				names = append(names, Name{Address: addr.Address{Kind: addr.Local, Name: a.Name}, Span: a.NameSpan, Whole: Span{a.NameSpan.Start, max(a.Value.End, a.Equals.End)}, Attribute: a})
			}
		case b.Schema != nil && b.Schema.Kind != "" && len(b.Labels) > 0:
			names = append(names, Name{Address: addr.Address{Kind: b.Schema.Kind, Name: b.Label()}, Span: b.Labels[0].Name, Whole: b.Span, Block: b})
		}
	}
	return names
}

// References lists what the file refers to, in order of blocks and attributes.
func (f *File) References() []Name {
	var names []Name
	f.EachAttribute(func(a *Attribute) {
		for _, t := range f.Traversals(a) {
			if address, ok := t.Address(); ok {
				names = append(names, Name{Address: address, Span: t.Steps[1].Span, Whole: t.Span(), Attribute: a})
			}
		}
	})
	return names
}

// EachAttribute visits every attribute of the file.
func (f *File) EachAttribute(visit func(*Attribute)) {
	var walk func(b *Block)
	walk = func(b *Block) {
		for _, a := range b.Attributes {
			visit(a)
		}
		for _, inner := range b.Blocks {
			walk(inner)
		}
	}
	walk(f.Root)
}

// TraversalAt returns the traversal at an offset in a value, with the step, nil when there is none.
func (f *File) TraversalAt(a *Attribute, offset int) (*Traversal, int) {
	for _, t := range f.Traversals(a) {
		if step := t.At(offset); step >= 0 {
			return &t, step
		}
	}
	return nil, -1
}

// StringAt returns the span between the quotes of the string at an offset. The second result is false outside of strings
// and in those that are more than plain text.
func (f *File) StringAt(offset int) (Span, bool) {
	i := f.TokenAt(offset)
	if i < 0 || f.Tokens[i].Type != hclsyntax.TokenQuotedLit && f.Tokens[i].Type != hclsyntax.TokenCQuote {
		i = f.TokenAt(offset - 1)
	}
	if i < 0 {
		return Span{}, false
	}
	switch f.Tokens[i].Type {
	case hclsyntax.TokenOQuote:
		return f.stringFrom(i)
	case hclsyntax.TokenQuotedLit:
		if i > 0 && f.Tokens[i-1].Type == hclsyntax.TokenOQuote {
			return f.stringFrom(i - 1)
		}
	case hclsyntax.TokenCQuote:
		for open := i - 1; open >= max(0, i-2); open-- {
			if f.Tokens[open].Type == hclsyntax.TokenOQuote {
				return f.stringFrom(open)
			}
		}
	}
	return Span{}, false
}

// stringFrom is the plain string that a quote opens. One without an end reaches to the end of its line.
func (f *File) stringFrom(open int) (Span, bool) {
	s := Span{f.Tokens[open].Range.End.Byte, f.Tokens[open].Range.End.Byte}
	for i := open + 1; i < len(f.Tokens) && i <= open+2; i++ {
		switch f.Tokens[i].Type {
		case hclsyntax.TokenQuotedLit:
			s.End = f.Tokens[i].Range.End.Byte
		case hclsyntax.TokenCQuote, hclsyntax.TokenNewline, hclsyntax.TokenEOF:
			return s, true
		default:
			return Span{}, false
		}
	}
	return Span{}, false
}
