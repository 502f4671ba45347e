package config

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/schema"
)

// fields reads the attributes of one block as the schema describes them. Each reader returns false when there is no
// value: the attribute is left out, null or at fault; a fault has been reported.
type fields struct {
	*loader
	b *block
}

func (l *loader) fields(b *block) fields {
	e := &l.cfg.evaluation
	e.written = append(e.written, written{b, l.scope, l.site.module})
	return fields{l, b}
}

// report reports what is wrong with the block, with the values that it uses where it is wrong.
func (f fields) report(d diag.Diagnostic) {
	if d.Expression == nil && d.Subject != nil {
		if a := f.b.attributeAt(*d.Subject); a != nil {
			(&written{block: f.b, scope: f.scope}).explain(&d, a)
		}
	}
	f.loader.report(d)
}

// value returns the attribute's value without marks, or its default. The range is the expression's.
func (f fields) value(name string) (cty.Value, hcl.Range, bool) {
	a := f.b.attrs[name]
	known := f.b.schema.Attribute(name)
	if a == nil {
		return f.defaultValue(known)
	}
	if a.broken {
		return cty.NilVal, hcl.Range{}, false
	}
	r := a.expr.Range()
	v, ds := f.scope.Evaluate(a.expr, a.refs, f.b.extra)
	f.diags = append(f.diags, ds...)
	if eval.IsInvalid(v) {
		return cty.NilVal, r, false
	}
	if !v.IsWhollyKnown() {
		f.report(untilPlanned(name, v).At(r))
		return cty.NilVal, r, false
	}
	if eval.IsSensitive(v) {
		f.noteSecret(name, r)
	}
	v = eval.Plain(v)
	if !v.IsNull() {
		return v, r, true
	}
	if known.Required {
		f.report(diag.New(diag.NullValue, "%q is required and its value is null. Give it a value, as in %s = %s.", name, name, f.example(known)).At(r))
		return cty.NilVal, r, false
	}
	return f.defaultValue(known)
}

// noteSecret keeps messages from showing the value at r, and warns where the plan will.
func (f fields) noteSecret(name string, r hcl.Range) {
	if slices.Contains(f.secret, r) {
		return
	}
	f.secret = append(f.secret, r)
	switch f.b.schema.Type {
	case "device", "image2d", "capability", "pool", "scope_rule", "match", "graph", "place", "planner":
		f.report(diag.New(diag.SensitiveIsPlanned, "%q depends on a sensitive variable, and the plan, the lock and listings show what is planned with. Remove sensitive = true from the variable, or do not use it here.", name).At(r))
	}
}

// reportValue reports a fault whose detail shows the value at r, unless the value is to be hidden.
func (f fields) reportValue(d diag.Diagnostic, r hcl.Range) {
	for _, secret := range f.secret {
		if secret.Filename == r.Filename && secret.Start.Byte <= r.Start.Byte && r.End.Byte <= secret.End.Byte {
			d.Detail, d.Fixes = "The value depends on a sensitive variable and is not shown. Correct the value of the variable.", nil
		}
	}
	f.report(d.At(r))
}

func untilPlanned(name string, v cty.Value) diag.Diagnostic {
	source := eval.PlannedSource(v)
	if source == "" {
		source = "a planned value"
	}
	return diag.New(diag.UnknownUntilPlanned, "%q is needed to make the plan and depends on %s, which is known only once the plan is made. Use a value that is known before, or move the expression to a check or an output.", name, source)
}

// defaultValue evaluates the schema's default. Defaults are constants of this program, so a faulty one is its fault.
func (f fields) defaultValue(known *schema.Attribute) (cty.Value, hcl.Range, bool) {
	if known.Default == "" {
		return cty.NilVal, f.b.header, false
	}
	if v, ok := f.defaults[known]; ok {
		return v, f.b.header, true
	}
	expr, hclDiags := hclsyntax.ParseExpression([]byte(known.Default), "default", hcl.InitialPos)
	if hclDiags.HasErrors() {
		panic("schema: default of " + known.Name + ": " + hclDiags.Error())
	}
	v, hclDiags := expr.Value(nil)
	if hclDiags.HasErrors() {
		panic("schema: default of " + known.Name + ": " + hclDiags.Error())
	}
	f.defaults[known] = v
	return v, f.b.header, true
}

// has reports whether the attribute has a value of its own.
func (f fields) has(name string) bool { return f.b.attrs[name] != nil }

func (f fields) wrongType(name, want string, v cty.Value, r hcl.Range) {
	f.report(diag.New(diag.WrongType, "%q takes %s, not %s. Write it as in %s = %s.", name, want, typeName(v), name, f.example(f.b.schema.Attribute(name))).At(r))
}

func typeName(v cty.Value) string {
	switch t := v.Type(); {
	case v.IsNull():
		return "null"
	case t.IsTupleType():
		return "a list"
	case t.IsObjectType():
		return "an object"
	case t.IsPrimitiveType():
		return "a " + t.FriendlyName()
	default:
		return t.FriendlyName()
	}
}

// text reads a string and checks it against the enumeration.
func (f fields) text(name string) (string, bool) {
	v, r, ok := f.value(name)
	if !ok {
		return "", false
	}
	if v.Type() != cty.String {
		f.wrongType(name, "a string", v, r)
		return "", false
	}
	return v.AsString(), f.checkChoice(name, v.AsString(), r)
}

func (f fields) checkChoice(name, given string, r hcl.Range) bool {
	names := f.b.schema.Attribute(name).ValueNames()
	if names == nil || slices.Contains(names, given) {
		return true
	}
	next := diag.DidYouMean(given, names)
	if len(names) == 1 {
		next = next.Or(fmt.Sprintf(" Write %q.", names[0]))
	}
	next = next.Or(" Write one of them.")
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = fmt.Sprintf("%q", n)
	}
	f.reportValue(diag.New(diag.InvalidChoice, "%q takes %s, not %q.%s", name, diag.Enumerate(quoted, "or"), given, next), r)
	return false
}

func (f fields) boolean(name string) bool {
	v, r, ok := f.value(name)
	if !ok {
		return false
	}
	converted, err := convert.Convert(v, cty.Bool)
	if err != nil {
		f.wrongType(name, "true or false", v, r)
		return false
	}
	return converted.True()
}
