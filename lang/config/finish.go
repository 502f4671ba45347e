package config

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
)

// evaluation is what it takes to evaluate expressions after loading.
type evaluation struct {
	functions map[string]function.Function
	// locals are in an order in which each stands after those it needs.
	locals []node
	// variables hold the values with their marks.
	variables map[string]cty.Value
	// rules are the names of the scope rules.
	rules []string
}

// Finish evaluates outputs and checks once the plan is made. A check that fails is an error: a budget that is exceeded
// must fail a build. Only the configuration of a load without errors can be finished.
func (c *Config) Finish(p Planned) (Finished, diag.Diagnostics) {
	scope, ds := c.plannedScope(&p)
	var done Finished
	for _, output := range c.Outputs {
		value, found := c.finishOutput(scope, output, p)
		done.Outputs = append(done.Outputs, value)
		ds = append(ds, found...)
	}
	for _, check := range c.Checks {
		result := CheckResult{Name: check.Name}
		for _, assert := range check.Asserts {
			outcome, found := c.finishAssert(scope, check, assert, p)
			result.Asserts = append(result.Asserts, outcome)
			ds = append(ds, found...)
		}
		done.Checks = append(done.Checks, result)
	}
	return done, ds
}

// EvalContext returns everything that an expression of this configuration may refer to, for a console or an editor.
// Without facts the planned values are unknown.
func (c *Config) EvalContext(p *Planned) *hcl.EvalContext {
	scope, _ := c.plannedScope(p)
	return scope.All()
}

// plannedScope builds the values of the configuration with the plan's facts; local values are evaluated again, since
// they may depend on them.
func (c *Config) plannedScope(p *Planned) (*eval.Scope, diag.Diagnostics) {
	scope := eval.NewScope(c.evaluation.functions)
	for name, v := range c.evaluation.variables {
		scope.Set(addr.Address{Kind: addr.Variable, Name: name}, v)
	}
	for _, d := range c.Devices {
		scope.Set(addr.Address{Kind: addr.Device, Name: d.Name}, deviceValue(d))
	}
	for _, name := range c.evaluation.rules {
		scope.Set(addr.Address{Kind: addr.ScopeRule, Name: name}, plainObject(addr.ScopeRule, name))
	}
	for _, pool := range c.Pools {
		scope.Set(addr.Address{Kind: addr.Pool, Name: pool.Name}, poolValue(pool, factsOf(p, pool.Name)))
	}
	for _, g := range c.Graphs {
		scope.Set(addr.Address{Kind: addr.Graph, Name: g.Name}, graphValue(g.Name, graphFactsOf(p, g.Name)))
	}
	var ds diag.Diagnostics
	for _, n := range c.evaluation.locals {
		v := eval.InvalidValue()
		if !n.local.broken {
			var found diag.Diagnostics
			v, found = scope.Evaluate(n.local.expr, n.local.refs, nil)
			ds = append(ds, found...)
		}
		scope.Set(n.address, v)
	}
	return scope, ds
}

func factsOf(p *Planned, pool string) *PoolFacts {
	if p == nil {
		return nil
	}
	if facts, ok := p.Pools[pool]; ok {
		return &facts
	}
	return nil
}

func graphFactsOf(p *Planned, name string) *GraphFacts {
	if p == nil {
		return nil
	}
	if facts, ok := p.Graphs[name]; ok {
		return &facts
	}
	return nil
}

func (c *Config) finishOutput(scope *eval.Scope, output *Output, p Planned) (OutputValue, diag.Diagnostics) {
	done := OutputValue{Name: output.Name, Description: output.Description, Value: cty.DynamicVal, Range: output.Range}
	if output.value == nil {
		return done, nil
	}
	v, ds := evaluatePlanned(scope, output.value, p)
	done.Sensitive = eval.IsSensitive(v)
	if !eval.IsInvalid(v) {
		done.Value = eval.Plain(v)
	}
	return done, ds
}

func (c *Config) finishAssert(scope *eval.Scope, check *Check, assert *Assert, p Planned) (AssertResult, diag.Diagnostics) {
	outcome := AssertResult{Range: assert.Range}
	if assert.condition == nil {
		return outcome, nil
	}
	outcome.Range = assert.condition.expr.Range()
	v, ds := evaluatePlanned(scope, assert.condition, p)
	if eval.IsInvalid(v) {
		return outcome, ds
	}
	holds, err := convert.Convert(eval.Plain(v), cty.Bool)
	if err != nil || !holds.IsKnown() || holds.IsNull() {
		outcome.Message = "The condition is not decided by the plan."
		return outcome, append(ds, diag.New(diag.CheckUndecided, "The condition of check %q gives %s, neither true nor false. Compare with a value that the plan has.", check.Name, typeName(eval.Plain(v))).At(outcome.Range))
	}
	if outcome.Passed = holds.True(); outcome.Passed {
		return outcome, ds
	}
	outcome.Message = assertMessage(scope, assert, p)
	d := diag.New(diag.CheckFailed, "Check %q failed: %s", check.Name, outcome.Message).At(outcome.Range)
	d.Expression = assert.Condition
	d.EvalContext = scope.Context(assert.condition.refs, nil)
	return outcome, append(ds, d)
}

// assertMessage evaluates the error message. A message that cannot be had, or that would tell a secret, must not hide
// that the check failed.
func assertMessage(scope *eval.Scope, assert *Assert, p Planned) string {
	const plain = "its condition is false."
	if assert.message == nil {
		return plain
	}
	v, ds := evaluatePlanned(scope, assert.message, p)
	if ds.HasErrors() || eval.IsSensitive(v) {
		return plain
	}
	text, err := convert.Convert(eval.Plain(v), cty.String)
	if err != nil || !text.IsKnown() || text.IsNull() {
		return plain
	}
	return text.AsString()
}

// evaluatePlanned evaluates an expression with the plan's facts. A tensor that the plan does not have is found before,
// to name it and to suggest another.
func evaluatePlanned(scope *eval.Scope, a *attribute, p Planned) (cty.Value, diag.Diagnostics) {
	for _, ref := range a.refs {
		facts, ok := p.Graphs[ref.Address.Name]
		if ref.Address.Kind != addr.Graph || ref.Field() != "tensor" || !ok {
			continue
		}
		tensor, ok := ref.Key()
		if !ok {
			continue
		}
		if _, exists := facts.Tensors[tensor]; !exists {
			next := diag.DidYouMean(tensor, slices.Sorted(maps.Keys(facts.Tensors)))
			if next == "" {
				next = " \"memplan show\" lists its tensors."
			}
			d := diag.New(diag.UnknownPlannedTensor, "Graph %q has no tensor %q in the plan.%s", ref.Address.Name, tensor, next).At(ref.Whole)
			return eval.InvalidValue(), diag.Diagnostics{d}
		}
	}
	return scope.Evaluate(a.expr, a.refs, nil)
}
