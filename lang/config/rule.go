package config

import (
	"maps"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/schema"
)

// decodeRule decodes a scope_rule block.
func (l *loader) decodeRule(b *block) *ScopeRule {
	f := l.fields(b)
	rule := &ScopeRule{Address: l.full(b), Name: l.full(b).FullName(), Range: b.header, Attributes: b.ranges()}
	if match := b.first("match"); match != nil {
		l.decodeMatch(rule, match)
	}
	if f.has("scope") {
		rule.Scope = f.scopeName()
	}
	if penalty, ok := f.size("penalty"); ok {
		rule.Penalty = &penalty
	}
	rule.Store, _ = f.text("store")
	targets := l.decodeCandidates(rule, f)
	if rule.Penalty != nil && !f.has("scope") {
		l.report(diag.New(diag.PenaltyWithoutScope, "Rule %q gives a penalty and no scope that the penalty is for. Add a scope, or remove the penalty.", rule.Name).At(b.attrs["penalty"].expr.Range()))
	}
	switch {
	case !f.has("scope") && !f.has("pools") && !f.has("store"):
		l.report(diag.New(diag.RuleDecidesNothing, "Rule %q gives neither a scope nor pools nor an element type to store. Add one of them.", rule.Name).At(b.header))
	case f.has("pools") && !b.attrs["pools"].broken && targets != nil && len(targets) == 0 && len(l.diagsAt(b.attrs["pools"].expr.Range())) == 0:
		l.report(diag.New(diag.EmptyList, "Rule %q allows no pool at all. Leave \"pools\" out to allow every suitable one, or list some.", rule.Name).At(b.attrs["pools"].expr.Range()))
	}
	if a := b.attrs["condition"]; a != nil && !a.broken {
		l.decodeCondition(rule, b, a)
	}
	return rule
}

// decodeCandidates reads the pools of a rule and checks that they suit its scope. The result is nil when they are left
// out or at fault.
func (l *loader) decodeCandidates(rule *ScopeRule, f fields) []addr.Address {
	targets, ranges, _ := f.references("pools")
	images := false
	for i, target := range targets {
		pool := l.pool(target)
		if pool == nil {
			images = true
			continue
		}
		rule.Pools = append(rule.Pools, pool)
		images = images || pool.Type == "texture" || pool.Images
		if rule.Scope == "global" && pool.Type == "texture" {
			l.report(diag.New(diag.PoolDoesNotSuitScope, "Rule %q gives the scope \"global\", and pool %q is of type \"texture\". Remove the pool from the list, or change the scope.", rule.Name, pool.Name).At(ranges[i]))
		}
	}
	if len(rule.Pools) > 0 && !images && strings.HasPrefix(rule.Scope, "global.texture") {
		l.report(diag.New(diag.NoPoolForImages, "Rule %q gives the scope %q, and none of its pools holds images: they are flat, without images = true. Every tensor of the rule stays flat. Add a pool of type \"texture\" or one with images = true.", rule.Name, rule.Scope).At(f.b.attrs["pools"].expr.Range()))
	}
	return targets
}

// diagsAt lists what has been reported inside a range.
func (l *loader) diagsAt(r hcl.Range) diag.Diagnostics {
	var found diag.Diagnostics
	for _, d := range l.diags {
		if d.Subject != nil && d.Subject.Filename == r.Filename && d.Subject.Start.Byte >= r.Start.Byte && d.Subject.End.Byte <= r.End.Byte {
			found = append(found, d)
		}
	}
	return found
}

// scopeName reads the scope; the empty string is another spelling of "global".
func (f fields) scopeName() string {
	v, _, ok := f.value("scope")
	if ok && v.Type() == cty.String && v.AsString() == "" {
		return canonicalScope("")
	}
	name, _ := f.text("scope")
	return name
}

// canonicalScope is the one spelling of a scope.
func canonicalScope(name string) string {
	if name == "" {
		return "global"
	}
	return name
}

func (l *loader) decodeMatch(rule *ScopeRule, b *block) {
	f := l.fields(b)
	rule.Op, _, _ = f.someTexts("op")
	rule.Operand, _, _ = f.someTexts("operand")
	rule.DType, _, _ = f.someTexts("dtype")
	rule.Role, _, _ = f.someTexts("role")
	rule.Rank = f.wholes("rank")
	rule.Layout, _, _ = f.someTexts("layout")
	globs, ranges, _ := f.someTexts("tensor")
	for i, glob := range globs {
		if l.isGlob(glob, ranges[i]) {
			rule.Tensor = append(rule.Tensor, glob)
		}
	}
	rule.Graph, rule.selected = f.selection("graph", rule.selected)
	rule.Device, rule.selected = f.selection("device", rule.selected)
}

