package config

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/schema"
	"github.com/memplan/memplan/lang/syntax"
)

// native makes a tree of the native syntax of a body in JSON syntax, so that everything that follows need not know of two
// syntaxes: the schema tells attributes from blocks, and strings are templates. Of a dynamic block, target is the schema of
// its content. What the schema does not know is kept for the diagnostics about it.
func (s *structure) native(known *schema.Block, body hcl.Body, target *schema.Block) *hclsyntax.Body {
	content, rest, hclDiags := body.PartialContent(schemaOf(known))
	s.diags = append(s.diags, syntax.FromJSON(hclDiags)...)
	out := &hclsyntax.Body{Attributes: hclsyntax.Attributes{}, SrcRange: body.MissingItemRange(), EndRange: body.MissingItemRange()}
	for name, a := range content.Attributes {
		s.nativeAttribute(out, known.Attribute(name), a)
	}
	for _, b := range content.Blocks {
		inner, content := known.Block(b.Type), target
		if inner == schema.Dynamic() && len(b.Labels) > 0 {
			content = known.Block(b.Labels[0])
		}
		if known == schema.Dynamic() && target != nil {
			inner, content = target, nil
		}
		out.Blocks = append(out.Blocks, &hclsyntax.Block{
			Type: b.Type, Labels: b.Labels, Body: s.native(inner, b.Body, content),
			TypeRange: b.TypeRange, LabelRanges: b.LabelRanges, OpenBraceRange: b.DefRange, CloseBraceRange: b.DefRange,
		})
	}
	s.nativeRest(out, known, rest)
	return out
}

// schemaOf is the schema of a block in the terms of the JSON reader.
func schemaOf(known *schema.Block) *hcl.BodySchema {
	out := &hcl.BodySchema{}
	for _, name := range known.AttributeNames() {
		out.Attributes = append(out.Attributes, hcl.AttributeSchema{Name: name})
	}
	for _, blockType := range known.BlockTypes() {
		header := hcl.BlockHeaderSchema{Type: blockType}
		if inner := known.Block(blockType); inner.Label != nil {
			header.LabelNames = []string{inner.Label.Name}
		}
		out.Blocks = append(out.Blocks, header)
	}
	return out
}

// nativeRest takes over what the schema does not know: attributes with names of the user's choice, and slips of the pen. An
// object is taken for a block.
func (s *structure) nativeRest(out *hclsyntax.Body, known *schema.Block, rest hcl.Body) {
	attrs, hclDiags := rest.JustAttributes()
	s.diags = append(s.diags, syntax.FromJSON(hclDiags)...)
	for _, a := range slices.SortedFunc(maps.Values(attrs), func(a, b *hcl.Attribute) int {
		return cmp.Compare(a.NameRange.Start.Byte, b.NameRange.Start.Byte)
	}) {
		if _, hclDiags := hcl.ExprMap(a.Expr); !hclDiags.HasErrors() && !known.Free && known.Attribute(a.Name) == nil {
			out.Blocks = append(out.Blocks, &hclsyntax.Block{Type: a.Name, TypeRange: a.NameRange, OpenBraceRange: a.NameRange, Body: &hclsyntax.Body{SrcRange: a.Range, EndRange: a.Range}})
			continue
		}
		s.nativeAttribute(out, nil, a)
	}
}

func (s *structure) nativeAttribute(out *hclsyntax.Body, known *schema.Attribute, a *hcl.Attribute) {
	expr := s.nativeExpression(known, a.Expr)
	if expr == nil {
		// Its fault has been reported; a missing attribute would be another.
		expr = &hclsyntax.LiteralValueExpr{Val: eval.InvalidValue(), SrcRange: a.Expr.Range()}
	}
	out.Attributes[a.Name] = &hclsyntax.Attribute{Name: a.Name, Expr: expr, SrcRange: a.Range, NameRange: a.NameRange, EqualsRange: a.NameRange}
}

// nativeExpression is the expression that a value in JSON stands for; nil when it has a fault, which is reported.
func (s *structure) nativeExpression(known *schema.Attribute, e hcl.Expression) hclsyntax.Expression {
	r := e.Range()
	if list, hclDiags := hcl.ExprList(e); !hclDiags.HasErrors() {
		out := &hclsyntax.TupleConsExpr{SrcRange: r, OpenRange: e.StartRange()}
		for _, element := range list {
			out.Exprs = append(out.Exprs, s.orInvalid(s.nativeExpression(known, element), element.Range()))
		}
		return out
	}
	if pairs, hclDiags := hcl.ExprMap(e); !hclDiags.HasErrors() {
		out := &hclsyntax.ObjectConsExpr{SrcRange: r, OpenRange: e.StartRange()}
		for _, pair := range pairs {
			out.Items = append(out.Items, hclsyntax.ObjectConsItem{
				KeyExpr:   &hclsyntax.ObjectConsKeyExpr{Wrapped: s.orInvalid(s.nativeExpression(nil, pair.Key), pair.Key.Range()), ForceNonLiteral: true},
				ValueExpr: s.orInvalid(s.nativeExpression(known, pair.Value), pair.Value.Range()),
			})
		}
		return out
	}
	v, hclDiags := e.Value(nil)
	s.diags = append(s.diags, syntax.FromJSON(hclDiags)...)
	if hclDiags.HasErrors() {
		return nil
	}
	if v.IsNull() || v.Type() != cty.String {
		return &hclsyntax.LiteralValueExpr{Val: v, SrcRange: r}
	}
	return s.nativeString(known, v.AsString(), r)
}

// nativeString reads a string: a template, or where the language has bare words, these.
func (s *structure) nativeString(known *schema.Attribute, text string, r hcl.Range) hclsyntax.Expression {
	start := r.Start
	start.Byte++
	start.Column++
	parse := syntax.ParseTemplateAt
	if known != nil && (isWord(known) || refersTo(known, text)) {
		parse = syntax.ParseExpressionAt
	}
	expr, ds := parse(r.Filename, []byte(text), start)
	if len(ds) > 0 {
		s.diags = append(s.diags, ds.At(r)...)
		return nil
	}
	if extra := escapes(r.SliceBytes(s.source)); extra != nil {
		relocate(expr, start.Byte, extra)
	}
	return expr
}

// isWord reports whether an attribute takes words that are no values.
func isWord(a *schema.Attribute) bool {
	return a.Type == schema.TypeConstraint || a.Type == schema.Address || a.Name == "iterator"
}

// refersTo reports whether a string is the address of a block, where an attribute takes references: as in JSON of other tools
// it need not stand in ${...}.
func refersTo(a *schema.Attribute, text string) bool {
	if a.Refers == "" {
		return false
	}
	t, hclDiags := hclsyntax.ParseTraversalAbs([]byte(text), "", hcl.InitialPos)
	return !hclDiags.HasErrors() && len(t) > 1 && slices.Contains(addr.Kinds(), addr.Kind(t.RootName()))
}

func (s *structure) orInvalid(e hclsyntax.Expression, r hcl.Range) hclsyntax.Expression {
	if e == nil {
		return &hclsyntax.LiteralValueExpr{Val: eval.InvalidValue(), SrcRange: r}
	}
	return e
}
