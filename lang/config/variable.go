package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/schema"
)

// decodeVariables decodes the variable blocks, finds their values and enters them in the scope.
func (l *loader) decodeVariables(blocks []*block, resolve func([]eval.Variable) (map[string]cty.Value, diag.Diagnostics)) []*block {
	var declared []eval.Variable
	var variables []*block
	for _, b := range blocks {
		if b.schema.Kind == addr.Variable {
			declared = append(declared, decoded(l, b, l.decodeVariable))
			variables = append(variables, b)
		}
	}
	values, ds := resolve(declared)
	l.diags = append(l.diags, ds...)
	l.cfg.Declarations, l.cfg.evaluation.variables = declared, values
	for name, v := range values {
		l.set(l.name(addr.Address{Kind: addr.Variable, Name: name}), v)
		l.cfg.Variables[name] = eval.Plain(v)
	}
	return variables
}

// reservedVariable reports whether the name is that of an attribute which module blocks have themselves.
func reservedVariable(name string) bool { return schema.Root().Block("module").Attribute(name) != nil }

func (l *loader) decodeVariable(b *block) eval.Variable {
	if reservedVariable(b.label) {
		l.report(diag.New(diag.InvalidName, "%q is reserved: in a module block it is no value of a variable. Choose another name.", b.label).At(b.labelRange))
	}
	f := l.fields(b)
	v := eval.Variable{Name: b.label, Type: cty.DynamicPseudoType, Range: b.labelRange, Nullable: f.boolean("nullable"), Sensitive: f.boolean("sensitive")}
	v.Description, _ = f.text("description")
	v.Deprecated, _ = f.text("deprecated")
	if a := b.attrs["type"]; a != nil {
		t, defaults, hclDiags := typeexpr.TypeConstraintWithDefaults(a.expr)
		if hclDiags.HasErrors() {
			d := diag.New(diag.InvalidTypeConstraint, "%s Write a type such as %s.", hclDiags[0].Detail, schema.Root().Block("variable").Attribute("type").Example)
			if text, ok := quotedType(a.expr); ok {
				d = diag.New(diag.InvalidTypeConstraint, "The type %q stands in quotes. Write type = %s, without them.", text, text).With(diag.Replace{With: text})
			}
			if hclDiags[0].Subject != nil {
				d = d.At(*hclDiags[0].Subject)
			}
			l.report(d.At(a.expr.Range()))
			// Without its type no value is right or wrong, so that one mistake is reported once.
			v.Default = eval.InvalidValue()
			return v
		}
		v.Type, v.Defaults, v.Typed = t, defaults, true
	}
	return l.withDefault(v, b, f)
}

// quotedType is the type that a text in quotes names, as they were written in the first versions of Terraform.
func quotedType(expr hcl.Expression) (string, bool) {
	v, hclDiags := expr.Value(nil)
	if hclDiags.HasErrors() || v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return "", false
	}
	inner, hclDiags := hclsyntax.ParseExpression([]byte(v.AsString()), expr.Range().Filename, hcl.InitialPos)
	if hclDiags.HasErrors() {
		return "", false
	}
	_, _, hclDiags = typeexpr.TypeConstraintWithDefaults(inner)
	return v.AsString(), !hclDiags.HasErrors()
}

// withDefault reads the default and converts it to the variable's type.
func (l *loader) withDefault(v eval.Variable, b *block, f fields) eval.Variable {
	a := b.attrs["default"]
	if a == nil {
		return v
	}
	v.Default = eval.InvalidValue()
	if a.broken {
		return v
	}
	value, ds := l.scope.Evaluate(a.expr, nil, nil)
	l.diags = append(l.diags, ds...)
	if eval.IsInvalid(value) {
		return v
	}
	if value.IsNull() && !v.Nullable {
		l.report(diag.New(diag.InvalidDefault, "The default of %q is null, and the variable is not nullable. Leave the default out to require a value.", v.Name).At(a.expr.Range()))
		return v
	}
	converted, err := v.Convert(value)
	if err != nil {
		l.report(diag.New(diag.InvalidDefault, "The default of %q cannot be a %s: %s. Change the default or the type.", v.Name, typeexpr.TypeString(v.Type), err).At(a.expr.Range()))
		return v
	}
	v.Default = converted
	return v
}

// validateVariables evaluates the validation blocks once all values are known.
func (l *loader) validateVariables(variables []*block) {
	for _, b := range variables {
		memo(l, b.kept, "validated", b.needs(), func() (struct{}, bool) {
			for _, validation := range b.of("validation") {
				l.validate(b, validation)
			}
			return struct{}{}, true
		})
	}
}

func (l *loader) validate(b, validation *block) {
	f := l.fields(validation)
	condition, r, ok := f.value("condition")
	if !ok {
		return
	}
	holds, err := convert.Convert(condition, cty.Bool)
	if err != nil {
		f.wrongType("condition", "true or false", condition, r)
		return
	}
	if holds.True() {
		return
	}
	message, ok := f.text("error_message")
	if !ok {
		return
	}
	d := diag.New(diag.VariableValidationFailed, "%s", message).At(r)
	d.Related = []diag.Related{{Message: "the variable is declared here", Range: b.labelRange}}
	if input, given := l.inputs[b.label]; given {
		d = diag.New(diag.VariableValidationFailed, "%s", message).At(input.Range)
		d.Related = []diag.Related{{Message: "the condition is here", Range: r}}
	}
	l.report(d)
}
