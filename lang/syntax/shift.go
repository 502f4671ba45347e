package syntax

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// shift is how far a text has moved. Columns stay as they are: only whole lines move.
type shift struct{ bytes, lines int }

func (s shift) pos(p hcl.Pos) hcl.Pos {
	p.Byte += s.bytes
	p.Line += s.lines
	return p
}

func (s shift) of(r hcl.Range) hcl.Range {
	r.Start, r.End = s.pos(r.Start), s.pos(r.End)
	return r
}

// body returns a copy of the tree at its new place. It costs O(tree).
func (s shift) body(b *hclsyntax.Body) *hclsyntax.Body {
	out := &hclsyntax.Body{Attributes: make(hclsyntax.Attributes, len(b.Attributes)), SrcRange: s.of(b.SrcRange), EndRange: s.of(b.EndRange)}
	for name, a := range b.Attributes {
		out.Attributes[name] = &hclsyntax.Attribute{
			Name: a.Name, Expr: s.expr(a.Expr), SrcRange: s.of(a.SrcRange), NameRange: s.of(a.NameRange), EqualsRange: s.of(a.EqualsRange),
		}
	}
	if b.Blocks != nil {
		out.Blocks = make(hclsyntax.Blocks, len(b.Blocks))
	}
	for i, block := range b.Blocks {
		out.Blocks[i] = s.block(block)
	}
	return out
}

func (s shift) block(b *hclsyntax.Block) *hclsyntax.Block {
	var labels []hcl.Range
	if b.LabelRanges != nil {
		labels = make([]hcl.Range, len(b.LabelRanges))
	}
	for i, r := range b.LabelRanges {
		labels[i] = s.of(r)
	}
	return &hclsyntax.Block{
		Type: b.Type, Labels: b.Labels, Body: s.body(b.Body), TypeRange: s.of(b.TypeRange), LabelRanges: labels,
		OpenBraceRange: s.of(b.OpenBraceRange), CloseBraceRange: s.of(b.CloseBraceRange),
	}
}

func (s shift) exprs(list []hclsyntax.Expression) []hclsyntax.Expression {
	if list == nil {
		return nil
	}
	out := make([]hclsyntax.Expression, len(list))
	for i, e := range list {
		out[i] = s.expr(e)
	}
	return out
}

func (s shift) traversal(t hcl.Traversal) hcl.Traversal {
	out := make(hcl.Traversal, len(t))
	for i, step := range t {
		switch step := step.(type) {
		case hcl.TraverseRoot:
			step.SrcRange = s.of(step.SrcRange)
			out[i] = step
		case hcl.TraverseAttr:
			step.SrcRange = s.of(step.SrcRange)
			out[i] = step
		case hcl.TraverseIndex:
			step.SrcRange = s.of(step.SrcRange)
			out[i] = step
		case hcl.TraverseSplat:
			step.SrcRange, step.Each = s.of(step.SrcRange), s.traversal(step.Each)
			out[i] = step
		default:
			panic(fmt.Sprintf("syntax: a step of type %T", step))
		}
	}
	return out
}

// expr copies an expression. The kinds are those of the parser; what it gives for text with errors is not moved.
func (s shift) expr(e hclsyntax.Expression) hclsyntax.Expression {
	switch e := e.(type) {
	case nil:
		return nil
	case *hclsyntax.LiteralValueExpr:
		return &hclsyntax.LiteralValueExpr{Val: e.Val, SrcRange: s.of(e.SrcRange)}
	case *hclsyntax.TemplateExpr:
		return &hclsyntax.TemplateExpr{Parts: s.exprs(e.Parts), SrcRange: s.of(e.SrcRange)}
	case *hclsyntax.ScopeTraversalExpr:
		return &hclsyntax.ScopeTraversalExpr{Traversal: s.traversal(e.Traversal), SrcRange: s.of(e.SrcRange)}
	case *hclsyntax.RelativeTraversalExpr:
		return &hclsyntax.RelativeTraversalExpr{Source: s.expr(e.Source), Traversal: s.traversal(e.Traversal), SrcRange: s.of(e.SrcRange)}
	case *hclsyntax.TupleConsExpr:
		return &hclsyntax.TupleConsExpr{Exprs: s.exprs(e.Exprs), SrcRange: s.of(e.SrcRange), OpenRange: s.of(e.OpenRange)}
	case *hclsyntax.ObjectConsExpr:
		return s.object(e)
	case *hclsyntax.ObjectConsKeyExpr:
		return &hclsyntax.ObjectConsKeyExpr{Wrapped: s.expr(e.Wrapped), ForceNonLiteral: e.ForceNonLiteral}
	case *hclsyntax.FunctionCallExpr:
		return &hclsyntax.FunctionCallExpr{
			Name: e.Name, Args: s.exprs(e.Args), ExpandFinal: e.ExpandFinal, NameRange: s.of(e.NameRange),
			OpenParenRange: s.of(e.OpenParenRange), CloseParenRange: s.of(e.CloseParenRange),
		}
	default:
		return s.operation(e)
	}
}

