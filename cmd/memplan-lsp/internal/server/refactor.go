package server

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/session"
	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/schema"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/lang/units"
)

// refactoring finds changes of what is selected.
type refactoring struct {
	*query
	loaded   *session.Loaded
	file     *outline.File
	selected outline.Span
}

// extractions offer to give a name to the selected expression, or to the whole value at the cursor.
func (r *refactoring) extractions() []fix {
	a, span := r.expression()
	if a == nil || a.Schema != nil && ((a.Schema.Phase == schema.Constant || a.Schema.Phase == schema.DuringPlanning) || a.Schema.Refers != "" || a.Schema.Type == schema.TypeConstraint) {
		return nil
	}
	text := r.file.Text(span)
	expr, ds := syntax.ParseExpression("", []byte(text))
	if ds.HasErrors() {
		return nil
	}
	top := a.Block.Top()
	fixes := []fix{r.extractLocal(top, a, span)}
	if len(expr.Variables()) == 0 && top.Type != string(addr.Variable) {
		if value, ok := r.evaluate(r.loaded, text); ok {
			fixes = append([]fix{r.extractVariable(top, a, span, value)}, fixes...)
		}
	}
	return fixes
}

// expression is the attribute at the selection and the span to extract; nil when that is no whole expression. What is
// there already as a name alone is left as it is.
func (r *refactoring) expression() (*outline.Attribute, outline.Span) {
	place := r.file.At(r.selected.Start)
	a := place.Attribute
	if place.Part != outline.Value || a == nil || a.Block.Parent == nil || a.Block.Top().Type == "locals" && r.selected.Start == r.selected.End {
		return nil, outline.Span{}
	}
	span := a.Value
	if r.selected.End > r.selected.Start {
		span = r.selected
		text := r.file.Text(span)
		span.Start += len(text) - len(strings.TrimLeft(text, " \t\r\n"))
		span.End -= len(text) - len(strings.TrimRight(text, " \t\r\n"))
	}
	if span.Start >= span.End || span.Start < a.Value.Start || span.End > a.Value.End || !r.wholeTokens(span) {
		return nil, outline.Span{}
	}
	if t, _ := r.file.TraversalAt(a, span.Start); t != nil && t.Span() == span {
		return nil, outline.Span{}
	}
	return a, span
}

// wholeTokens reports whether a span begins and ends with tokens, and cuts no string.
func (r *refactoring) wholeTokens(span outline.Span) bool {
	first, last := r.file.TokenAt(span.Start), r.file.TokenAt(span.End-1)
	if first < 0 || last < 0 {
		return false
	}
	t := r.file.Tokens
	return t[first].Range.Start.Byte == span.Start && t[last].Range.End.Byte == span.End && t[first].Type != 'Q' && t[last].Type != 'Q'
}

func (r *refactoring) extractLocal(top *outline.Block, a *outline.Attribute, span outline.Span) fix {
	name := r.freeName(addr.Local, a.Name)
	f := fix{title: fmt.Sprintf("Extract to local.%s", name), span: span, text: "local." + name}
	text := r.file.Text(span)
	for _, b := range r.file.Root.Blocks {
		if b.Type == "locals" && b != top && b.Opened {
			f.also = []change{{outline.Span{Start: b.Inside.Start, End: b.Inside.Start}, "\n  " + name + " = " + text}}
			return f
		}
	}
	f.also = []change{r.before(top, "locals {\n  "+name+" = "+text+"\n}\n\n")}
	return f
}

func (r *refactoring) extractVariable(top *outline.Block, a *outline.Attribute, span outline.Span, value cty.Value) fix {
	name := r.freeName(addr.Variable, a.Name)
	block := "variable " + strconv.Quote(name) + " {\n"
	if t := variableType(eval.Plain(value).Type()); t != "" {
		block += "  type    = " + t + "\n"
	}
	block += "  default = " + r.file.Text(span) + "\n}\n\n"
	return fix{title: fmt.Sprintf("Extract to var.%s", name), span: span, text: "var." + name, also: []change{r.before(top, block)}}
}

// variableType writes the type of a variable for values like one, "" where any type will do.
func variableType(t cty.Type) string {
	switch {
	case t.IsPrimitiveType():
		return typeText(t)
	case t.IsTupleType() && t.Length() > 0:
		for _, e := range t.TupleElementTypes() {
			if e != t.TupleElementType(0) || !e.IsPrimitiveType() {
				return ""
			}
		}
		return "list(" + typeText(t.TupleElementType(0)) + ")"
	}
	return ""
}

// before inserts a text at the start of the line of a block.
func (r *refactoring) before(b *outline.Block, text string) change {
	at := strings.LastIndexByte(string(r.file.Src[:b.TypeSpan.Start]), '\n') + 1
	return change{outline.Span{Start: at, End: at}, text}
}

// freeName is a name that nothing of the kind has yet.
func (r *refactoring) freeName(kind addr.Kind, want string) string {
	docs := r.Documents(r.loaded)
	for n := 1; ; n++ {
		name := want
		if n > 1 {
			name = fmt.Sprintf("%s_%d", want, n)
		}
		if declarationOf(docs, addr.Address{Kind: kind, Name: name}) == nil {
			return name
		}
	}
}

// rewrites offer to write a size in the other unit, and to add what a block needs.
func (r *refactoring) rewrites() []fix {
	place := r.file.At(r.selected.Start)
	if a := place.Attribute; a != nil && a.Schema != nil && a.Schema.Type == schema.Size && place.Part == outline.Value {
		return r.otherUnit(a)
	}
	if place.Part == outline.BlockType || place.Part == outline.BlockLabel {
		return r.completeBlock(place.Block)
	}
	return nil
}

// otherUnit writes a literal size as a number of bytes, or with the largest unit that is exact.
func (r *refactoring) otherUnit(a *outline.Attribute) []fix {
	expr, ds := syntax.ParseExpression("", []byte(r.file.Text(a.Value)))
	if ds.HasErrors() || len(expr.Variables()) > 0 {
		return nil
	}
	value, ok := r.evaluate(r.loaded, r.file.Text(a.Value))
	if !ok {
		return nil
	}
	n, ok := sizeOf(value)
	if !ok {
		return nil
	}
	number, text := strconv.FormatInt(n, 10), units.Literal(n)
	var fixes []fix
	if value.Type() == cty.String {
		fixes = append(fixes, fix{title: "Write as " + number, span: a.Value, text: number})
	} else if text != number {
		fixes = append(fixes, fix{title: fmt.Sprintf("Write as %q", text), span: a.Value, text: strconv.Quote(text)})
	}
	return fixes
}

// completeBlock adds the required attributes that a block lacks, when it lacks several: for one there is a repair.
func (r *refactoring) completeBlock(b *outline.Block) []fix {
	if b == nil || b.Schema == nil || !b.Opened {
		return nil
	}
	var lines []string
	for i := range b.Schema.Attributes {
		if a := &b.Schema.Attributes[i]; a.Required && b.Attribute(a.Name) == nil {
			lines = append(lines, a.Name+" = "+(&completing{query: r.query, loaded: r.loaded, file: r.file}).example(a))
		}
	}
	if len(lines) < 2 {
		return nil
	}
	return []fix{(&repairing{query: r.query, loaded: r.loaded}).insert(b, "Add the required attributes", lines...)}
}
