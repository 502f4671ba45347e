package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/schema"
)

// evaluation is what it takes to evaluate expressions after loading.
type evaluation struct {
	functions map[string]function.Function
	// module is the path of calls, "" for the root.
	module string
	// dependent are the local values and modules, in an order in which each stands after those it needs.
	dependent []node
	// variables hold the values with their marks.
	variables map[string]cty.Value
	// rules are the addresses of the scope rules, groups the blocks with for_each or count.
	rules  []addr.Address
	groups []group
	// written are the blocks that have values, in the order in which they were decoded.
	written []written
	// What the configuration declares itself, without modules.
	devices []*Device
	pools   []*Pool
	graphs  []*Graph
}

// Finish evaluates outputs and checks once the plan is made. A check that fails is an error: a budget that is exceeded
// must fail a build. Only the configuration of a load without errors can be finished.
func (c *Config) Finish(p Planned) (Finished, diag.Diagnostics) {
	scopes := map[*Config]*eval.Scope{}
	ds := c.plannedScopes(&p, c.evaluation.variables, scopes)
	var done Finished
	for _, output := range c.Outputs {
		value, found := c.finishOutput(scopes[c], output, p)
		done.Outputs = append(done.Outputs, value)
		ds = append(ds, found...)
	}
	for _, check := range c.Checks {
		result := CheckResult{Name: check.Name}
		for _, assert := range check.Asserts {
			outcome, found := check.owner.finishAssert(scopes[check.owner], check, assert, p)
			result.Asserts = append(result.Asserts, outcome)
			ds = append(ds, found...)
		}
		done.Checks = append(done.Checks, result)
	}
	for _, post := range c.Postconditions {
		ds = append(ds, post.owner.finishPostcondition(scopes[post.owner], post, p)...)
	}
	return done, ds
}

// EvalContext returns everything that an expression of this configuration may refer to, for a console or an editor.
// Without facts the planned values are unknown.
func (c *Config) EvalContext(p *Planned) *hcl.EvalContext { return c.Scope(p).All() }

// Scope returns the values that expressions of this configuration see. Without facts the planned values are unknown.
func (c *Config) Scope(p *Planned) *eval.Scope {
	scopes := map[*Config]*eval.Scope{}
	// What is wrong with them was reported when the configuration was loaded.
	_ = c.plannedScopes(p, c.evaluation.variables, scopes)
	return scopes[c]
}

// plannedScopes builds the values of the configuration and of its modules with the plan's facts. Local values, and what
// modules are given and give, are evaluated again, since they may depend on them.
func (c *Config) plannedScopes(p *Planned, variables map[string]cty.Value, into map[*Config]*eval.Scope) diag.Diagnostics {
	e := &c.evaluation
	scope := eval.NewScope(e.functions)
	into[c] = scope
	for name, v := range variables {
		scope.Set(addr.Address{Kind: addr.Variable, Name: name}, v)
	}
	for _, d := range e.devices {
		scope.Defer(local(d.Address), func() cty.Value { return deviceValue(d) })
	}
	for _, rule := range e.rules {
		scope.Defer(local(rule), func() cty.Value { return plainObject(rule) })
	}
	for _, pool := range e.pools {
		scope.Defer(local(pool.Address), func() cty.Value { return poolValue(pool, factsOf(p, pool.Name)) })
	}
	for _, g := range e.graphs {
		scope.Defer(local(g.Address), func() cty.Value { return graphValue(g.Address, graphFactsOf(p, g.Name)) })
	}
	for i := range e.groups {
		if schema.ObjectOf(e.groups[i].address.Kind) != nil {
			e.groups[i].assemble(scope)
		}
	}
	var ds diag.Diagnostics
	for _, n := range e.dependent {
		if n.address().Kind == addr.Module {
			ds = append(ds, c.plannedModule(scope, n, p, into)...)
			continue
		}
		v := eval.InvalidValue()
		if !n.local.broken {
			var found diag.Diagnostics
			v, found = scope.Evaluate(n.local.expr, n.local.refs, nil)
			ds = append(ds, found...)
		}
		scope.Set(n.address(), v)
	}
	return ds
}

