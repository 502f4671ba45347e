package scope

import (
	"fmt"
	"maps"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// checkRules reads the scopes and globs of all rules and finds those that cannot speak of this graph.
func (d *decider) checkRules() {
	for i := range d.r.Rules {
		rule := &d.r.Rules[i]
		d.asksImages = d.asksImages || rule.Condition != nil
		if rule.Scope != "" {
			name, ok := Canonical(rule.Scope)
			if !ok {
				d.diags = append(d.diags, d.aboutRule(i, diag.New(diag.UnknownScope, "%s gives scope %q, and the scopes are %s.%s",
					rule.Address, rule.Scope, diag.Quoted(Names()), diag.DidYouMean(rule.Scope, Names()))))
				d.skip[i] = true
			}
			d.scopes[i], _ = labelOf(name)
		}
		for _, pattern := range rule.Tensor {
			if !doublestar.ValidatePattern(pattern) {
				d.diags = append(d.diags, d.aboutRule(i, diag.New(diag.InvalidTensorPattern,
					"%s matches tensors by the glob %q, which is not well formed: a bracket or a brace is not closed. Close it, or escape it with a backslash.", rule.Address, pattern)))
				d.skip[i] = true
			}
		}
		d.checkGlobs(i, "graphs", rule.Graph)
		d.checkGlobs(i, "devices", rule.Device)
		d.skip[i] = d.skip[i] || !d.reaches(rule)
	}
}

// checkGlobs reports globs on the names of blocks that are not well formed.
func (d *decider) checkGlobs(i int, what string, patterns []string) {
	for _, pattern := range patterns {
		if !doublestar.ValidatePattern(pattern) {
			d.diags = append(d.diags, d.aboutRule(i, diag.New(diag.InvalidBlockPattern,
				"%s matches %s by the glob %q, which is not well formed: a bracket or a brace is not closed. Close it, or escape it with a backslash.", d.r.Rules[i].Address, what, pattern)))
			d.skip[i] = true
		}
	}
}

// reaches reports whether the rule speaks of the graph and its device, and leaves the pools open or names one of that
// device.
func (d *decider) reaches(rule *Rule) bool {
	if !globbed(rule.Graph, d.r.GraphName) || !globbed(rule.Device, d.r.Device.Name) {
		return false
	}
	for _, k := range rule.Pools {
		if d.r.Pools[k].Device == d.r.Device.Name {
			return true
		}
	}
	return rule.Pools == nil
}

// checkPolicy finds the policy in effect.
func (d *decider) checkPolicy() {
	if d.r.Policy != "" && !slices.Contains(Policies(), d.r.Policy) {
		d.diags = append(d.diags, diag.New(diag.UnknownScopePolicy, "The scope policy is %q, and the policies are %s.%s Choose one of them.",
			d.r.Policy, diag.Quoted(Policies()), diag.DidYouMean(d.r.Policy, Policies())))
	}
	switch {
	case d.limits == nil:
		d.out.Policy = FlatPolicy
	case slices.Contains(Policies(), d.r.Policy):
		d.out.Policy = d.r.Policy
	default:
		d.out.Policy = MinCopy
	}
}

// checkVariants makes the variants ready and reports names that do not exist.
func (d *decider) checkVariants() {
	variants := d.r.Variants
	if variants == nil {
		variants = DefaultVariants()
	}
	for i := range variants {
		for _, operand := range slices.Sorted(maps.Keys(variants[i].Scopes)) {
			if !slices.Contains(Operands(), operand) {
				d.badVariant(&variants[i], "operand", operand, Operands())
			}
			for _, scope := range variants[i].Scopes[operand] {
				if _, ok := Canonical(scope); !ok {
					d.badVariant(&variants[i], "scope", scope, Names())
				}
			}
		}
	}
	d.kernels = kernelsOf(variants)
}

func (d *decider) badVariant(v *Variant, what, name string, known []string) {
	found := diag.New(diag.UnknownInCapability, "A capability of %s names the %s %q, and there are %s.%s Correct the name.",
		diag.Quoted(v.Op), what, name, diag.Quoted(known), diag.DidYouMean(name, known))
	found.Subject = v.Range
	d.diags = append(d.diags, found)
}

// miss counts a tensor without candidates.
func (d *decider) miss(t *TensorFacts) {
	if h := d.homeless[t.Role]; h != nil {
		h.more++
		return
	}
	d.homeless[t.Role] = &homeless{first: t.Name}
}

func (d *decider) reportHomeless() {
	for _, role := range graph.Roles {
		h := d.homeless[role]
		if h == nil {
			continue
		}
		others := ""
		if h.more > 0 {
			others = fmt.Sprintf(" and %d more of that role", h.more)
		}
		d.diags = append(d.diags, diag.New(diag.NoCandidatePool,
			"No pool can take the tensor %q of role %q%s: device %q has no flat pool that holds %q. Declare one, or add the role to the holds of a pool.",
			h.first, role, others, d.r.Device.Name, role))
	}
}

// aboutRule points the diagnostic at the rule.
func (d *decider) aboutRule(i int, what diag.Diagnostic) diag.Diagnostic {
	if what.Subject == nil {
		what.Subject = d.r.Rules[i].Range
	}
	what.Block = d.r.Rules[i].Address
	return what
}
