package config

import (
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
)

// wholes reads a list of whole numbers, or one, within the schema's bounds. A list that is given may not be empty.
func (f fields) wholes(name string) []int64 {
	v, r, ok := f.value(name)
	if !ok {
		return nil
	}
	found := elements(v, f.b.attrs[name].expr, r)
	if len(found) == 0 {
		f.reportEmpty(name, r)
	}
	var list []int64
	for _, e := range found {
		number, err := convert.Convert(e.value, cty.Number)
		if err != nil || e.value.IsNull() {
			f.wrongType(name, "a list of whole numbers", e.value, e.at)
			continue
		}
		n, accuracy := number.AsBigFloat().Int64()
		if accuracy != big.Exact {
			f.report(diag.New(diag.NumberOutOfRange, "%q takes whole numbers. Write them as in %s = %s.", name, name, f.example(f.b.schema.Attribute(name))).At(e.at))
			continue
		}
		if f.checkBounds(name, n, e.at) {
			list = append(list, n)
		}
	}
	return list
}

func (f fields) reportEmpty(name string, r hcl.Range) {
	f.report(diag.New(diag.EmptyList, "%q is an empty list. Leave it out, or list something, as in %s = %s.", name, name, f.example(f.b.schema.Attribute(name))).At(r))
}

// selection reads references and globs for names, as a list or one alone. A reference becomes the name of what it refers
// to. A name without any wildcard that nothing has is an error, so that a slip of the pen does not match nothing; such names are added to the second list.
func (f fields) selection(name string, names []selected) ([]string, []selected) {
	a := f.b.attrs[name]
	if a == nil || a.broken {
		return nil, names
	}
	found, given := f.selectionElements(a)
	if given && len(found) == 0 {
		f.reportEmpty(name, a.expr.Range())
	}
	var list []string
	for _, e := range found {
		glob, ok := f.glob(name, e.value, e.at)
		if !ok {
			continue
		}
		list = append(list, glob)
		if !isBlock(e.value) && !strings.ContainsAny(glob, `*?[{\`) {
			names = append(names, selected{f.b.schema.Attribute(name).Refers, glob, e.at})
		}
	}
	return list, names
}

// selected is a name that something of the kind must have.
type selected struct {
	kind addr.Kind
	name string
	at   hcl.Range
}

// selectionElements evaluates a selection: element by element where they are written out, so that each fault has its own
// range. The second result is false when there is nothing to be had: null, or a fault that has been reported.
func (f fields) selectionElements(a *attribute) ([]element, bool) {
	r := a.expr.Range()
	if tuple, ok := a.expr.(*hclsyntax.TupleConsExpr); ok {
		var found []element
		for _, e := range tuple.Exprs {
			v, ds := f.scope.Evaluate(e, within(a.refs, e.Range()), f.b.extra)
			f.diags = append(f.diags, ds...)
			found = append(found, element{v, e.Range()})
		}
		return found, true
	}
	v, ds := f.scope.Evaluate(a.expr, a.refs, f.b.extra)
	f.diags = append(f.diags, ds...)
	plain := eval.Plain(v)
	switch {
	case isBlock(v):
		return []element{{v, r}}, true
	case eval.IsInvalid(v) || plain.IsNull():
		return nil, false
	case !plain.IsKnown():
		return []element{{v, r}}, true
	}
	return elements(plain, nil, r), true
}

// globs writes a name as a pattern that matches it alone: names of instances have brackets.
var globs = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`)

// isBlock reports whether a value is the object of a block.
func isBlock(v cty.Value) bool {
	_, ok := identity(eval.Plain(v))
	return ok
}

// glob is what one element of a selection stands for.
func (f fields) glob(name string, v cty.Value, r hcl.Range) (string, bool) {
	plain := eval.Plain(v)
	text := plain.IsKnown() && !plain.IsNull() && plain.Type() == cty.String
	switch {
	case eval.IsInvalid(v) && !isBlock(v):
		return "", false
	case !text && !plain.IsKnown():
		f.report(untilPlanned(name, v).At(r))
		return "", false
	case !text:
		target, ok := f.identify(name, v, r)
		return globs.Replace(target.FullName()), ok
	}
	return plain.AsString(), f.isGlob(plain.AsString(), r)
}

// checkSelected checks that the names that a rule selects are there.
func (l *loader) checkSelected(rule *ScopeRule) {
	for _, s := range rule.selected {
		names := l.session.names(s.kind)
		if _, found := slices.BinarySearchFunc(names, s.name, addr.CompareNames); found || l.session.incomplete {
			continue
		}
		next := diag.DidYouMean(s.name, names).Or(" Declare it, or write a glob such as \"*\".")
		l.report(diag.New(diag.UndeclaredReference, "There is no %s named %q.%s", s.kind, s.name, next).At(s.at))
	}
}
