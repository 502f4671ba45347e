package config

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
)

// element is one element of a list with its range.
type element struct {
	value cty.Value
	at    hcl.Range
}

// elements takes a list, set or tuple apart. A single value counts as a list of one. Elements of a literal list have
// their own ranges, others the list's.
func elements(v cty.Value, expr hclsyntax.Expression, r hcl.Range) []element {
	if t := v.Type(); !t.IsListType() && !t.IsTupleType() && !t.IsSetType() {
		return []element{{v, r}}
	}
	var literal []hclsyntax.Expression
	if tuple, ok := expr.(*hclsyntax.TupleConsExpr); ok && len(tuple.Exprs) == v.LengthInt() {
		literal = tuple.Exprs
	}
	var found []element
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		at := r
		if literal != nil {
			at = literal[len(found)].Range()
		}
		found = append(found, element{e, at})
	}
	return found
}

// texts reads a list of strings, or one string, and checks each against the enumeration. A list that was given is not
// nil, even when it is empty.
func (f fields) texts(name string) ([]string, []hcl.Range, bool) {
	return f.spelled(name, func(text string) string { return text })
}

// spelled reads like texts and brings each string to its canonical spelling before it is checked.
func (f fields) spelled(name string, canonical func(string) string) ([]string, []hcl.Range, bool) {
	v, r, ok := f.value(name)
	if !ok {
		return nil, nil, false
	}
	var expr hclsyntax.Expression
	if a := f.b.attrs[name]; a != nil {
		expr = a.expr
	}
	list := []string{}
	var ranges []hcl.Range
	for _, e := range elements(v, expr, r) {
		if e.value.IsNull() || e.value.Type() != cty.String {
			f.wrongType(name, "a list of strings", e.value, e.at)
			ok = false
			continue
		}
		text := canonical(e.value.AsString())
		if !f.checkChoice(name, text, e.at) {
			ok = false
			continue
		}
		list = append(list, text)
		ranges = append(ranges, e.at)
	}
	return list, ranges, ok
}

// someTexts reads a list of strings that may not be empty when it is given.
func (f fields) someTexts(name string) ([]string, []hcl.Range, bool) {
	list, ranges, ok := f.texts(name)
	if ok && len(list) == 0 {
		f.report(diag.New(diag.EmptyList, "%q is an empty list. Leave it out, or list something, as in %s = %s.", name, name, f.example(f.b.schema.Attribute(name))).At(f.b.attrs[name].expr.Range()))
		return nil, nil, false
	}
	return list, ranges, ok
}

// reference reads a reference to a block of the kind that the schema names.
func (f fields) reference(name string) (addr.Address, bool) {
	a := f.b.attrs[name]
	if a == nil || a.broken {
		return addr.Address{}, false
	}
	return f.resolve(name, a.expr, a.refs)
}

// references reads a list of references, or one. Elements of a literal list are resolved one by one, so that each
// fault has its own range.
func (f fields) references(name string) ([]addr.Address, []hcl.Range, bool) {
	a := f.b.attrs[name]
	if a == nil || a.broken {
		return nil, nil, false
	}
	if tuple, ok := a.expr.(*hclsyntax.TupleConsExpr); ok {
		all := true
		found := []addr.Address{}
		var ranges []hcl.Range
		for _, e := range tuple.Exprs {
			target, ok := f.resolve(name, e, within(a.refs, e.Range()))
			all = all && ok
			if ok {
				found = append(found, target)
				ranges = append(ranges, e.Range())
			}
		}
		return found, ranges, all
	}
	r := a.expr.Range()
	v, ds := f.scope.Evaluate(a.expr, a.refs, f.b.extra)
	f.diags = append(f.diags, ds...)
	if eval.IsInvalid(v) {
		return nil, nil, false
	}
	v = eval.Plain(v)
	if v.IsNull() {
		return nil, nil, false
	}
	if !v.IsKnown() {
		f.report(untilPlanned(name, v).At(r))
		return nil, nil, false
	}
	ok := true
	found := []addr.Address{}
	var ranges []hcl.Range
	for _, e := range elements(v, nil, r) {
		target, good := f.identify(name, e.value, r)
		ok = ok && good
		if good {
			found = append(found, target)
			ranges = append(ranges, r)
		}
	}
	return found, ranges, ok
}

