package config

import (
	"maps"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/schema"
)

// Postcondition is a "postcondition" block: what a device, pool or graph must meet once the plan is made.
type Postcondition struct {
	// Address is that of the block it stands in.
	Address addr.Address
	Assert  *Assert

	owner *Config
}

// checkPreconditions evaluates the preconditions of a block that is being decoded.
func (l *loader) checkPreconditions(b *block) {
	for _, inner := range b.of("precondition") {
		f := l.fields(inner)
		condition, r, ok := f.value("condition")
		if !ok {
			continue
		}
		holds, err := convert.Convert(condition, cty.Bool)
		if err != nil {
			f.wrongType("condition", "true or false", condition, r)
			continue
		}
		message, ok := f.text("error_message")
		if !ok || holds.True() {
			continue
		}
		a := inner.attrs["condition"]
		d := diag.New(diag.PreconditionFailed, "%s: %s", l.full(b), message).At(r)
		d.Expression, d.EvalContext = a.expr, l.scope.Context(a.refs, inner.extra)
		l.report(d)
	}
}

// decodePostconditions keeps the postconditions of a block for when the plan is made.
func (l *loader) decodePostconditions(b *block) {
	var self cty.Value
	for _, inner := range b.of("postcondition") {
		if self == cty.NilVal {
			self = l.scope.Value(addr.Address{Kind: b.schema.Kind, Name: b.label})
			if b.key != "" {
				self = l.instanceValue(self, b)
			}
		}
		p := &Postcondition{Address: l.full(b), Assert: l.decodeAssert(inner.seeing(map[string]cty.Value{"self": self})), owner: l.cfg}
		l.cfg.Postconditions = append(l.cfg.Postconditions, p)
	}
}

// instanceValue takes the value of one instance from that of its block.
func (l *loader) instanceValue(group cty.Value, b *block) cty.Value {
	plain, marks := group.Unmark()
	if len(marks) > 0 || !plain.IsKnown() {
		return eval.InvalidValue()
	}
	key := instanceKey(b)
	if plain.Type().IsTupleType() {
		return plain.Index(key)
	}
	return plain.GetAttr(key.AsString())
}

// selfObject describes "self" in the postconditions of a block.
func selfObject(b *block) *schema.Object {
	object := *schema.ObjectOf(b.schema.Kind)
	object.Name = "self"
	return &object
}

// finishPostcondition decides a postcondition on the plan.
func (c *Config) finishPostcondition(scope *eval.Scope, post *Postcondition, p Planned) diag.Diagnostics {
	assert := *post.Assert
	assert.extra = maps.Clone(assert.extra)
	assert.extra["self"] = scope.Value(local(post.Address))
	_, ds := c.decide(scope, &assert, p, verdict{
		undecided: diag.New(diag.CheckUndecided, "The postcondition of %s gives neither true nor false. Compare with a value that the plan has.", post.Address),
		failed: func(message string) diag.Diagnostic {
			return diag.New(diag.PostconditionFailed, "%s: %s", post.Address, message)
		},
	})
	return ds
}
