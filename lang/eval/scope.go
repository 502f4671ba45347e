package eval

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
)

// Scope holds the values that expressions see.
type Scope struct {
	// Otherwise, when it is not nil, returns the value of an address that has been given none, or [InvalidValue]. It is asked each
	// time.
	Otherwise func(addr.Address) cty.Value

	values map[addr.Address]cty.Value
	// deferred holds what gives a value to an address that has none yet.
	deferred  map[addr.Address]func() cty.Value
	functions map[string]function.Function
	// plain is the context of expressions that refer to nothing.
	plain *hcl.EvalContext
}

// NewScope returns a scope without values.
func NewScope(functions map[string]function.Function) *Scope {
	return &Scope{
		values:    map[addr.Address]cty.Value{},
		deferred:  map[addr.Address]func() cty.Value{},
		functions: functions,
		plain:     &hcl.EvalContext{Functions: functions},
	}
}

// Set gives an address its value.
func (s *Scope) Set(a addr.Address, v cty.Value) { s.values[a] = v }

// Defer gives an address a value that is made when it is first asked for: most blocks are never referred to.
func (s *Scope) Defer(a addr.Address, value func() cty.Value) { s.deferred[a] = value }

// Value returns the value of an address; an address without one gives [InvalidValue].
func (s *Scope) Value(a addr.Address) cty.Value {
	if v, ok := s.values[a]; ok {
		return v
	}
	if value, ok := s.deferred[a]; ok {
		s.values[a] = value()
		return s.values[a]
	}
	if s.Otherwise != nil {
		return s.Otherwise(a)
	}
	return InvalidValue()
}

// Context returns a context that holds just what the references need, and the extra names. It costs O(references).
func (s *Scope) Context(refs []addr.Reference, extra map[string]cty.Value) *hcl.EvalContext {
	if len(refs) == 0 && len(extra) == 0 {
		return s.plain
	}
	kinds := map[addr.Kind]map[string]cty.Value{}
	for _, ref := range refs {
		kind := ref.Address.Kind
		if kinds[kind] == nil {
			kinds[kind] = map[string]cty.Value{}
		}
		kinds[kind][ref.Address.Name] = s.Value(ref.Address)
	}
	return &hcl.EvalContext{Variables: variables(kinds, extra), Functions: s.functions}
}

// All returns a context that holds every value of the scope, for a console. Marks are removed, so that unknown values
// are just that; sensitive values keep theirs.
func (s *Scope) All() *hcl.EvalContext {
	for a := range s.deferred {
		s.Value(a)
	}
	kinds := map[addr.Kind]map[string]cty.Value{}
	for a, v := range s.values {
		if a.Key != "" {
			continue // it is in the value of its block
		}
		if kinds[a.Kind] == nil {
			kinds[a.Kind] = map[string]cty.Value{}
		}
		if sensitive := IsSensitive(v); sensitive {
			kinds[a.Kind][a.Name] = Plain(v).Mark(Sensitive)
		} else {
			kinds[a.Kind][a.Name] = Plain(v)
		}
	}
	return &hcl.EvalContext{Variables: variables(kinds, nil), Functions: s.functions}
}

func variables(kinds map[addr.Kind]map[string]cty.Value, extra map[string]cty.Value) map[string]cty.Value {
	vars := make(map[string]cty.Value, len(kinds)+len(extra)+1)
	for kind, values := range kinds {
		vars[string(kind)] = cty.ObjectVal(values)
	}
	vars[string(addr.Path)] = cty.ObjectVal(map[string]cty.Value{"module": cty.StringVal(".")})
	for name, v := range extra {
		vars[name] = v
	}
	return vars
}

// Evaluate evaluates an expression whose references have been inspected. With errors the value is [InvalidValue].
func (s *Scope) Evaluate(expr hcl.Expression, refs []addr.Reference, extra map[string]cty.Value) (cty.Value, diag.Diagnostics) {
	ctx := s.Context(refs, extra)
	v, hclDiags := expr.Value(ctx)
	if ds := FromHCL(hclDiags, expr.Range()); ds.HasErrors() {
		return InvalidValue(), s.missingInstances(refs, ds)
	}
	if ds := checkMagnitude(v, expr.Range()); len(ds) > 0 {
		return InvalidValue(), ds
	}
	return v, nil
}