// within lists the references inside a range.
func within(refs []addr.Reference, r hcl.Range) []addr.Reference {
	var found []addr.Reference
	for _, ref := range refs {
		if ref.Range.Start.Byte >= r.Start.Byte && ref.Range.End.Byte <= r.End.Byte {
			found = append(found, ref)
		}
	}
	return found
}

// resolve finds the full address of the block that an expression refers to: at once when it is a plain reference, else by its value.
func (f fields) resolve(name string, expr hclsyntax.Expression, refs []addr.Reference) (addr.Address, bool) {
	plain := len(refs) == 1 && len(refs[0].Rest) == 0 && refs[0].Whole == expr.Range() && f.how(refs[0].Address) == eval.Once
	if plain && refs[0].Address.Kind == f.b.schema.Attribute(name).Refers {
		target := refs[0].Address
		target.Module = f.site.module
		return target, true
	}
	v, ds := f.scope.Evaluate(expr, refs, f.b.extra)
	f.diags = append(f.diags, ds...)
	if eval.IsInvalid(v) {
		return addr.Address{}, false
	}
	return f.identify(name, v, expr.Range())
}

// identify finds the block that a value stands for.
func (f fields) identify(name string, v cty.Value, r hcl.Range) (addr.Address, bool) {
	known := f.b.schema.Attribute(name)
	v = eval.Plain(v)
	if target, ok := identity(v); ok {
		if target.Kind == known.Refers {
			return target, true
		}
		f.report(f.wrongKind(known, target).At(r))
		return addr.Address{}, false
	}
	if group, ok := f.groupOf(v); ok {
		f.report(diag.New(diag.InvalidInstanceKey, "%q takes one %s, and this is all instances of %s. Write it as in %s%s.", name, known.Refers, group, group, f.someKey(group)).At(r))
		return addr.Address{}, false
	}
	next := diag.Hint{Text: fmt.Sprintf(" Write it as in %s = %s.", name, f.example(known))}
	if v.IsKnown() && !v.IsNull() && v.Type() == cty.String {
		meant := addr.Address{Kind: known.Refers, Name: strings.TrimPrefix(v.AsString(), string(known.Refers)+".")}
		if f.isDeclared(meant) {
			next = diag.Hint{Text: fmt.Sprintf(" Write %s, without quotes.", meant), Fix: diag.Replace{With: meant.String()}}
		}
	}
	f.report(diag.New(diag.WrongReferenceKind, "%q takes a reference to a %s, not %s.%s", name, known.Refers, typeName(v), next).At(r))
	return addr.Address{}, false
}

// groupOf returns the address of the block whose instances the value holds together.
func (f fields) groupOf(v cty.Value) (addr.Address, bool) {
	if v.IsNull() || !v.IsKnown() || !v.Type().IsObjectType() && !v.Type().IsTupleType() || v.LengthInt() == 0 {
		return addr.Address{}, false
	}
	it := v.ElementIterator()
	it.Next()
	_, first := it.Element()
	a, ok := identity(first)
	return local(a.Base()), ok && a.Key != "" && f.how(local(a.Base())) != eval.Once
}

// someKey shows how an instance of a block is referred to.
func (l *loader) someKey(a addr.Address) string {
	if l.how(a) == eval.Counted {
		return "[0]"
	}
	return "[\"KEY\"]"
}

// identity returns the address of the block whose object v is.
func identity(v cty.Value) (addr.Address, bool) {
	if v.IsNull() || !v.IsKnown() || !v.Type().IsObjectType() || !v.Type().HasAttribute("address") {
		return addr.Address{}, false
	}
	text := v.GetAttr("address")
	if text.Type() != cty.String || text.IsNull() || !text.IsKnown() {
		return addr.Address{}, false
	}
	return addr.ParseString(text.AsString())
}