// isGlob reports whether a pattern is well formed, and what is wrong with one that is not.
func (l *loader) isGlob(pattern string, at hcl.Range) bool {
	if doublestar.ValidatePattern(pattern) {
		return true
	}
	l.report(diag.New(diag.InvalidGlob, "%q is not a pattern: a bracket or brace is not closed, or it ends in a backslash. Close it, or write a backslash before a character that stands for itself.", pattern).At(at))
	return false
}

// decodeCondition keeps the condition for planning. It is evaluated once with an unknown tensor, which finds what is
// wrong whatever the tensor.
func (l *loader) decodeCondition(rule *ScopeRule, b *block, a *attribute) {
	unknown := map[string]cty.Value{}
	maps.Copy(unknown, b.extra)
	for _, object := range schema.ConditionObjects() {
		unknown[object.Name] = unknownObject(object)
	}
	v, ds := l.scope.Evaluate(a.expr, a.refs, unknown)
	l.diags = append(l.diags, ds...)
	if eval.IsInvalid(v) {
		return
	}
	if source := eval.PlannedSource(v); source != "" {
		l.report(untilPlanned("condition", v).At(a.expr.Range()))
		return
	}
	plain := eval.Plain(v)
	if _, err := convert.Convert(plain, cty.Bool); err != nil || plain.IsKnown() && plain.IsNull() {
		l.report(diag.New(diag.WrongType, "\"condition\" takes true or false, not %s. Write it as in condition = tensor.bytes >= kib(4).", typeName(plain)).At(a.expr.Range()))
		return
	}
	rule.Condition = a.expr
	rule.values = maps.Clone(b.extra)
	if rule.values == nil {
		rule.values = map[string]cty.Value{}
	}
	for _, ref := range a.refs {
		rule.values[ref.Address.String()] = l.scope.Value(ref.Address)
	}
	context := l.scope.Context(a.refs, b.extra)
	rule.Eval = conditionEvaluator(&hcl.EvalContext{Variables: context.Variables, Functions: called(a.expr, context.Functions)}, a.expr, rule.Name)
}

// called picks the functions that an expression calls: a rule that is kept must not hold on to what the others read from.
func called(expr hclsyntax.Expression, all map[string]function.Function) map[string]function.Function {
	found := map[string]function.Function{}
	_ = hclsyntax.VisitAll(expr, func(node hclsyntax.Node) hcl.Diagnostics {
		if call, ok := node.(*hclsyntax.FunctionCallExpr); ok {
			found[call.Name] = all[call.Name]
		}
		return nil
	})
	return found
}

// unknownObject is an object whose fields have their types and no values.
func unknownObject(object *schema.Object) cty.Value {
	fields := make(map[string]cty.Value, len(object.Fields))
	for _, field := range object.Fields {
		fields[field.Name] = cty.UnknownVal(field.Type)
	}
	return cty.ObjectVal(fields)
}

// conditionEvaluator evaluates a condition for one tensor and op after another.
func conditionEvaluator(parent *hcl.EvalContext, expr hcl.Expression, rule string) func(tensor, op cty.Value) (bool, diag.Diagnostics) {
	return func(tensor, op cty.Value) (bool, diag.Diagnostics) {
		ctx := parent.NewChild()
		ctx.Variables = map[string]cty.Value{"tensor": tensor, "op": op}
		v, hclDiags := expr.Value(ctx)
		if ds := eval.FromHCL(hclDiags, expr.Range()); ds.HasErrors() {
			return false, ds
		}
		holds, err := convert.Convert(eval.Plain(v), cty.Bool)
		if err != nil || holds.IsNull() {
			return false, diag.Diagnostics{diag.New(diag.WrongType, "The condition of rule %q takes true or false, and gives %s for this tensor. Compare it with something.", rule, typeName(eval.Plain(v))).At(expr.Range())}
		}
		if !holds.IsKnown() {
			return false, diag.Diagnostics{untilPlanned("condition", v).At(expr.Range())}
		}
		return holds.True(), nil
	}
}
