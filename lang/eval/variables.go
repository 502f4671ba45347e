package eval

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/syntax"
)

// Variable is a declared variable.
type Variable struct {
	Name string
	// Type is the type constraint, cty.DynamicPseudoType when none was given; Typed says whether one was.
	Type     cty.Type
	Typed    bool
	Defaults *typeexpr.Defaults
	// Default is cty.NilVal when a value is required.
	Default             cty.Value
	Nullable, Sensitive bool
	Description         string
	// Deprecated says what takes the variable's place, "" when it is current.
	Deprecated string
	// Range is that of the name.
	Range hcl.Range
}

// given is a value for a variable and where it came from.
type given struct {
	value cty.Value
	// raw is the text of the command line or the environment, which is read as the variable's type wants it.
	raw    string
	isRaw  bool
	source string
	at     *hcl.Range
}

// Resolve finds the value of every declared variable. Of several values the one of the highest precedence counts:
// the environment, then the variables files in their order, then the command line in its order. The result has a value
// for every variable; one that could not be had is [InvalidValue]. Sensitive values are marked.
func Resolve(declared []Variable, files []*syntax.File, sources VariableSources, r syntax.Reader) (map[string]cty.Value, diag.Diagnostics) {
	c := newCollector(declared)
	c.environment(sources.Environment)
	for _, file := range files {
		c.file(file)
	}
	c.arguments(sources.Arguments, r)
	c.missing = func(v *Variable) diag.Diagnostic {
		return diag.New(diag.MissingVariable, "The variable %q has no default and no value was given. Set it with -var %s=VALUE or in %s.", v.Name, v.Name, syntax.VariablesFile).At(v.Range)
	}
	return c.resolveAll(declared), c.diags
}

func newCollector(declared []Variable) *collector {
	c := &collector{declared: make(map[string]*Variable, len(declared)), values: map[string]given{}}
	for i := range declared {
		c.declared[declared[i].Name] = &declared[i]
	}
	c.names = slices.Sorted(maps.Keys(c.declared))
	return c
}

func (c *collector) resolveAll(declared []Variable) map[string]cty.Value {
	values := make(map[string]cty.Value, len(declared))
	for i := range declared {
		values[declared[i].Name] = c.resolve(&declared[i])
	}
	return values
}

func (c *collector) resolve(v *Variable) cty.Value {
	g, ok := c.values[v.Name]
	if !ok {
		if v.Default == cty.NilVal {
			c.report(c.missing(v))
			return InvalidValue()
		}
		return v.mark(v.Default)
	}
	if g.value != cty.NilVal && IsInvalid(g.value) && !g.value.IsKnown() {
		return InvalidValue()
	}
	if v.Deprecated != "" {
		c.report(g.deprecated(v))
	}
	value, ok := c.convert(v, g)
	if !ok {
		return InvalidValue()
	}
	if value.IsNull() && !v.Nullable {
		if v.Default == cty.NilVal {
			c.report(g.fault(v, "null was given, and the variable is not nullable. Give it a value."))
			return InvalidValue()
		}
		value = v.Default
	}
	return v.mark(value)
}

func (v *Variable) mark(value cty.Value) cty.Value {
	if v.Sensitive {
		return value.Mark(Sensitive)
	}
	return value
}

// Convert brings a value to the variable's type, with the defaults of optional attributes filled in.
func (v *Variable) Convert(value cty.Value) (cty.Value, error) {
	if v.Defaults != nil && !value.IsNull() {
		value = v.Defaults.Apply(value)
	}
	if v.Type.IsListType() || v.Type.IsSetType() {
		value = listed(value)
	}
	converted, err := convert.Convert(value, v.Type)
	return converted, v.located(err)
}

// listed is a tuple of nothing but strings, of nothing but numbers or of nothing but bools as the list of them, and every other
// value as it is. The conversion of a tuple compares the types of any two of its elements, which takes minutes for long ones.
func listed(value cty.Value) cty.Value {
	if value.IsMarked() || value.IsNull() || !value.IsKnown() || !value.Type().IsTupleType() {
		return value
	}
	types := value.Type().TupleElementTypes()
	if len(types) == 0 || !types[0].IsPrimitiveType() || slices.ContainsFunc(types, func(t cty.Type) bool { return t != types[0] }) {
		return value
	}
	return cty.ListVal(value.AsValueSlice())
}

// located says in an error of a conversion which part of the value it is about, as in `.shape[0]: a number is required`. Keys of
// sensitive values are left out.
func (v *Variable) located(err error) error {
	var fault cty.PathError
	if !errors.As(err, &fault) || len(fault.Path) == 0 {
		return err
	}
	var path strings.Builder
	for _, step := range fault.Path {
		switch step := step.(type) {
		case cty.GetAttrStep:
			path.WriteString("." + step.Name)
		case cty.IndexStep:
			key := addr.KeyOf(step.Key)
			if v.Sensitive && step.Key.Type() == cty.String {
				key = "[...]"
			}
			path.WriteString(key)
		}
	}
	return fmt.Errorf("%s: %w", path.String(), err)
}

// convert reads a text as the variable's type wants it: verbatim for a string or no type at all, as a number or bool
// for those, and as an expression for the rest.
func (c *collector) convert(v *Variable, g given) (cty.Value, bool) {
	value := g.value
	if g.isRaw {
		value = cty.StringVal(g.raw)
		if v.Typed && !v.Type.IsPrimitiveType() && v.Type != cty.DynamicPseudoType {
			expr, ds := syntax.ParseExpression("value of "+v.Name, []byte(g.raw))
			if ds.HasErrors() {
				c.report(g.fault(v, ds[0].Detail))
				return cty.NilVal, false
			}
			parsed, hclDiags := expr.Value(nil)
			if hclDiags.HasErrors() {
				c.report(g.fault(v, hclDiags[0].Detail))
				return cty.NilVal, false
			}
			value = parsed
		}
	}
	if err := magnitude(value); err != nil {
		c.report(g.fault(v, "It is too large: "+diag.Sentence(err)))
		return cty.NilVal, false
	}
	converted, err := v.Convert(value)
	if err != nil {
		c.report(g.fault(v, "A value of type "+typeexpr.TypeString(v.Type)+" is needed: "+diag.Sentence(err)))
		return cty.NilVal, false
	}
	return converted, true
}

// deprecated warns of a value for a variable that will go.
func (g given) deprecated(v *Variable) diag.Diagnostic {
	d := diag.New(diag.DeprecatedInput, "The variable %q, which gets a value from %s, is deprecated: %s", v.Name, g.source, v.Deprecated)
	if g.at == nil {
		return d.At(v.Range)
	}
	d = d.At(*g.at)
	d.Related = []diag.Related{{Message: "the variable is declared here", Range: v.Range}}
	return d
}

// fault is the diagnostic for a value that does not suit its variable. The value itself is not shown: it may be secret.
func (g given) fault(v *Variable, detail string) diag.Diagnostic {
	d := diag.New(diag.InvalidVariableValue, "The value of %q from %s cannot be used. %s", v.Name, g.source, detail)
	if g.at != nil {
		d = d.At(*g.at)
		d.Related = []diag.Related{{Message: "the variable is declared here", Range: v.Range}}
		return d
	}
	return d.At(v.Range)
}
