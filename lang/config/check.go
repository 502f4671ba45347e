package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
)

// decodeCheck decodes a check block. Assertions keep their order.
func (l *loader) decodeCheck(b *block) *Check {
	b = l.materialize(b)
	check := &Check{Name: l.full(b).FullName(), Range: b.header}
	for _, inner := range b.of("assert") {
		check.Asserts = append(check.Asserts, l.decodeAssert(inner))
	}
	return check
}

// decodeAssert decodes a condition with its message, of an assert or a postcondition.
func (l *loader) decodeAssert(b *block) *Assert {
	assert := &Assert{Range: b.header, extra: b.extra}
	assert.Condition, assert.condition = l.later(b, "condition", cty.Bool, "true or false")
	assert.ErrorMessage, assert.message = l.later(b, "error_message", cty.String, "a string")
	return assert
}

// decodeOutput decodes an output block.
func (l *loader) decodeOutput(b *block) *Output {
	f := l.fields(b)
	output := &Output{Name: b.label, Range: b.header, NameRange: b.labelRange}
	output.Description, _ = f.text("description")
	output.Sensitive = f.boolean("sensitive")
	output.Value, output.value = l.later(b, "value", cty.DynamicPseudoType, "")
	return output
}

// later keeps an expression for when the plan is made, nil when it is left out or at fault. It is evaluated once with
// the planned values unknown, which finds what is wrong whatever the plan.
func (l *loader) later(b *block, name string, want cty.Type, words string) (hcl.Expression, *attribute) {
	a := b.attrs[name]
	if a == nil || a.broken {
		return nil, nil
	}
	v, ds := l.scope.Evaluate(a.expr, a.refs, b.extra)
	l.diags = append(l.diags, ds...)
	if eval.IsInvalid(v) {
		return nil, nil
	}
	plain := eval.Plain(v)
	if _, err := convert.Convert(plain, want); err != nil {
		l.fields(b).wrongType(name, words, plain, a.expr.Range())
		return nil, nil
	}
	if plain.IsNull() && want != cty.DynamicPseudoType {
		l.report(diag.New(diag.NullValue, "%q is required and its value is null. Give it a value, as in %s = %s.", name, name, a.schema.Example).At(a.expr.Range()))
		return nil, nil
	}
	return a.expr, a
}