func (s shift) object(e *hclsyntax.ObjectConsExpr) *hclsyntax.ObjectConsExpr {
	out := &hclsyntax.ObjectConsExpr{SrcRange: s.of(e.SrcRange), OpenRange: s.of(e.OpenRange)}
	if e.Items != nil {
		out.Items = make([]hclsyntax.ObjectConsItem, len(e.Items))
	}
	for i, item := range e.Items {
		out.Items[i] = hclsyntax.ObjectConsItem{KeyExpr: s.expr(item.KeyExpr), ValueExpr: s.expr(item.ValueExpr)}
	}
	return out
}

// operation copies what is made of other expressions.
func (s shift) operation(e hclsyntax.Expression) hclsyntax.Expression {
	switch e := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return &hclsyntax.ParenthesesExpr{Expression: s.expr(e.Expression), SrcRange: s.of(e.SrcRange)}
	case *hclsyntax.BinaryOpExpr:
		return &hclsyntax.BinaryOpExpr{LHS: s.expr(e.LHS), Op: e.Op, RHS: s.expr(e.RHS), SrcRange: s.of(e.SrcRange)}
	case *hclsyntax.UnaryOpExpr:
		return &hclsyntax.UnaryOpExpr{Op: e.Op, Val: s.expr(e.Val), SrcRange: s.of(e.SrcRange), SymbolRange: s.of(e.SymbolRange)}
	case *hclsyntax.ConditionalExpr:
		return &hclsyntax.ConditionalExpr{
			Condition: s.expr(e.Condition), TrueResult: s.expr(e.TrueResult), FalseResult: s.expr(e.FalseResult), SrcRange: s.of(e.SrcRange),
		}
	case *hclsyntax.IndexExpr:
		return &hclsyntax.IndexExpr{
			Collection: s.expr(e.Collection), Key: s.expr(e.Key), SrcRange: s.of(e.SrcRange), OpenRange: s.of(e.OpenRange), BracketRange: s.of(e.BracketRange),
		}
	case *hclsyntax.ForExpr:
		return &hclsyntax.ForExpr{
			KeyVar: e.KeyVar, ValVar: e.ValVar, CollExpr: s.expr(e.CollExpr), KeyExpr: s.expr(e.KeyExpr), ValExpr: s.expr(e.ValExpr),
			CondExpr: s.expr(e.CondExpr), Group: e.Group, SrcRange: s.of(e.SrcRange), OpenRange: s.of(e.OpenRange), CloseRange: s.of(e.CloseRange),
		}
	case *hclsyntax.SplatExpr:
		return s.splat(e)
	case *hclsyntax.TemplateWrapExpr:
		return &hclsyntax.TemplateWrapExpr{Wrapped: s.expr(e.Wrapped), SrcRange: s.of(e.SrcRange)}
	case *hclsyntax.TemplateJoinExpr:
		return &hclsyntax.TemplateJoinExpr{Tuple: s.expr(e.Tuple)}
	}
	panic(fmt.Sprintf("syntax: an expression of type %T", e))
}

// splat copies a splat, whose symbol stands for the element in the expression for each, at its leftmost end.
func (s shift) splat(e *hclsyntax.SplatExpr) hclsyntax.Expression {
	item := &hclsyntax.AnonSymbolExpr{SrcRange: s.of(e.Item.SrcRange)}
	return &hclsyntax.SplatExpr{
		Source: s.expr(e.Source), Each: s.each(e.Each, e.Item, item), Item: item, SrcRange: s.of(e.SrcRange), MarkerRange: s.of(e.MarkerRange),
	}
}

// each copies the expression for each element of a splat with another symbol.
func (s shift) each(e hclsyntax.Expression, old, item *hclsyntax.AnonSymbolExpr) hclsyntax.Expression {
	switch e := e.(type) {
	case *hclsyntax.AnonSymbolExpr:
		if e == old {
			return item
		}
	case *hclsyntax.RelativeTraversalExpr:
		return &hclsyntax.RelativeTraversalExpr{Source: s.each(e.Source, old, item), Traversal: s.traversal(e.Traversal), SrcRange: s.of(e.SrcRange)}
	case *hclsyntax.IndexExpr:
		return &hclsyntax.IndexExpr{
			Collection: s.each(e.Collection, old, item), Key: s.expr(e.Key), SrcRange: s.of(e.SrcRange), OpenRange: s.of(e.OpenRange), BracketRange: s.of(e.BracketRange),
		}
	case *hclsyntax.SplatExpr:
		inner := &hclsyntax.AnonSymbolExpr{SrcRange: s.of(e.Item.SrcRange)}
		return &hclsyntax.SplatExpr{
			Source: s.each(e.Source, old, item), Each: s.each(e.Each, e.Item, inner), Item: inner, SrcRange: s.of(e.SrcRange), MarkerRange: s.of(e.MarkerRange),
		}
	}
	return s.expr(e)
}
