package outline

import "github.com/hashicorp/hcl/v2/hclsyntax"

// Call is a function call around an offset.
type Call struct {
	Name     string
	NameSpan Span
	// Argument counts the commas before the offset.
	Argument int
}

// CallAt returns the innermost call whose arguments hold the offset; the second result is false when there is none.
func (f *File) CallAt(a *Attribute, offset int) (Call, bool) {
	type frame struct {
		name   int
		commas int
	}
	var stack []frame
	for i := a.First; i < a.Last && f.Tokens[i].Range.Start.Byte < offset; i++ {
		switch t := f.Tokens[i].Type; {
		case t == hclsyntax.TokenOParen:
			name := -1
			if i > a.First && f.Tokens[i-1].Type == hclsyntax.TokenIdent {
				name = i - 1
			}
			stack = append(stack, frame{name: name})
		case opens(t):
			stack = append(stack, frame{name: -1})
		case closes(t) != nil && len(stack) > 0 && f.Tokens[i].Range.End.Byte <= offset:
			stack = stack[:len(stack)-1]
		case t == hclsyntax.TokenComma && len(stack) > 0:
			stack[len(stack)-1].commas++
		}
	}
	for i := len(stack) - 1; i >= 0; i-- {
		if name := stack[i].name; name >= 0 {
			return Call{Name: string(f.Tokens[name].Bytes), NameSpan: spanOf(f.Tokens[name]), Argument: stack[i].commas}, true
		}
	}
	return Call{}, false
}
