package outline

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/addr"
)

// Traversal is a name in an expression with what follows it: pool.arena.peak, graph.g.tensor["t"].
type Traversal struct {
	// Steps has one element or more. The first is the root's name.
	Steps []Step
}

// Step is one name of a traversal.
type Step struct {
	Name string
	Span Span
}

// Span is that of all steps.
func (t *Traversal) Span() Span { return Span{t.Steps[0].Span.Start, t.Steps[len(t.Steps)-1].Span.End} }

// Address returns the address that the traversal begins with; the second result is false when it begins with none.
func (t *Traversal) Address() (addr.Address, bool) {
	if len(t.Steps) < 2 {
		return addr.Address{}, false
	}
	for _, kind := range addr.Kinds() {
		if string(kind) == t.Steps[0].Name {
			return addr.Address{Kind: kind, Name: t.Steps[1].Name}, true
		}
	}
	return addr.Address{}, false
}

// At returns the index of the step at an offset, -1 when there is none.
func (t *Traversal) At(offset int) int {
	for i, step := range t.Steps {
		if step.Span.Contains(offset) {
			return i
		}
	}
	return -1
}

// Traversals lists those in a value, in order of position. Names of loops, functions and keys of objects are left out.
func (f *File) Traversals(a *Attribute) []Traversal {
	loops := f.loopNames(a)
	var found []Traversal
	for i := a.First; i < a.Last; {
		if f.Tokens[i].Type != hclsyntax.TokenIdent {
			i++
			continue
		}
		t, next := f.traversal(i, a.Last)
		if !loops[t.Steps[0].Name] && !f.isKeyOrCall(a, i, next) {
			found = append(found, t)
		}
		i = next
	}
	return found
}

// traversal reads the one that begins at a token and returns the index after it.
func (f *File) traversal(i, to int) (Traversal, int) {
	t := Traversal{Steps: []Step{f.step(i)}}
	i++
	for i+1 < to {
		switch {
		case f.Tokens[i].Type == hclsyntax.TokenDot && f.Tokens[i+1].Type == hclsyntax.TokenIdent:
			t.Steps = append(t.Steps, f.step(i+1))
			i += 2
		case f.isTextIndex(i, to):
			t.Steps = append(t.Steps, f.step(i+2))
			i += 5
		default:
			return t, i
		}
	}
	return t, i
}

// isTextIndex reports whether ["text"] begins at the token.
func (f *File) isTextIndex(i, to int) bool {
	if i+4 >= to {
		return false
	}
	want := []hclsyntax.TokenType{hclsyntax.TokenOBrack, hclsyntax.TokenOQuote, hclsyntax.TokenQuotedLit, hclsyntax.TokenCQuote, hclsyntax.TokenCBrack}
	for n, t := range want {
		if f.Tokens[i+n].Type != t {
			return false
		}
	}
	return true
}

func (f *File) step(i int) Step {
	return Step{Name: string(f.Tokens[i].Bytes), Span: spanOf(f.Tokens[i])}
}

// isKeyOrCall reports whether the one name between the tokens is that of a function, an object's key or a word of the
// grammar.
func (f *File) isKeyOrCall(a *Attribute, from, next int) bool {
	if next-from > 1 {
		return false
	}
	switch string(f.Tokens[from].Bytes) {
	case "for", "in", "if", "else", "endif", "endfor", "true", "false", "null":
		return true
	}
	if next >= a.Last {
		return false
	}
	switch f.Tokens[next].Type {
	case hclsyntax.TokenOParen, hclsyntax.TokenEqual:
		return true
	case hclsyntax.TokenColon:
		before := from - 1
		return before >= a.First && (f.Tokens[before].Type == hclsyntax.TokenOBrace || f.Tokens[before].Type == hclsyntax.TokenComma)
	}
	return false
}

// loopNames are the names that "for" expressions in a value declare.
func (f *File) loopNames(a *Attribute) map[string]bool {
	names := map[string]bool{}
	for i := a.First; i+1 < a.Last; i++ {
		if f.Tokens[i].Type != hclsyntax.TokenIdent || string(f.Tokens[i].Bytes) != "for" {
			continue
		}
		for n := i + 1; n < min(i+4, a.Last) && string(f.Tokens[n].Bytes) != "in"; n++ {
			if f.Tokens[n].Type == hclsyntax.TokenIdent {
				names[string(f.Tokens[n].Bytes)] = true
			}
		}
	}
	return names
}