// assemble sets the value of a block with for_each or count from those of its instances.
func (g *group) assemble(scope *eval.Scope) {
	values := make([]cty.Value, len(g.keys))
	for i, key := range g.keys {
		a := g.address
		a.Key = addr.KeyOf(key)
		values[i] = scope.Value(a)
	}
	scope.Set(g.address, eval.Group(g.how, g.keys, values))
}

// local is an address as its own module writes it.
func local(a addr.Address) addr.Address {
	a.Module = ""
	return a
}

// plannedModule evaluates a module that is called again, with all its instances: what they are given may depend on the plan.
func (c *Config) plannedModule(scope *eval.Scope, n node, p *Planned, into map[*Config]*eval.Scope) diag.Diagnostics {
	instances, keys, ds, ok := expansion(scope, n.block)
	if !ok {
		scope.Set(n.address(), eval.InvalidValue())
		return ds
	}
	values := make([]cty.Value, len(instances))
	for i, instance := range instances {
		at := slices.IndexFunc(c.Modules, func(m *Module) bool { return m.Name == n.address().Name && m.Key == instance.key })
		if at < 0 {
			values[i] = eval.InvalidValue()
			continue
		}
		m := c.Modules[at]
		inputs, found := inputsOf(scope, instance)
		ds = append(ds, found...)
		variables, found := eval.ResolveInputs(m.Config.Declarations, inputs, m.Name, m.Range)
		ds = append(ds, found...)
		ds = append(ds, m.Config.plannedScopes(p, variables, into)...)
		values[i] = m.Config.outputValues(into[m.Config])
	}
	if keys == nil {
		scope.Set(n.address(), values[0])
	} else {
		scope.Set(n.address(), eval.Group(repetition(n.block), keys, values))
	}
	return ds
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
	v, ds := c.evaluatePlanned(scope, output.value, nil, p)
	done.Sensitive = output.Sensitive || eval.IsSensitive(v)
	if !eval.IsInvalid(v) {
		done.Value = eval.Plain(v)
	}
	return done, ds
}

func (c *Config) finishAssert(scope *eval.Scope, check *Check, assert *Assert, p Planned) (AssertResult, diag.Diagnostics) {
	return c.decide(scope, assert, p, verdict{
		undecided: diag.New(diag.CheckUndecided, "The condition of check %q gives neither true nor false. Compare with a value that the plan has.", check.Name),
		failed: func(message string) diag.Diagnostic {
			return diag.New(diag.CheckFailed, "Check %q failed: %s", check.Name, message)
		},
	})
}

// verdict says what to report of a condition that is not decided and of one that is false.
type verdict struct {
	undecided diag.Diagnostic
	failed    func(message string) diag.Diagnostic
}

// decide evaluates a condition on the plan.
func (c *Config) decide(scope *eval.Scope, assert *Assert, p Planned, say verdict) (AssertResult, diag.Diagnostics) {
	outcome := AssertResult{Range: assert.Range}
	if assert.condition == nil {
		return outcome, nil
	}
	outcome.Range = assert.condition.expr.Range()
	v, ds := c.evaluatePlanned(scope, assert.condition, assert.extra, p)
	if eval.IsInvalid(v) {
		return outcome, ds
	}
	holds, err := convert.Convert(eval.Plain(v), cty.Bool)
	if err != nil || !holds.IsKnown() || holds.IsNull() {
		outcome.Message = "The condition is not decided by the plan."
		return outcome, append(ds, say.undecided.At(outcome.Range))
	}
	if outcome.Passed = holds.True(); outcome.Passed {
		return outcome, ds
	}
	outcome.Message = c.assertMessage(scope, assert, p)
	d := say.failed(outcome.Message).At(outcome.Range)
	d.Expression = assert.Condition
	d.EvalContext = scope.Context(assert.condition.refs, assert.extra)
	return outcome, append(ds, d)
}

// assertMessage evaluates the error message. A message that cannot be had, or that would tell a secret, must not hide
// that the check failed.
func (c *Config) assertMessage(scope *eval.Scope, assert *Assert, p Planned) string {
	const plain = "its condition is false."
	if assert.message == nil {
		return plain
	}
	v, ds := c.evaluatePlanned(scope, assert.message, assert.extra, p)
	if ds.HasErrors() || eval.IsSensitive(v) {
		return plain
	}
	text, err := convert.Convert(eval.Plain(v), cty.String)
	if err != nil || !text.IsKnown() || text.IsNull() {
		return plain
	}
	return text.AsString()
}