// missingInstances explains the faults of an expression that refers to an instance which is not there: its range is within
// the reference.
func (s *Scope) missingInstances(refs []addr.Reference, ds diag.Diagnostics) diag.Diagnostics {
	for _, ref := range refs {
		if ref.Instance == "" {
			continue
		}
		keys := Instances(s.Value(ref.Address))
		if keys == nil || slices.Contains(keys, ref.Instance) {
			continue
		}
		for i := range ds {
			if at := ds[i].Subject; at != nil && at.Start.Byte >= ref.Whole.Start.Byte && at.End.Byte <= ref.Whole.End.Byte {
				ds[i] = missingInstance(ref, keys).At(ref.Whole)
			}
		}
	}
	return ds
}

func missingInstance(ref addr.Reference, keys []string) diag.Diagnostic {
	next := " It has none at all."
	switch {
	case len(keys) == 1:
		next = fmt.Sprintf(" There is %s.", keys[0])
	case len(keys) > 1:
		next = fmt.Sprintf(" There are %s.", diag.Enumerate(keys[:min(len(keys), 10)], "and"))
	}
	return diag.New(diag.MissingInstance, "%s has no instance %s.%s", ref.Address, ref.Instance, next)
}

// FromHCL translates what evaluation found. Findings without a range get r.
func FromHCL(hclDiags hcl.Diagnostics, r hcl.Range) diag.Diagnostics {
	var ds diag.Diagnostics
	for _, d := range hclDiags {
		if d.Severity != hcl.DiagError {
			continue
		}
		found := diag.New(diag.InvalidExpression, "%s", inWords(d))
		if next := named(d); next.Fix != nil {
			found = found.With(next.Fix)
		}
		found.Subject, found.Context = d.Subject, d.Context
		found.Expression, found.EvalContext = d.Expression, d.EvalContext
		ds = append(ds, found.At(r))
	}
	return ds
}

// The limits on an evaluated value: text in bytes, elements of collections at all depths, and the binary exponent of
// numbers, whose digits would otherwise fill memory when they are written out.
const (
	maxText     = 16 << 20
	maxElements = 100_000
	maxExponent = 1 << 14
)

// errInfinite is the fault of a number that is no number of anything.
var errInfinite = errors.New("the number is infinite")

func checkMagnitude(v cty.Value, r hcl.Range) diag.Diagnostics {
	err := magnitude(v)
	if errors.Is(err, errInfinite) {
		return diag.Diagnostics{diag.New(diag.ValueTooLarge, "The result is infinite, as a division by zero is. Check what it is divided by.").At(r)}
	}
	if err != nil {
		return diag.Diagnostics{diag.New(diag.ValueTooLarge, "The result is beyond the limits: %s. Check for a text or list that is repeated within itself.", err).At(r)}
	}
	return nil
}

// magnitude returns an error for a value beyond the limits.
func magnitude(v cty.Value) error {
	if isSmall(v) {
		return nil
	}
	text, elements := 0, 0
	return cty.Walk(Plain(v), func(_ cty.Path, v cty.Value) (bool, error) {
		elements++
		if v.IsKnown() && !v.IsNull() && v.Type() == cty.String {
			text += len(v.AsString())
		}
		switch {
		case elements > maxElements:
			return false, fmt.Errorf("the value has more than %d elements", maxElements)
		case text > maxText:
			return false, fmt.Errorf("the value has more than %d bytes of text", maxText)
		}
		return true, checkExponent(v)
	})
}

// isSmall spares the walk for the plain numbers and short texts that most values are.
func isSmall(v cty.Value) bool {
	if v.IsMarked() || !v.IsKnown() || v.IsNull() {
		return false
	}
	switch v.Type() {
	case cty.Bool:
		return true
	case cty.String:
		return len(v.AsString()) <= maxText
	}
	return false
}

func checkExponent(v cty.Value) error {
	if !v.IsKnown() || v.IsNull() || v.Type() != cty.Number {
		return nil
	}
	number := v.AsBigFloat()
	if number.IsInf() {
		return errInfinite
	}
	if exponent := number.MantExp(new(big.Float)); exponent > maxExponent || exponent < -maxExponent {
		return fmt.Errorf("the number has more than %d binary digits before or after the point", maxExponent)
	}
	return nil
}
