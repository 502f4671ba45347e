package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/schema"
)

// inspect finds the references and the static faults of every expression in a block. The objects are further names that
// its expressions see.
func (l *loader) inspect(b *block, objects []*schema.Object) {
	inside := slices.Clip(objects)
	switch repetition(b) {
	case eval.Keyed:
		inside = append(inside, schema.Each())
	case eval.Counted:
		inside = append(inside, schema.Count())
	}
	for _, a := range b.lacks {
		l.report(missingAttribute(b.schema, a, l.example(a)).At(b.header))
	}
	for _, a := range b.order {
		switch a.name {
		case "for_each", "count":
			l.inspectAttribute(a, objects)
		case "labels":
			l.inspectAttribute(a, b.seen(inside))
		default:
			l.inspectAttribute(a, inside)
		}
	}
	for _, inner := range b.blocks {
		seen := b.seen(inside)
		if inner.schema.Type == "postcondition" {
			seen = append(slices.Clip(seen), selfObject(b))
		}
		l.inspect(inner, seen)
	}
}

// seen adds the element of a dynamic block to the names that its content sees.
func (b *block) seen(objects []*schema.Object) []*schema.Object {
	if b.iterator == "" {
		return objects
	}
	return append(slices.Clip(objects), schema.Iterator(b.iterator))
}

func (l *loader) inspectAttribute(a *attribute, objects []*schema.Object) {
	known := a.schema
	if known != nil && (known.Type == schema.TypeConstraint || known.Type == schema.Address) {
		// The words of a type are not references, and an address may be that of something that is gone.
		return
	}
	if d, ok := l.bareName(a); ok {
		a.broken = true
		l.report(d)
		return
	}
	if known != nil && known.Phase == schema.DuringPlanning {
		objects = slices.Concat(schema.ConditionObjects(), objects)
	}
	refs, ds := l.inspector.Inspect(a.expr, objects)
	a.refs = refs
	ds = append(ds, l.deprecatedOutputs(refs)...)
	if known != nil && known.Phase == schema.Constant && len(refs) > 0 {
		ds = append(ds, diag.New(diag.InvalidReference, "%q is a constant and cannot refer to %s. Write the value itself.", a.name, refs[0].Address).At(refs[0].Whole))
	}
	if ref, ok := misdirected(a); ok {
		a.refs = nil // it is no reason to look for a circle
		ds = append(ds, l.wrongKind(a.schema, ref.Address).At(ref.Whole))
	}
	a.broken = ds.HasErrors()
	l.diags = append(l.diags, ds...)
}

// misdirected finds the reference to a block of another kind that is the whole value of an attribute.
func misdirected(a *attribute) (addr.Reference, bool) {
	if a.schema == nil || a.schema.Type != schema.Reference || len(a.refs) != 1 {
		return addr.Reference{}, false
	}
	ref := a.refs[0]
	switch ref.Address.Kind {
	case a.schema.Refers:
	case addr.Device, addr.Pool, addr.Graph, addr.ScopeRule:
		return ref, len(ref.Rest) == 0 && ref.Whole == a.expr.Range()
	}
	return addr.Reference{}, false
}

// wrongKind reports a reference to something of another kind than an attribute takes.
func (l *loader) wrongKind(known *schema.Attribute, target addr.Address) diag.Diagnostic {
	return diag.New(diag.WrongReferenceKind, "%q takes a reference to a %s, and %s is a %s. Write it as in %s = %s.", known.Name, known.Refers, target, target.Kind, known.Name, l.example(known))
}

// bareName finds a name without its kind where a reference is needed, as in device = gpu.
func (l *loader) bareName(a *attribute) (diag.Diagnostic, bool) {
	if a.schema == nil || a.schema.Refers == "" {
		return diag.Diagnostic{}, false
	}
	t, ok := a.expr.(*hclsyntax.ScopeTraversalExpr)
	if !ok || len(t.Traversal) != 1 || !l.isDeclared(addr.Address{Kind: a.schema.Refers, Name: t.Traversal.RootName()}) {
		return diag.Diagnostic{}, false
	}
	name := t.Traversal.RootName()
	meant := string(a.schema.Refers) + "." + name
	return diag.New(diag.InvalidReference, "%q alone is not a reference. Write %s.", name, meant).With(diag.Replace{With: meant}).At(t.Range()), true
}
